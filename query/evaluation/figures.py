"""Verdicts on labelled rows -> figures: shares of all rows and of each kind and language, and calibration."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from query.evaluation.labelled import Labelled


class FirstAnswer(NamedTuple):
    """A first answer: the command that gave it, how it was found, its confidence or grade, and whether it is right."""

    command: str
    found_by: str
    grade: str
    is_right: bool


class Verdict(NamedTuple):
    """One judged row. ``checks`` are pairs of a figure and how well it holds, 0 to 1; ``summary`` is the answer."""

    row: Labelled
    checks: tuple[tuple[str, float], ...]
    summary: str
    first_answers: tuple[FirstAnswer, ...] = ()

    @property
    def missed(self) -> tuple[str, ...]:
        """The figures that this row lowers, each once."""
        return tuple(dict.fromkeys(name for name, value in self.checks if value < 1))


def missed_text(verdict: Verdict) -> str:
    """One missed row for a person: the query, the missed figures, the expectation and the answer."""
    row, expect = verdict.row, verdict.row["expect"]
    query = f"{row.get('id', '')}  {row['query']!r} product={row.get('product')} platform={row.get('platform')}"
    wanted = f"{expect.get('status', '')} {', '.join(expect.get('top1', expect.get('paths', ()))[:3])}".strip()
    contested = " (contested)" if row.get("contested") else ""
    return "\n".join(
        (
            f"{query}{contested}",
            f"    missed {', '.join(verdict.missed)}",
            f"    wanted {wanted or 'nothing'}",
            f"    got    {verdict.summary}",
        )
    )


def figures(verdicts: Iterable[Verdict]) -> dict[str, float]:
    """Each figure as the mean of its checks, 0 to 1, to four digits; ``false-high`` is the share of rows with one."""
    values: dict[str, list[float]] = {}
    for verdict in verdicts:
        for name, value in verdict.checks:
            values.setdefault(name, []).append(value)
    means = {name: sum(found) / len(found) for name, found in sorted(values.items())}
    if "no false high" in means:
        means["false-high"] = 1 - means.pop("no false high")
    return {name: round(mean, 4) for name, mean in means.items()}


def split_contested(verdicts: Iterable[Verdict]) -> tuple[list[Verdict], list[Verdict]]:
    """The verdicts that count, and those of contested rows, which are reported but are no failures."""
    counted: list[Verdict] = []
    contested: list[Verdict] = []
    for verdict in verdicts:
        (contested if verdict.row.get("contested") else counted).append(verdict)
    return counted, contested


def grouped(verdicts: Iterable[Verdict], field: str) -> dict[str, dict[str, float]]:
    """The figures of the rows of each value of a field: ``kind``, ``lang``."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(str(verdict.row.get(field, "")), []).append(verdict)
    return {value: figures(groups[value]) for value in sorted(groups)}


def calibration(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """How often first answers are correct, as counts for each command, way of finding and grade.

    These are the rows of the table ``calibration``; ``build --calibration`` stores them.
    """
    groups: dict[tuple[str, str, str], list[bool]] = {}
    for command, found_by, grade, is_right in (first for verdict in verdicts for first in verdict.first_answers):
        groups.setdefault((command, found_by, grade), []).append(is_right)
    return [
        {"command": command, "found_by": found_by, "grade": grade, "answers": len(right), "correct": sum(right)}
        for (command, found_by, grade), right in sorted(groups.items())
    ]

"""What becomes of one labelled row: which figures it holds up, which it pulls down.

Verdicts -> figures: shares, apart for contested rows, by kind and language, and calibration.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from query.evaluation.labelled import Labelled


class Ranked(NamedTuple):
    """A first answer: which command gave it, how it was found, how sure the answer says it is, was it right."""

    command: str
    found_by: str
    grade: str
    right: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row judged. ``checks`` are (figure, how far it held, 0 to 1) pairs; ``got`` accounts for the answer."""

    row: Labelled
    checks: tuple[tuple[str, float], ...]
    got: str
    ranked: tuple[Ranked, ...] = ()

    @property
    def missed(self) -> tuple[str, ...]:
        """The figures that this row pulls down, each once."""
        return tuple(dict.fromkeys(name for name, held in self.checks if held < 1))


def judged_text(verdict: Verdict) -> str:
    """One missed row for a person: what was asked, what it pulls down, what came and what was wanted."""
    row, expect = verdict.row, verdict.row["expect"]
    asked = f"{row.get('id', '')}  {row['query']!r} product={row.get('product')} platform={row.get('platform')}"
    places = expect.get("top1", expect.get("paths", ()))
    wanted = f"{expect.get('status', '')} {', '.join(places[:3])}".strip() or "nothing"
    contested = " (contested)" if row.get("contested") else ""
    return f"{asked}{contested}\n    missed {', '.join(verdict.missed)}\n    wanted {wanted}\n    got    {verdict.got}"


def figures(verdicts: Iterable[Verdict]) -> dict[str, float]:
    """Each figure as the mean of its checks, 0 to 1; ``false-high`` is the share that does not."""
    held: dict[str, list[float]] = {}
    for verdict in verdicts:
        for name, good in verdict.checks:
            held.setdefault(name, []).append(good)
    shares = {name: sum(good) / len(good) for name, good in sorted(held.items())}
    if "no false high" in shares:
        shares["false-high"] = 1 - shares.pop("no false high")
    return shares


def apart(verdicts: Iterable[Verdict]) -> tuple[list[Verdict], list[Verdict]]:
    """The verdicts that count, and the contested ones, which are reported but are no failures."""
    judged = list(verdicts)
    plain = [verdict for verdict in judged if not verdict.row.get("contested")]
    return plain, [verdict for verdict in judged if verdict.row.get("contested")]


def grouped(verdicts: Iterable[Verdict], by: str) -> dict[str, dict[str, float]]:
    """The figures of the rows of each value of a field: ``kind``, ``lang``."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(str(verdict.row.get(by, "")), []).append(verdict)
    return {value: figures(groups[value]) for value in sorted(groups)}


def calibration(verdicts: Iterable[Verdict]) -> list[dict[str, Any]]:
    """How often the first answer is correct, for each command, way of finding and grade, as counts.

    The rows of the table ``calibration``: ``build --calibration`` takes them.
    """
    counted: dict[tuple[str, str, str], list[bool]] = {}
    for ranked in (ranked for verdict in verdicts for ranked in verdict.ranked):
        counted.setdefault(ranked[:3], []).append(ranked.right)
    return [
        {"command": command, "found_by": found_by, "grade": grade, "answers": len(right), "correct": sum(right)}
        for (command, found_by, grade), right in sorted(counted.items())
    ]


def rounded(found: Mapping[str, float]) -> dict[str, float]:
    """Figures for a document."""
    return {name: round(share, 4) for name, share in found.items()}

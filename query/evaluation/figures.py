"""Verdicts -> figures: shares, apart for contested rows, by kind and language, and calibration."""

from collections.abc import Iterable, Mapping
from typing import Any

from query.evaluation.verdicts import Verdict


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

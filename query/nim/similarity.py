"""Exact similarity arithmetic: fractions of integers, cross-multiplied, never binary floats (decision 2). Pure.

One file per track type: the rule by which its units are graded.

咨询类 units: graded by tags and title.

排查类 units: graded by conclusion and description, or by tags and title where a root cause is missing.
"""

from collections.abc import Collection
from functools import total_ordering
from typing import Any

from query.nim.contract import Grade


@total_ordering
class Ratio:
    """A non-negative fraction; 0/0 is written 0/1 (J of two empty sets is 0)."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: int, denominator: int) -> None:
        self.numerator = numerator
        self.denominator = denominator

    def __repr__(self) -> str:
        return f"Ratio({self.numerator}, {self.denominator})"

    def at_least(self, hundredths: int) -> bool:
        """Whether it reaches a threshold given in hundredths."""
        return 100 * self.numerator >= hundredths * self.denominator

    def __lt__(self, other: "Ratio") -> bool:
        return self.numerator * other.denominator < other.numerator * self.denominator

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and self.numerator * other.denominator == other.numerator * self.denominator

    def __hash__(self) -> int:
        return hash(float(self))

    def __float__(self) -> float:
        return self.numerator / self.denominator

    @property
    def shown(self) -> float:
        """Two decimals, rounded half up, for display only."""
        return ((200 * self.numerator + self.denominator) // (2 * self.denominator)) / 100


ZERO = Ratio(0, 1)


def jaccard(one: frozenset[str], other: Collection[str]) -> Ratio:
    """|A ∩ B| / |A ∪ B| of two sets (``other`` may be any collection without repeats); 0 where both are empty."""
    shared = len(one.intersection(other))
    union = len(one) + len(other) - shared
    return Ratio(shared, union) if union else ZERO


def tags_and_title(tags: Ratio, title: Ratio) -> Ratio:
    """0.6 x J(tags) + 0.4 x J(title) (specification, Step 3)."""
    return Ratio(
        6 * tags.numerator * title.denominator + 4 * title.numerator * tags.denominator,
        10 * tags.denominator * title.denominator,
    )


@total_ordering
class Descending:
    """A sort key that reverses the order of what it holds."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: "Descending") -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Descending) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)


#: Thresholds of the specification's Step 3, in hundredths.
CONSULT_HIGH_AT_LEAST = 65
CONSULT_AT_LEAST = 40


def consult_grade(score: Ratio) -> Grade | None:
    """The grade of a pair by its tags and title."""
    if score.at_least(CONSULT_HIGH_AT_LEAST):
        return Grade.HIGH
    return Grade.POSSIBLE if score.at_least(CONSULT_AT_LEAST) else None


#: Thresholds of the specification's Step 3, in hundredths.
CONCLUSION_AT_LEAST = 60
DESCRIPTION_AT_LEAST = 55
FALLBACK_AT_LEAST = 50


def troubleshoot_grade(conclusion: Ratio | None, description: Ratio, fallback: Ratio) -> Grade | None:
    """The grade of a pair; ``conclusion`` is None where either side has no real root cause (decision 5)."""
    if conclusion is None:
        return Grade.POSSIBLE if fallback.at_least(FALLBACK_AT_LEAST) else None
    if not conclusion.at_least(CONCLUSION_AT_LEAST):
        return None
    return Grade.HIGH if description.at_least(DESCRIPTION_AT_LEAST) else Grade.POSSIBLE

"""Exact similarity: fractions of integers, compared by cross-multiplication, and the thresholds on them.

Binary floats would miss a threshold: 0.6 x 2/3 is 0.40 exactly (docs/decisions/nim.md#exact-comparison).
"""

from collections.abc import Collection
from functools import total_ordering

from query.nim.contract import Grade

# Thresholds of the specification, in hundredths. 咨询类: tags and title. 排查类: the conclusion, then the description;
# if one of the two root causes is missing, tags and title.
CONSULT_HIGH_AT_LEAST = 65
CONSULT_AT_LEAST = 40
CONCLUSION_AT_LEAST = 60
DESCRIPTION_AT_LEAST = 55
FALLBACK_AT_LEAST = 50


@total_ordering
class Ratio:
    """A fraction with a positive denominator. ``-ratio`` is its sort key for descending order."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: int, denominator: int) -> None:
        self.numerator = numerator
        self.denominator = denominator

    def __repr__(self) -> str:
        return f"Ratio({self.numerator}, {self.denominator})"

    def at_least(self, hundredths: int) -> bool:
        """Whether the ratio reaches a threshold in hundredths."""
        return 100 * self.numerator >= hundredths * self.denominator

    def __lt__(self, other: "Ratio") -> bool:
        return self.numerator * other.denominator < other.numerator * self.denominator

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and self.numerator * other.denominator == other.numerator * self.denominator

    def __hash__(self) -> int:
        return hash(float(self))

    def __neg__(self) -> "Ratio":
        return Ratio(-self.numerator, self.denominator)

    def __float__(self) -> float:
        return self.numerator / self.denominator

    @property
    def rounded(self) -> float:
        """Two decimals, rounded half up; for display only."""
        return ((200 * self.numerator + self.denominator) // (2 * self.denominator)) / 100


ZERO = Ratio(0, 1)


def jaccard(one: frozenset[str], other: Collection[str]) -> Ratio:
    """|A ∩ B| / |A ∪ B|; 0 for two empty sets. ``other`` is a set, or any collection without repetitions."""
    shared = len(one.intersection(other))
    union = len(one) + len(other) - shared
    return Ratio(shared, union) if union else ZERO


def combined(tags: Ratio, title: Ratio) -> Ratio:
    """0.6 x J(tags) + 0.4 x J(title)."""
    return Ratio(
        6 * tags.numerator * title.denominator + 4 * title.numerator * tags.denominator,
        10 * tags.denominator * title.denominator,
    )


def consult_grade(tags_and_title: Ratio) -> Grade | None:
    """The grade of a 咨询类 unit; None if it does not qualify."""
    if tags_and_title.at_least(CONSULT_HIGH_AT_LEAST):
        return Grade.HIGH
    return Grade.POSSIBLE if tags_and_title.at_least(CONSULT_AT_LEAST) else None


def troubleshoot_grade(conclusion: Ratio | None, description: Ratio, tags_and_title: Ratio) -> Grade | None:
    """The grade of a 排查类 unit; None if it does not qualify.

    ``conclusion`` is None if the request or the unit has no root cause: then tags and title decide, for 可能相关 at
    most (docs/decisions/nim.md#missing-root-cause).
    """
    if conclusion is None:
        return Grade.POSSIBLE if tags_and_title.at_least(FALLBACK_AT_LEAST) else None
    if not conclusion.at_least(CONCLUSION_AT_LEAST):
        return None
    return Grade.HIGH if description.at_least(DESCRIPTION_AT_LEAST) else Grade.POSSIBLE

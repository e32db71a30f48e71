"""Exact similarity arithmetic: fractions of integers, cross-multiplied, never binary floats (decision 2). Pure."""

from collections.abc import Collection
from functools import total_ordering
from typing import Any


@total_ordering
class Ratio:
    """A non-negative fraction; 0/0 is written 0/1 (J of two empty sets is 0)."""

    __slots__ = ("bottom", "top")

    def __init__(self, top: int, bottom: int) -> None:
        self.top = top
        self.bottom = bottom

    def __repr__(self) -> str:
        return f"Ratio({self.top}, {self.bottom})"

    def at_least(self, hundredths: int) -> bool:
        """Whether it reaches a threshold given in hundredths."""
        return 100 * self.top >= hundredths * self.bottom

    def __lt__(self, other: "Ratio") -> bool:
        return self.top * other.bottom < other.top * self.bottom

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and self.top * other.bottom == other.top * self.bottom

    def __hash__(self) -> int:
        return hash(float(self))

    def __float__(self) -> float:
        return self.top / self.bottom

    @property
    def shown(self) -> float:
        """Two decimals, rounded half up, for display only."""
        return ((200 * self.top + self.bottom) // (2 * self.bottom)) / 100


ZERO = Ratio(0, 1)


def jaccard(one: frozenset[str], other: Collection[str]) -> Ratio:
    """|A ∩ B| / |A ∪ B| of two sets (``other`` may be any collection without repeats); 0 where both are empty."""
    shared = len(one.intersection(other))
    union = len(one) + len(other) - shared
    return Ratio(shared, union) if union else ZERO


def tags_and_title(tags: Ratio, title: Ratio) -> Ratio:
    """0.6 x J(tags) + 0.4 x J(title) (specification, Step 3)."""
    return Ratio(6 * tags.top * title.bottom + 4 * title.top * tags.bottom, 10 * tags.bottom * title.bottom)


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

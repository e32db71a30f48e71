"""The arithmetic of similarity: exact fractions, thresholds, rounding (decision 2)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from query.nim.score import ZERO, Descending, Ratio, jaccard, tags_and_title

SETS = some.frozensets(some.sampled_from("甲乙丙丁戊己ab"))
RATIOS = some.integers(0, 60).flatmap(lambda top: some.integers(max(top, 1), 60).map(lambda bottom: Ratio(top, bottom)))


def fraction(ratio: Ratio) -> Fraction:
    """The same number."""
    return Fraction(ratio.top, ratio.bottom)


@pytest.mark.parametrize(
    ("one", "other", "top", "bottom"),
    [
        pytest.param("", "", 0, 1, id="two empty sets are not alike"),
        pytest.param("甲", "", 0, 1, id="one empty set"),
        pytest.param("甲乙", "甲乙", 2, 2, id="equal"),
        pytest.param("甲乙", "丙", 0, 3, id="disjoint"),
        pytest.param("甲乙丙", "乙丙丁", 2, 4, id="half"),
    ],
)
def test_jaccard(one: str, other: str, top: int, bottom: int) -> None:
    """The overlap over the union; nothing over nothing is 0."""
    assert jaccard(frozenset(one), other) == jaccard(set(one), frozenset(other)) == Ratio(top, bottom)


@given(SETS, SETS)
def test_jaccard_is_that_of_sets(one: frozenset[str], other: frozenset[str]) -> None:
    """It is symmetric, between 0 and 1, and 1 exactly for equal sets that are not empty."""
    assert jaccard(one, other) == jaccard(other, one)
    assert fraction(jaccard(one, other)) == (Fraction(len(one & other), len(one | other)) if one | other else 0)
    assert (jaccard(one, other) == Ratio(1, 1)) == (one == other != frozenset())


@given(RATIOS, RATIOS)
def test_ratios_order_as_fractions(one: Ratio, other: Ratio) -> None:
    """Comparison, equality and hashing are those of the numbers, not of how they are written."""
    assert (one < other, one <= other, one == other) == (
        fraction(one) < fraction(other),
        fraction(one) <= fraction(other),
        fraction(one) == fraction(other),
    )
    assert one != other or hash(one) == hash(other)


@given(RATIOS, RATIOS)
def test_tags_and_title(tags: Ratio, title: Ratio) -> None:
    """0.6 of the tags and 0.4 of the title, exactly."""
    assert fraction(tags_and_title(tags, title)) == Fraction(3, 5) * fraction(tags) + Fraction(2, 5) * fraction(title)


@given(RATIOS, some.sampled_from([40, 50, 55, 60, 65]))
def test_at_least(ratio: Ratio, hundredths: int) -> None:
    """A threshold is met from the very number on."""
    assert ratio.at_least(hundredths) == (fraction(ratio) >= Fraction(hundredths, 100))


def test_six_tenths_of_two_thirds_is_four_tenths() -> None:
    """0.6 x 2/3 reaches 0.40, which binary floats miss, and nothing beneath it does."""
    assert 0.6 * (2 / 3) < 0.40
    assert tags_and_title(Ratio(2, 3), ZERO).at_least(40)
    assert not tags_and_title(Ratio(1_999_999, 3_000_000), ZERO).at_least(40)


@pytest.mark.parametrize(
    ("top", "bottom", "shown"),
    [(1, 8, 0.13), (1, 200, 0.01), (1, 201, 0.0), (3, 8, 0.38), (1, 40, 0.03), (2, 3, 0.67), (1, 1, 1.0), (0, 1, 0.0)],
)
def test_shown(top: int, bottom: int, shown: float) -> None:
    """Two decimals, half up: 0.125 shows as 0.13, where floats would give 0.12."""
    assert Ratio(top, bottom).shown == shown


def test_rounding_is_for_display_only() -> None:
    """0.396 shows as 0.40 and still does not reach it."""
    almost = Ratio(396, 1000)
    assert (almost.shown, almost.at_least(40)) == (0.40, False)


def test_a_ratio_is_no_number() -> None:
    """A ratio equals ratios only."""
    assert Ratio(1, 2) != 0.5


def test_descending() -> None:
    """Sorted by it, the greatest comes first, and equals stay equal."""
    assert sorted(["2026-01", "2026-02", ""], key=Descending) == ["2026-02", "2026-01", ""]
    assert Descending(Ratio(1, 2)) == Descending(Ratio(2, 4))
    assert len({Descending(Ratio(1, 2)), Descending(Ratio(2, 4))}) == 1
    assert Descending("a") != "a"

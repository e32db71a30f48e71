"""The arithmetic of similarity: exact fractions, thresholds, rounding."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from query.nim.contract import Grade
from query.nim.similarity import ZERO, Ratio, combined, consult_grade, jaccard, troubleshoot_grade

SETS = some.frozensets(some.sampled_from("甲乙丙丁戊己ab"))
RATIOS = some.integers(0, 60).flatmap(
    lambda numerator: some.integers(max(numerator, 1), 60).map(lambda denominator: Ratio(numerator, denominator))
)


def fraction(ratio: Ratio) -> Fraction:
    """The same number."""
    return Fraction(ratio.numerator, ratio.denominator)


@pytest.mark.parametrize(
    ("one", "other", "numerator", "denominator"),
    [
        pytest.param("", "", 0, 1, id="two empty sets"),
        pytest.param("甲", "", 0, 1, id="one empty set"),
        pytest.param("甲乙", "甲乙", 2, 2, id="equal"),
        pytest.param("甲乙", "丙", 0, 3, id="disjoint"),
        pytest.param("甲乙丙", "乙丙丁", 2, 4, id="half"),
    ],
)
def test_jaccard(one: str, other: str, numerator: int, denominator: int) -> None:
    """The overlap over the union; nothing over nothing is 0."""
    assert jaccard(frozenset(one), other) == jaccard(set(one), frozenset(other)) == Ratio(numerator, denominator)


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
def test_combined(tags: Ratio, title: Ratio) -> None:
    """0.6 of the tags and 0.4 of the title, exactly."""
    assert fraction(combined(tags, title)) == Fraction(3, 5) * fraction(tags) + Fraction(2, 5) * fraction(title)


@given(RATIOS, some.sampled_from([40, 50, 55, 60, 65]))
def test_at_least(ratio: Ratio, hundredths: int) -> None:
    """A threshold is reached by the number itself."""
    assert ratio.at_least(hundredths) == (fraction(ratio) >= Fraction(hundredths, 100))


def test_six_tenths_of_two_thirds_is_four_tenths() -> None:
    """0.6 x 2/3 reaches 0.40, which binary floats miss, and nothing below it does."""
    assert 0.6 * (2 / 3) < 0.40
    assert combined(Ratio(2, 3), ZERO).at_least(40)
    assert not combined(Ratio(1_999_999, 3_000_000), ZERO).at_least(40)


@pytest.mark.parametrize(
    ("numerator", "denominator", "rounded"),
    [(1, 8, 0.13), (1, 200, 0.01), (1, 201, 0.0), (3, 8, 0.38), (1, 40, 0.03), (2, 3, 0.67), (1, 1, 1.0), (0, 1, 0.0)],
)
def test_rounded(numerator: int, denominator: int, rounded: float) -> None:
    """Two decimals, half up: 0.125 is rounded to 0.13, where floats would give 0.12."""
    assert Ratio(numerator, denominator).rounded == rounded


def test_rounding_is_for_display_only() -> None:
    """0.396 is rounded to 0.40 and still does not reach it."""
    almost = Ratio(396, 1000)
    assert (almost.rounded, almost.at_least(40)) == (0.40, False)


def test_a_ratio_is_no_number() -> None:
    """A ratio equals ratios only."""
    assert Ratio(1, 2) != 0.5


@given(RATIOS, RATIOS)
def test_a_negated_ratio_sorts_descending(one: Ratio, other: Ratio) -> None:
    """The greater ratio comes first, and equal ones stay equal."""
    assert (-one < -other, -one == -other) == (other < one, one == other)


@pytest.mark.parametrize(
    ("score", "wanted"),
    [
        pytest.param(Ratio(1, 1), Grade.HIGH, id="equal"),
        pytest.param(Ratio(65, 100), Grade.HIGH, id="0.65 is high"),
        pytest.param(Ratio(13, 20), Grade.HIGH, id="0.65 reduced"),
        pytest.param(Ratio(6499, 10000), Grade.POSSIBLE, id="just below 0.65"),
        pytest.param(Ratio(2, 5), Grade.POSSIBLE, id="0.40 is possible"),
        pytest.param(combined(Ratio(2, 3), ZERO), Grade.POSSIBLE, id="0.6 of two thirds"),
        pytest.param(Ratio(3999, 10000), None, id="just below 0.40"),
        pytest.param(ZERO, None, id="nothing"),
    ],
)
def test_consult_grade(score: Ratio, wanted: Grade | None) -> None:
    """高度匹配 from 0.65 on, 可能相关 from 0.40 on, nothing below."""
    assert consult_grade(score) is wanted


FULL = Ratio(1, 1)


@pytest.mark.parametrize(
    ("conclusion", "description", "wanted"),
    [
        pytest.param(Ratio(60, 100), Ratio(55, 100), Grade.HIGH, id="both at their borders"),
        pytest.param(Ratio(3, 5), Ratio(11, 20), Grade.HIGH, id="both at their borders, reduced"),
        pytest.param(Ratio(3, 5), Ratio(5499, 10000), Grade.POSSIBLE, id="description just below"),
        pytest.param(Ratio(3, 5), ZERO, Grade.POSSIBLE, id="no description"),
        pytest.param(Ratio(5999, 10000), FULL, None, id="conclusion just below"),
        pytest.param(ZERO, FULL, None, id="another conclusion"),
        pytest.param(FULL, FULL, Grade.HIGH, id="equal"),
    ],
)
def test_troubleshoot_by_conclusion(conclusion: Ratio, description: Ratio, wanted: Grade | None) -> None:
    """A unit qualifies by its conclusion from 0.60 on, highly by its description from 0.55 on, whatever its title."""
    assert troubleshoot_grade(conclusion, description, FULL) is wanted
    assert troubleshoot_grade(conclusion, description, ZERO) is wanted


@pytest.mark.parametrize(
    ("fallback", "wanted"),
    [
        pytest.param(Ratio(1, 2), Grade.POSSIBLE, id="at the border"),
        pytest.param(Ratio(4999, 10000), None, id="just below"),
        pytest.param(FULL, Grade.POSSIBLE, id="equal"),
    ],
)
def test_troubleshoot_fallback(fallback: Ratio, wanted: Grade | None) -> None:
    """Without a cause, tags and title are enough from 0.50 on, and never for more than 可能相关."""
    assert troubleshoot_grade(None, FULL, fallback) is wanted

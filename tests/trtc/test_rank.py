"""The order of hits."""

from itertools import permutations

import pytest

from query.contract import Strategy
from query.trtc.rank import best_of_each, ordered
from query.trtc.search import Hit

EXACT, TAG, KEYWORD, CROSS, FUZZY = Strategy


@pytest.mark.parametrize("strategies", list(permutations([EXACT, TAG, FUZZY])))
def test_the_highest_strategy_counts(strategies: tuple[Strategy, ...]) -> None:
    """A slice that several strategies hit counts once, under the highest (decision 32)."""
    assert best_of_each([Hit(1, strategy) for strategy in strategies]) == [Hit(1, EXACT)]


def test_the_first_of_equal_strategies_stays() -> None:
    """Of two hits by one strategy, the first one stays."""
    assert best_of_each([Hit(1, TAG, (1.0,)), Hit(1, TAG, (9.0,))]) == [Hit(1, TAG, (1.0,))]


@pytest.mark.parametrize(
    ("hits", "secondary", "wanted"),
    [
        ([Hit(1, FUZZY), Hit(2, CROSS), Hit(3, KEYWORD), Hit(4, TAG), Hit(5, EXACT)], [], [5, 4, 3, 2, 1]),
        ([Hit(1, TAG, (1.0,)), Hit(2, TAG, (3.0,)), Hit(3, TAG, (2.0,))], [], [2, 3, 1]),
        ([Hit(1, TAG, (1.0, 1.0)), Hit(2, TAG, (1.0, 2.0))], [], [2, 1]),
        ([Hit(3, TAG, (1.0,)), Hit(1, TAG, (1.0,))], [], [1, 3]),
        ([Hit(1, EXACT, (9.0,)), Hit(2, FUZZY)], [1], [2, 1]),
        ([Hit(1, FUZZY, (99.0,)), Hit(2, EXACT, (-5.0,))], [], [2, 1]),
        ([], [], []),
    ],
    ids=["strategy", "order", "second part", "index order", "secondary last", "strategy before order", "none"],
)
def test_ordered(hits: list[Hit], secondary: list[int], wanted: list[int]) -> None:
    """In-platform first, then strategy, then the strategy's own order, then the index's."""
    for shuffled in permutations(hits):
        assert [hit.number for hit in ordered(shuffled, frozenset(secondary))] == wanted

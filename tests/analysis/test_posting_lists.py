"""Posting lists, packed and cut out again.

Counting columns of bits, against counting them one by one.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.analysis.posting_lists import Counts, bits_of, counted, number_at, pack_numbers, pack_ranks, unpack_numbers

RANKS = st.lists(st.integers(0, 2000), min_size=1, max_size=300, unique=True).map(sorted)


@given(st.lists(st.integers(0, 2**32 - 1)))
def test_numbers(numbers: list[int]) -> None:
    """Numbers come back, at four bytes each."""
    packed = pack_numbers(numbers)
    assert len(packed) == 4 * len(numbers)
    assert unpack_numbers(packed) == tuple(number_at(packed, place) for place in range(len(numbers))) == tuple(numbers)


@given(RANKS, st.integers(0, 260), st.integers(0, 260))
def test_any_range(ranks: list[int], one: int, other: int) -> None:
    """Any range of bytes is the ranks within it, in either form."""
    begin, end = sorted((one, other))
    wanted = {rank - 8 * begin for rank in ranks if 8 * begin <= rank < 8 * end}
    bits = bits_of(pack_ranks(ranks), begin, end)
    assert {place for place in range(8 * (end - begin)) if bits >> place & 1} == wanted
    assert bits.bit_length() <= 8 * (end - begin)


@pytest.mark.parametrize(
    ("ranks", "most"),
    [
        pytest.param([70_000], 5, id="one is its rank"),
        pytest.param(list(range(0, 100_000, 9_999)), 45, id="a few far apart are their ranks"),
        pytest.param(list(range(0, 100_000, 50)), 2_100, id="many are bits, deflated"),
        pytest.param(list(range(100_000)), 100, id="all of them"),
    ],
)
def test_the_shorter_form(ranks: list[int], most: int) -> None:
    """Rare tokens and common ones both take little room."""
    assert len(pack_ranks(ranks)) <= most


SIZE = 5
MEMBERS = st.lists(st.integers(0, 2 ** (8 * SIZE) - 1), max_size=70)


def plainly(members: list[int]) -> list[int]:
    """How many of the integers have each bit."""
    return [sum(bits >> column & 1 for bits in members) for column in range(8 * SIZE)]


@given(MEMBERS)
def test_counted(members: list[int]) -> None:
    """The digits of each column make its count."""
    digits = counted(members)
    found = [sum((digit >> column & 1) << place for place, digit in enumerate(digits)) for column in range(8 * SIZE)]
    assert found == plainly(members)


@given(MEMBERS, st.integers(1, 80), st.integers(0, 8 * SIZE), st.integers(0, 8 * SIZE))
def test_reaching(members: list[int], least: int, one: int, other: int) -> None:
    """Exactly the columns of the range that reach the count, in order, with their counts."""
    first, end = sorted((one, other))
    counts = plainly(members)
    wanted = [(column, counts[column]) for column in range(first, end) if counts[column] >= least]
    assert list(Counts(members, SIZE).units_over_threshold(least, first, end)) == wanted


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 7, 8, 255, 256, 257])
def test_carries(number: int) -> None:
    """A column that every member has counts them all, over every carry."""
    assert list(Counts([1] * number, 1).units_over_threshold(max(1, number), 0, 8)) == ([(0, number)] if number else [])

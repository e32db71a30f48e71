"""Posting lists are packed and sliced without loss, and columns of bits are counted as one by one."""

import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.analysis.posting_lists import (
    Counts,
    bits_of,
    column_sums,
    number_at,
    pack_numbers,
    pack_ranks,
    unpack_numbers,
)

RANKS = st.lists(st.integers(0, 2000), min_size=1, max_size=300, unique=True).map(sorted)


@given(st.lists(st.integers(0, 2**32 - 1)))
def test_numbers(numbers: list[int]) -> None:
    """Numbers are unpacked as they were, at four bytes each."""
    packed = pack_numbers(numbers)
    assert len(packed) == 4 * len(numbers)
    assert (
        unpack_numbers(packed)
        == tuple(number_at(packed, position) for position in range(len(numbers)))
        == tuple(numbers)
    )


@given(RANKS, st.integers(0, 260), st.integers(0, 260))
def test_any_range(ranks: list[int], one: int, other: int) -> None:
    """Any range of bytes holds the ranks within it, in both forms."""
    begin, end = sorted((one, other))
    wanted = {rank - 8 * begin for rank in ranks if 8 * begin <= rank < 8 * end}
    bits = bits_of(pack_ranks(ranks), begin, end)
    assert {column for column in range(8 * (end - begin)) if bits >> column & 1} == wanted
    assert bits.bit_length() <= 8 * (end - begin)


@pytest.mark.parametrize(
    ("ranks", "most"),
    [
        pytest.param([70_000], 5, id="one rank"),
        pytest.param(list(range(0, 100_000, 9_999)), 45, id="a few far apart"),
        pytest.param(list(range(0, 100_000, 50)), 2_100, id="many, as deflated bits"),
        pytest.param(list(range(100_000)), 100, id="all of them"),
    ],
)
def test_the_shorter_form(ranks: list[int], most: int) -> None:
    """Lists of rare tokens and of common ones are both short."""
    assert len(pack_ranks(ranks)) <= most


COMMON = pack_ranks(list(range(0, 20_000, 3)))
DAMAGED = {
    "cut short": COMMON[: len(COMMON) // 2],
    "overwritten": COMMON[:1] + b"\xff" * 20,
    "without content": COMMON[:1],
}


@pytest.mark.parametrize("packed", DAMAGED.values(), ids=DAMAGED)
def test_damaged(packed: bytes) -> None:
    """A damaged list is an error that the reader of an index expects, not one of zlib."""
    with pytest.raises(ValueError, match="damaged posting list"):
        bits_of(packed, 0, 2_500)


def test_no_more_than_needed() -> None:
    """A list that inflates to 50 MB takes no more memory than the bytes that are read."""
    packed = COMMON[:1] + zlib.compress(bytes(50_000_000), wbits=-15)
    tracemalloc.start()
    assert bits_of(packed, 10, 1_000) == 0
    assert tracemalloc.get_traced_memory()[1] < 1_000_000
    tracemalloc.stop()


SIZE = 5
MEMBERS = st.lists(st.integers(0, 2 ** (8 * SIZE) - 1), max_size=70)


def one_by_one(members: list[int]) -> list[int]:
    """How many of the integers have each bit."""
    return [sum(bits >> column & 1 for bits in members) for column in range(8 * SIZE)]


@given(MEMBERS)
def test_column_sums(members: list[int]) -> None:
    """The digits of each column make its sum."""
    digits = column_sums(members)
    found = [sum((digit >> column & 1) << place for place, digit in enumerate(digits)) for column in range(8 * SIZE)]
    assert found == one_by_one(members)


@given(MEMBERS, st.integers(1, 80), st.integers(0, 8 * SIZE), st.integers(0, 8 * SIZE))
def test_units_over_threshold(members: list[int], least: int, one: int, other: int) -> None:
    """Exactly the columns of the range that reach the threshold, in order, with their sums."""
    first, end = sorted((one, other))
    counts = one_by_one(members)
    wanted = [(column, counts[column]) for column in range(first, end) if counts[column] >= least]
    assert list(Counts(members, SIZE).units_over_threshold(least, first, end)) == wanted


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 7, 8, 255, 256, 257])
def test_carries(number: int) -> None:
    """A column that every row has counts them all, over every carry."""
    assert list(Counts([1] * number, 1).units_over_threshold(max(1, number), 0, 8)) == ([(0, number)] if number else [])

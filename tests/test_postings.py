"""Posting lists, packed and cut out again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fileformat.postings import bits_of, number_at, pack_numbers, pack_ranks, unpack_numbers

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

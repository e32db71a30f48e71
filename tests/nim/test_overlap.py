"""Counting columns of bits, against counting them one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.nim.overlap import Counts, counted

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
    assert list(Counts(members, SIZE).reaching(least, first, end)) == wanted


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 7, 8, 255, 256, 257])
def test_carries(number: int) -> None:
    """A column that every member has counts them all, over every carry."""
    assert list(Counts([1] * number, 1).reaching(max(1, number), 0, 8)) == ([(0, number)] if number else [])

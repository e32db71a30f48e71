"""How many members every set shares with one set, counted for all of them at once. Pure.

The bits of one integer stand for one member, and say which sets have it. Adding such integers up column by column
gives each set's count in binary: one integer per binary digit ("bit-sliced" counting; Rinfret, O'Neil, O'Neil,
SIGMOD 2001). So a whole base is counted by a few dozen operations on long integers.
"""

from collections.abc import Iterable, Iterator, Sequence


def counted(members: Iterable[int]) -> list[int]:
    """The digits of each column's sum, the lowest first."""
    digits: list[list[int]] = []
    for bits in members:
        _add(digits, 0, bits)
    for place, waiting in enumerate(digits):  # grows while it is walked: a carry may need another digit
        if len(waiting) > 1:
            one, other = waiting
            digits[place] = [one ^ other]
            _add(digits, place + 1, one & other)
    return [waiting[0] if waiting else 0 for waiting in digits]


def _add(digits: list[list[int]], place: int, bits: int) -> None:
    """Up to two integers wait at each place; a third makes a sum, which stays, and a carry (carry-save adder)."""
    while True:
        if place == len(digits):
            digits.append([])
        waiting = digits[place]
        waiting.append(bits)
        if len(waiting) < 3:
            return
        one, other, third = waiting
        both = one ^ other
        digits[place] = [both ^ third]
        bits = (one & other) | (both & third)
        place += 1


class Counts:
    """Counts of many columns, of which ranges are looked at."""

    def __init__(self, members: Iterable[int], size: int) -> None:
        """``size``: in bytes, how long the longest member may be."""
        self._digits = [digit.to_bytes(size, "little") for digit in counted(members)]

    def reaching(self, least: int, first: int, end: int) -> Iterator[tuple[int, int]]:
        """(column, count) of the columns from ``first`` to before ``end`` that count at least ``least``."""
        if least >> len(self._digits):
            return
        digits = [_cut(digit, first, end) for digit in self._digits]
        found = _at_least(digits, least, (1 << end - first) - 1)
        while found:
            place = (found & -found).bit_length() - 1
            found &= found - 1
            yield first + place, sum((digit >> place & 1) << power for power, digit in enumerate(digits))


def _cut(data: bytes, first: int, end: int) -> int:
    """The bits from ``first`` to before ``end``."""
    piece = int.from_bytes(data[first // 8 : (end + 7) // 8], "little") >> first % 8
    return piece & (1 << end - first) - 1


def _at_least(digits: Sequence[int], least: int, every: int) -> int:
    """The columns whose digits make at least ``least``; ``every``: all columns."""
    more, equal = 0, every
    for power in range(len(digits) - 1, -1, -1):
        if least >> power & 1:
            equal &= digits[power]
        else:
            more |= equal & digits[power]
            equal &= ~digits[power]
    return more | equal

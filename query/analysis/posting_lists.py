"""Posting lists of the similarity sets, packed: which sets of one field hold a token.

A set goes by its rank: its place among the non-empty sets of its field, the smaller ones first. So the sets of some
sizes are one range of ranks, and a posting list is a row of bits, of which a range is cut out.

How many members every set shares with one set, counted for all of them at once. Pure.

The bits of one integer stand for one member, and say which sets have it. Adding such integers up column by column
gives each set's count in binary: one integer per binary digit ("bit-sliced" counting; Rinfret, O'Neil, O'Neil,
SIGMOD 2001). So a whole base is counted by a few dozen operations on long integers.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence

#: The first byte tells the form: ranks of four bytes each, little-endian, or deflated bits, the lowest rank first.
_RANKS, _BITS = b"r", b"b"
#: So few ranks are never longer than their bits deflated.
_FEW = 8
_RAW_DEFLATE = -15
_LEVEL = 6


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Four bytes each, little-endian."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def unpack_numbers(packed: bytes) -> tuple[int, ...]:
    """The inverse of ``pack_numbers``."""
    return struct.unpack(f"<{len(packed) // 4}I", packed)


def number_at(packed: bytes, place: int) -> int:
    """One of the packed numbers, by its place from 0."""
    return int.from_bytes(packed[4 * place : 4 * place + 4], "little")


def pack_ranks(ranks: Sequence[int]) -> bytes:
    """Ascending ranks, at least one, in the shorter form."""
    if len(ranks) > _FEW:
        deflated = zlib.compress(_as_bytes(ranks, 0, ranks[-1] // 8 + 1), _LEVEL, wbits=_RAW_DEFLATE)
        if len(deflated) < 4 * len(ranks):
            return _BITS + deflated
    return _RANKS + pack_numbers(ranks)


def bits_of(packed: bytes, begin: int, end: int) -> int:
    """The ranks from 8 x ``begin`` to before 8 x ``end`` as an integer, whose lowest bit is the first of them."""
    if packed[:1] == _BITS:
        return int.from_bytes(zlib.decompress(packed[1:], wbits=_RAW_DEFLATE)[begin:end], "little")
    return int.from_bytes(_as_bytes(unpack_numbers(packed[1:]), begin, end), "little")


def _as_bytes(ranks: Sequence[int], begin: int, end: int) -> bytearray:
    bits = bytearray(end - begin)
    for rank in ranks:
        place = rank // 8
        if begin <= place < end:
            bits[place - begin] |= 1 << rank % 8
    return bits


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

    def units_over_threshold(self, least: int, first: int, end: int) -> Iterator[tuple[int, int]]:
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

"""Packed posting lists: how many tokens a request shares with every unit, counted for all units at once.

**The question.** A request is one set of tokens for each field (title, tags, conclusion). Wanted are all units whose
set in a field is similar enough: ``|A ∩ B| / |A ∪ B| >= t``. A base has up to 100,000 units, and a Chinese character
is in thousands of them, so neither comparing set by set nor merging lists of numbers is fast enough.

**Sets ranked by size.** The non-empty sets of a field are numbered by their size, the smallest first. The number is
the set's rank; table ``nim_set_size`` stores for each size the first rank and the units in rank order. A set B that
reaches the threshold with A cannot be much smaller or larger than A: ``t |A| <= |B| <= |A| / t``, since the
intersection is at most the smaller set and the union at least the larger one. So only one range of ranks is counted.
For sets of one size the threshold is a number of shared tokens: ``|A ∩ B| >= t (|A| + |B|) / (1 + t)``.

**Lists of bits.** The posting list of a token holds the ranks of the sets that contain it, as a row of bits: bit r is
set if set r contains the token. A range of ranks is a slice of this row. In the file a long list is its bits,
deflated (raw deflate, lowest rank first), and a short list is its ranks, at four bytes each. The first byte
is ``b`` or ``r``.

**Counting.** The lists of the request's tokens are long integers. Bit r of their sum, taken column by column, is the
overlap of set r with the request. The sum is kept in binary, as one long integer per binary digit ("bit-sliced"
counting; Rinfret, O'Neil, O'Neil: Bit-sliced index arithmetic, SIGMOD 2001). Rows are added as in a carry-save adder.
At each digit up to two integers wait. A third one is added to them in all columns at once: ``a ^ b ^ c`` stays at the
digit, and the majority ``(a & b) | (c & (a ^ b))`` is carried to the next one. At the end the two integers that still
wait at a digit are added in the same way. So n lists cost about 5n operations on long integers, and the processor
treats 30 columns or more in each step of an operation.

**Comparing.** The columns whose sum is at least k are found from the highest digit down: ``more`` are the columns that
are greater than k in the digits read so far, ``equal`` those that agree with k. Only the sets found are then
read out one by one.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence

_RANKS, _BITS = b"r", b"b"
#: A list of so few ranks is never longer than its bits, deflated.
_FEW = 8
_RAW_DEFLATE = -15
_LEVEL = 6


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Four bytes each, little-endian."""
    return struct.pack(f"<{len(numbers)}I", *numbers)


def unpack_numbers(packed: bytes) -> tuple[int, ...]:
    """The inverse of ``pack_numbers``."""
    return struct.unpack(f"<{len(packed) // 4}I", packed)


def number_at(packed: bytes, position: int) -> int:
    """One of the packed numbers, by its position from 0."""
    return int.from_bytes(packed[4 * position : 4 * position + 4], "little")


def pack_ranks(ranks: Sequence[int]) -> bytes:
    """Ascending ranks, at least one, in the shorter form."""
    if len(ranks) > _FEW:
        deflated = zlib.compress(_as_bytes(ranks, 0, ranks[-1] // 8 + 1), _LEVEL, wbits=_RAW_DEFLATE)
        if len(deflated) < 4 * len(ranks):
            return _BITS + deflated
    return _RANKS + pack_numbers(ranks)


def bits_of(packed: bytes, begin: int, end: int) -> int:
    """The ranks from 8 x ``begin`` to before 8 x ``end`` as an integer, whose lowest bit is the first of them.

    Raises:
        ValueError: the list is damaged.
        struct.error: a list of ranks is cut short.
    """
    if packed[:1] != _BITS:
        return int.from_bytes(_as_bytes(unpack_numbers(packed[1:]), begin, end), "little")
    return int.from_bytes(_inflate(packed[1:], end)[begin:end], "little") if end else 0


def _inflate(deflated: bytes, size: int) -> bytes:
    """The first ``size`` bytes, or all if there are fewer. A damaged list cannot make it return more."""
    stream = zlib.decompressobj(wbits=_RAW_DEFLATE)
    try:
        data = stream.decompress(deflated, size)
    except zlib.error as error:
        raise ValueError(f"a damaged posting list: {error}") from error
    if len(data) < size and not stream.eof:
        raise ValueError("a damaged posting list: it is cut short")
    return data


def _as_bytes(ranks: Sequence[int], begin: int, end: int) -> bytearray:
    bits = bytearray(end - begin)
    for rank in ranks:
        if begin <= rank // 8 < end:
            bits[rank // 8 - begin] |= 1 << rank % 8
    return bits


def column_sums(rows: Iterable[int]) -> list[int]:
    """How many rows have each bit set, as one integer per binary digit of the sums, the lowest digit first."""
    waiting: list[list[int]] = []
    for row in rows:
        _add(waiting, 0, row)
    for digit, integers in enumerate(waiting):  # grows while it is read: a carry may need another digit
        if len(integers) == 2:
            one, other = integers
            waiting[digit] = [one ^ other]
            _add(waiting, digit + 1, one & other)
    return [integers[0] if integers else 0 for integers in waiting]


def _add(waiting: list[list[int]], digit: int, row: int) -> None:
    """Add a row at a digit: it waits there, or, as the third one, becomes a sum, which stays, and a carry."""
    while True:
        if digit == len(waiting):
            waiting.append([])
        integers = waiting[digit]
        integers.append(row)
        if len(integers) < 3:
            return
        one, other, third = integers
        difference = one ^ other
        waiting[digit] = [difference ^ third]
        row = (one & other) | (difference & third)
        digit += 1


class Counts:
    """The sums of many columns, read one range of columns at a time."""

    def __init__(self, rows: Iterable[int], size: int) -> None:
        """``size``: the length of the longest row in bytes."""
        self._digits = [digit.to_bytes(size, "little") for digit in column_sums(rows)]

    def units_over_threshold(self, least: int, first: int, end: int) -> Iterator[tuple[int, int]]:
        """(column, sum) of the columns from ``first`` to before ``end`` whose sum is at least ``least``."""
        if least >> len(self._digits):
            return
        digits = [_slice(digit, first, end) for digit in self._digits]
        found = _at_least(digits, least, (1 << end - first) - 1)
        while found:
            column = (found & -found).bit_length() - 1
            found &= found - 1
            yield first + column, sum((digit >> column & 1) << power for power, digit in enumerate(digits))


def _slice(data: bytes, first: int, end: int) -> int:
    """The bits from ``first`` to before ``end``."""
    piece = int.from_bytes(data[first // 8 : (end + 7) // 8], "little") >> first % 8
    return piece & (1 << end - first) - 1


def _at_least(digits: Sequence[int], least: int, every: int) -> int:
    """The columns whose sum is at least ``least``; ``every`` has the bit of each column set."""
    more, equal = 0, every
    for power in range(len(digits) - 1, -1, -1):
        if least >> power & 1:
            equal &= digits[power]
        else:
            more |= equal & digits[power]
            equal &= ~digits[power]
    return more | equal

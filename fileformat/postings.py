"""Posting lists of the similarity sets, packed: which sets of one field hold a token.

A set goes by its rank: its place among the non-empty sets of its field, the smaller ones first. So the sets of some
sizes are one range of ranks, and a posting list is a row of bits, of which a range is cut out.
"""

import struct
import zlib
from collections.abc import Sequence

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

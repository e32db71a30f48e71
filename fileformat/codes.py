"""Error codes as they are written: in a table's cell, in prose, in a query (decisions-trtc 27-30)."""

import re
import unicodedata
from typing import NamedTuple

_NUMBER = re.compile(r"-?[0-9]+")
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]+")
_SYMBOL = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z][A-Za-z]+(?:Error|Exception)")
_CODE = re.compile(r"-?[0-9]{3,}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_CELL_SEPARATORS = re.compile(r"[~/、,，;；或至到和]|\s+")
# Codes side by side, not dates: 60004-60005, -2101~-2108, 403/404.
RANGE = re.compile(r"(?<![\w./-])-?[0-9]{3,}(?:[-~]-?[0-9]{3,}|(?:/-?[0-9]{3,})+)(?![\w/-]|\.[0-9])", re.ASCII)


class Mention(NamedTuple):
    """A number in free text.

    ``code`` is its text with the sign; ``signed`` says whether a minus was written; ``is_code`` whether it
    can be an error code at all; ``named`` whether its surroundings call it one.
    """

    code: str
    signed: bool
    is_code: bool
    named: bool
    start: int
    end: int


def parse_code_cell(cell: str) -> tuple[str, ...]:
    """The codes of a table's first cell: ```-1002```, ```60004`~`60005```, ``ERR_X``; empty if it is no code."""
    text = re.sub(r"[`*]", " ", unicodedata.normalize("NFKC", cell).replace("−", "-"))
    text = RANGE.sub(lambda match: " ".join(re.findall(r"(?:^|(?<=[-~/]))-?[0-9]+", match[0])), text)
    pieces = [piece for piece in _CELL_SEPARATORS.split(text) if piece]
    codes = [code for piece in pieces for code in _code_in_cell(piece)]
    return tuple(dict.fromkeys(codes)) if len(codes) == len(pieces) else ()


def is_code(keyword: str) -> bool:
    """Whether a keyword is one error code: a number of at least three digits, with its sign, or a symbolic name."""
    return bool(_CODE.fullmatch(keyword))


def _code_in_cell(piece: str) -> tuple[str, ...]:
    if _HEXADECIMAL.fullmatch(piece):
        return (str(int(piece, 16)),)
    return (piece,) if _NUMBER.fullmatch(piece) or _SYMBOL.fullmatch(piece) else ()


def symbols(text: str) -> tuple[str, ...]:
    """Symbolic codes in free text, upper-cased: ``ERR_NEED_PASSWORD``, also when typed in lower case."""
    found = re.findall(
        r"(?<![A-Za-z0-9_])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Z][A-Za-z]+(?:Error|Exception)(?![A-Za-z0-9_]))",
        text,
    )
    return tuple(dict.fromkeys(name.upper() for name in found))


def mentions(text: str) -> tuple[Mention, ...]:
    """Every whole number in ``text`` (already normalised), with what its surroundings make of it."""
    if not any(map(str.isdigit, text)):
        return ()
    from fileformat.code_context import read_mentions  # noqa: PLC0415  # most queries have no number to judge

    return read_mentions(text)

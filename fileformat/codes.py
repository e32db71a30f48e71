"""Error codes as they are written: in a table's cell, in prose, in a query (decisions-trtc 27-30)."""

import re
import unicodedata
from dataclasses import dataclass

_NUMBER = re.compile(r"-?\d+")
_SYMBOL = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z][A-Za-z]+(?:Error|Exception)")
_CELL_SEPARATORS = re.compile(r"[~/、,，;；或至]|\s+")

_ANY_NUMBER = re.compile(
    r"(?P<hex>(?<![A-Za-z0-9_.])0[xX][0-9a-fA-F]+(?![A-Za-z0-9_]))"
    r"|(?P<digits>\d+)"
)
_NAMES_A_CODE = re.compile(
    r"(?:错误码|错误|错误代码|状态码|返回码|返回值|返回|报错?|错|代码|码|aexc|err(?:or)?(?:[-_ ]?(?:code|no))?|code|status)"
    r"\s*(?:[是为=:：(（\[\"'`]|\s)*$",
    re.IGNORECASE,
)
_CALLED_A_CODE = re.compile(r"\s*(?:是什么|这个|的)?\s*(?:错误|报错|error|错)", re.IGNORECASE)
_NAMES_ANOTHER_THING = re.compile(
    r"(?:房间号?|房号|room ?(?:id|no)?|[a-z]*uid|user ?id|app ?id|sdk ?app ?id|应用 ?id|id|port|端口号?|手机号?|电话|qq|"
    r"群号?|群 ?id|版本号?|version|ver|ios|android|安卓|鸿蒙|win(?:dows)?|mac ?os|chrome|vue|react|第|v)"
    r"\s*(?:[是为=:：#(（\"'`]|\s)*$",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\s*(?:个|人|次|秒|分钟|分半|小时|天|周|月|年|日|号|条|位|路|台|岁|元|块|倍|名|款|种|张|页|行|点|字|层|端|万|千|百|"
    r"%|％|ms|fps|kbps|[kmg]b?(?![a-z])|s(?![a-z])|px|p(?![a-z])|v\d)",
    re.IGNORECASE,
)
_PHONE = re.compile(r"1[3-9]\d{9}")


@dataclass(frozen=True, slots=True)
class Mention:
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
    text = unicodedata.normalize("NFKC", cell).replace("−", "-").replace("`", " ")
    pieces = [piece for piece in _CELL_SEPARATORS.split(text) if piece]
    wanted = [piece for piece in pieces if _NUMBER.fullmatch(piece) or _SYMBOL.fullmatch(piece)]
    return tuple(dict.fromkeys(wanted)) if len(wanted) == len(pieces) else ()


def symbols(text: str) -> tuple[str, ...]:
    """Symbolic codes in free text, upper-cased: ``ERR_NEED_PASSWORD``, also when typed in lower case."""
    found = re.findall(
        r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Z][A-Za-z]+(?:Error|Exception)", text
    )
    return tuple(dict.fromkeys(name.upper() for name in found))


def mentions(text: str) -> tuple[Mention, ...]:
    """Every whole number in ``text`` (already normalised), with what its surroundings make of it."""
    return tuple(_mention(text, match.start(), match.end(), match["hex"] or "") for match in _ANY_NUMBER.finditer(text))


def _mention(text: str, start: int, end: int, hexadecimal: str) -> Mention:
    digits = str(int(hexadecimal, 16)) if hexadecimal else text[start:end]
    signed = not hexadecimal and _has_sign(text, start)
    before = text[max(0, start - signed - 24) : start - signed]
    named = bool(_NAMES_A_CODE.search(before) or _CALLED_A_CODE.match(text, end))
    is_code = (
        not _is_part_of_more(text, start - signed, end, named)
        and not (_NAMES_ANOTHER_THING.search(before) and not named)
        and not (_COUNTED.match(text, end) and not signed)
        and not (_PHONE.fullmatch(digits) and not signed)
    )
    return Mention(("-" if signed else "") + digits, signed, is_code, named, start - signed, end)


def _has_sign(text: str, start: int) -> bool:
    """A hyphen directly before is a minus sign unless it joins the number to a Latin word or another number."""
    if start == 0 or text[start - 1] != "-":
        return False
    before = text[: start - 1]
    return not before or not (before[-1].isascii() and before[-1].isalnum()) or bool(_NAMES_A_CODE.search(before))


def _is_part_of_more(text: str, start: int, end: int, named: bool) -> bool:
    """Part of a longer number, a version, a date, a time, an identifier, a path."""
    before, after = text[start - 1 : start], text[end : end + 1]
    joined_before = bool(before) and (before in "_./\\-:$@#" or (before.isascii() and before.isalnum()))
    if joined_before and before == ":" and not text[max(0, start - 2) : start - 1].isdigit():
        joined_before = False
    if joined_before and named:
        joined_before = before in "._" or before.isdigit()
    if not joined_before and after and after in "._:/\\-":
        return text[end + 1 : end + 2].isalnum() and not _is_range(text, end)
    return joined_before or (bool(after) and ((after.isascii() and after.isalnum()) or after == "_"))


def _is_range(text: str, end: int) -> bool:
    """``60004-60005``: two codes of the same length, not a date."""
    left = re.search(r"\d+$", text[:end])
    right = re.match(r"-(\d+)(?![\d.-])", text[end:])
    return bool(left and right and len(left[0]) == len(right[1]) >= 3)

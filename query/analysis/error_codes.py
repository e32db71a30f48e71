"""Error codes as they are written: in a table's cell, in prose, in a query (decisions-trtc 27-30).

What the surroundings of a number make of it: an error code, or part of something else (decision 27).
"""

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

    return read_mentions(text)


_ANY_NUMBER = re.compile(r"(?P<hex>(?<![A-Za-z0-9_.])0[xX][0-9a-fA-F]+(?![A-Za-z0-9_]))|(?P<digits>[0-9]+)")
_NAMES_A_CODE = re.compile(
    r"(?:错误|返回值?|报错?|错|错误编?号|代码|(?<![证密编解转请维条形流号源扫授权别换活验间])码|"
    r"(?<![a-z])(?:aexc|status|err(?:or)?(?:[-_ ]?(?:code|no))?|(?:ret|result|return|status|biz|sdk)[-_ ]?code|"
    r"(?<!qr )(?<!zip )(?<!promo )(?<!invite )(?<!coupon )(?<!source )code))"
    r"\s*(?:[是为=:：(（\[\"'`]|\s)*$",
    re.IGNORECASE,
)
_CALLED_A_CODE = re.compile(r"\s*(?:是什么|这个|的)?\s*(?:错误|报错|error|错)", re.IGNORECASE)
_NAMES_ANOTHER_THING = re.compile(
    r"(?:号|号码|手机|电话|端口|版本|安卓|鸿蒙|第|(?:验证|密|邀请|授权|激活|兑换|推流|校验|识别|房间|二维|优惠)码|version|"
    r"(?:qr|zip|promo|invite|coupon|postal|area|country|code review) ?(?:code)?|"
    r"(?<!val)(?<!vo)id|"
    r"(?<![a-z])(?:room(?: ?no)?|qq|port|ver|ios|android|win(?:dows)?|mac ?os|harmony ?os|chrome|vue|react|v))"
    r"\s*(?:[是为=:：#(（\"'`]|\s)*$",
    re.IGNORECASE,
)
# A counter word, not the beginning of another one: 414点击, 500页面, 403日志.
_COUNTED = re.compile(
    r"\s*(?:个(?!别)|人|次(?!数)|毫秒|秒|帧(?!率)|兆|度|分钟|分半|小时|天|周|月|年|日(?!志)|号|条(?!件)|位(?!置)|路(?!径|由)|台|岁|元(?!素)|"
    r"块|倍|名(?!称|字)|款|种|张|页(?!面)|行(?!不行|为|吗)|点(?!击|开|了)|字(?!段)|层|端|万|千|百|"
    r"%|％|ms|fps|kbps|[kmg]b?(?![a-z])|s(?![a-z])|px|p(?![a-z])|v\d)",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")
_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://|www\.)[!-~]+", re.IGNORECASE)
#: No code is longer; phone numbers, order numbers and milliseconds are.
_MOST_DIGITS = 10


def read_mentions(text: str) -> tuple[Mention, ...]:
    """Every whole number in ``text`` (already normalised), with what its surroundings make of it."""
    urls = [match.span() for match in _URL.finditer(text)]
    ranges = [match.span() for match in RANGE.finditer(text) if _is_of_codes(match[0])]
    return tuple(
        _mention(text, match, _is_in(match.start(), urls), _is_in(match.start(), ranges))
        for match in _ANY_NUMBER.finditer(text)
    )


def _is_in(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _is_of_codes(written: str) -> bool:
    """End points of the same length: 60004-60005, but not 2024-05."""
    return len({len(digits) for digits in re.findall(r"[0-9]+", written)}) == 1


def _mention(text: str, match: re.Match[str], in_url: bool, in_range: bool) -> Mention:
    start, end = match.span()
    digits = str(int(match["hex"], 16)) if match["hex"] else match[0]
    signed = not match["hex"] and _has_sign(text, start)
    before = text[max(0, start - signed - 24) : start - signed]
    named = bool(_NAMES_A_CODE.search(before) or _CALLED_A_CODE.match(text, end))
    is_code = (
        len(digits) <= _MOST_DIGITS
        and not in_url
        and (in_range or not _is_part_of_more(text, start - signed, end, named))
        and (named or not (_NAMES_ANOTHER_THING.search(before) or (_DATE.fullmatch(digits) and not signed)))
        and not (_COUNTED.match(text, end) and not signed)
    )
    return Mention(("-" if signed else "") + digits, signed, is_code, named, start - signed, end)


def _has_sign(text: str, start: int) -> bool:
    """A hyphen directly before is a minus sign unless it joins the number to a Latin word or another number."""
    if start == 0 or text[start - 1] != "-":
        return False
    before = text[: start - 1]
    return not before or not _is_latin(before[-1]) or bool(_NAMES_A_CODE.search(before[-24:]))


def _is_part_of_more(text: str, start: int, end: int, named: bool) -> bool:
    """Part of a longer number, a version, a date, a time, an identifier, a path."""
    return _is_joined_before(text, start, named) or _is_joined_after(text, end, named)


def _is_joined_before(text: str, start: int, named: bool) -> bool:
    last, rest = text[start - 1 : start], text[max(0, start - 2) : max(0, start - 1)]
    if not last:
        return False
    if last in "._" or last.isdigit():
        return True
    if last == ":":
        return rest.isdigit()
    return not named and (last in "\\$@#+" or _is_latin(last) or (last in "/-" and (not rest or rest.isascii())))


def _is_joined_after(text: str, end: int, named: bool) -> bool:
    """Han text goes on after a colon or a full stop (414：参数错误); only digits and Latin letters join."""
    first, rest = text[end : end + 1], text[end + 1 : end + 2]
    if first == "_" or _is_latin(first):
        return True
    if first == ":":
        return rest.isdigit()
    return first in {".", "/", "\\", "-", "@"} and (rest.isdigit() or (not named and _is_latin(rest)))


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()

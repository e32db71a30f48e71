"""Error codes as they are written: in the first cell of a table, in prose, in a query.

What a code is: docs/decisions/trtc.md#what-is-a-code. The text around a number decides whether it is an error code,
or a version, a count, a room number or another number.
"""

import re
import unicodedata
from typing import NamedTuple

# Plain texts: ``re`` compiles and keeps each on first use, and most queries need none of them.
_CELL_CODE = r"-?[0-9]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z][A-Za-z]+(?:Error|Exception)"
_HEXADECIMAL = r"0[xX][0-9a-fA-F]+"
_CELL_SEPARATORS = r"[~/、,，;；或至到和]|\s+"
_KEYWORD_CODE = r"-?[0-9]{3,}|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
_SYMBOL = (
    r"(?<![A-Za-z0-9_])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Z][A-Za-z]+(?:Error|Exception)(?![A-Za-z0-9_]))"
)
# Codes side by side, not dates: 60004-60005, -2101~-2108, 403/404.
_RANGE = r"(?a)(?<![\w./-])-?[0-9]{3,}(?:[-~]-?[0-9]{3,}|(?:/-?[0-9]{3,})+)(?![\w/-]|\.[0-9])"
_NUMBER = r"(?P<hex>(?<![A-Za-z0-9_.])0[xX][0-9a-fA-F]+(?![A-Za-z0-9_]))|(?P<digits>[0-9]+)"
# Words before a number.
_NAMES_A_CODE = (
    r"(?i)(?:错误|返回值?|报错?|错|错误编?号|代码|(?<![证密编解转请维条形流号源扫授权别换活验间])码|"
    r"(?<![a-z])(?:aexc|status|err(?:or)?(?:[-_ ]?(?:code|no))?|(?:ret|result|return|status|biz|sdk)[-_ ]?code|"
    r"(?<!qr )(?<!zip )(?<!promo )(?<!invite )(?<!coupon )(?<!source )code))"
    r"\s*(?:[是为=:：(（\[\"'`]|\s)*$"
)
_NAMES_ANOTHER_THING = (
    r"(?i)(?:号|号码|手机|电话|端口|版本|安卓|鸿蒙|第|(?:验证|密|邀请|授权|激活|兑换|推流|校验|识别|房间|二维|优惠)码|version|"
    r"(?:qr|zip|promo|invite|coupon|postal|area|country|code review) ?(?:code)?|"
    r"(?<!val)(?<!vo)id|"
    r"(?<![a-z])(?:room(?: ?no)?|qq|port|ver|ios|android|win(?:dows)?|mac ?os|harmony ?os|chrome|vue|react|v))"
    r"\s*(?:[是为=:：#(（\"'`]|\s)*$"
)
# Words behind a number.
_CALLED_A_CODE = r"(?i)\s*(?:是什么|这个|的)?\s*(?:错误|报错|error|错)"
# A counter word, not the beginning of another one: 414点击, 500页面, 403日志.
_COUNTED = (
    r"(?i)\s*(?:个(?!别)|人|次(?!数)|毫秒|秒|帧(?!率)|兆|度|分钟|分半|小时|天|周|月|年|日(?!志)|号|条(?!件)|位(?!置)|路(?!径|由)|台|岁|元(?!素)|"
    r"块|倍|名(?!称|字)|款|种|张|页(?!面)|行(?!不行|为|吗)|点(?!击|开|了)|字(?!段)|层|端|万|千|百|"
    r"%|％|ms|fps|kbps|[kmg]b?(?![a-z])|s(?![a-z])|px|p(?![a-z])|v\d)"
)
_DATE = r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_URL = r"(?i)(?:[a-z][a-z0-9+.-]*://|www\.)[!-~]+"
#: No code is longer. Phone numbers, order numbers and milliseconds are.
_MAX_DIGITS = 10
#: The words that decide are directly before a number: so many characters are read.
_CHARACTERS_BEFORE = 24


class Mention(NamedTuple):
    """A number in free text.

    ``code`` is its text with the sign, ``signed`` whether it has a minus sign, ``is_code`` whether it can be an error
    code, and ``named`` whether the text around it calls it one. ``start`` and ``end`` are offsets, sign included.
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
    text = re.sub(_RANGE, lambda match: " ".join(re.findall(r"(?:^|(?<=[-~/]))-?[0-9]+", match[0])), text)
    pieces = [piece for piece in re.split(_CELL_SEPARATORS, text) if piece]
    if not all(re.fullmatch(_HEXADECIMAL, piece) or re.fullmatch(_CELL_CODE, piece) for piece in pieces):
        return ()
    return tuple(dict.fromkeys(str(int(p, 16)) if re.fullmatch(_HEXADECIMAL, p) else p for p in pieces))


def is_code(keyword: str) -> bool:
    """Whether a keyword is one error code: a number of at least three digits, with its sign, or a symbolic name."""
    return bool(re.fullmatch(_KEYWORD_CODE, keyword))


def symbols(text: str) -> tuple[str, ...]:
    """The symbolic codes in free text, in upper case: ``ERR_NEED_PASSWORD``, also if typed in lower case."""
    return tuple(dict.fromkeys(name.upper() for name in re.findall(_SYMBOL, text)))


def mentions(text: str) -> tuple[Mention, ...]:
    """Every whole number in a normalized text, with what the text around it makes of it."""
    if not any(map(str.isdigit, text)):
        return ()
    urls = [match.span() for match in re.finditer(_URL, text)]
    ranges = [match.span() for match in re.finditer(_RANGE, text) if _has_equal_lengths(match[0])]
    return tuple(
        _mention(text, match, _is_within(match.start(), urls), _is_within(match.start(), ranges))
        for match in re.finditer(_NUMBER, text)
    )


def _is_within(offset: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)


def _has_equal_lengths(numbers: str) -> bool:
    """The ends of a range of codes have equally many digits: 60004-60005, but not 2024-05."""
    return len(set(map(len, re.findall(r"[0-9]+", numbers)))) == 1


def _mention(text: str, match: re.Match[str], in_url: bool, in_range: bool) -> Mention:
    start, end = match.span()
    digits = str(int(match["hex"], 16)) if match["hex"] else match[0]
    signed = not match["hex"] and _has_sign(text, start)
    before = text[max(0, start - signed - _CHARACTERS_BEFORE) : start - signed]
    named = bool(re.search(_NAMES_A_CODE, before) or re.compile(_CALLED_A_CODE).match(text, end))
    is_code = (
        len(digits) <= _MAX_DIGITS
        and not in_url
        and (in_range or not _is_part_of_more(text, start - signed, end, named))
        and (named or not (re.search(_NAMES_ANOTHER_THING, before) or (re.fullmatch(_DATE, digits) and not signed)))
        and not (re.compile(_COUNTED).match(text, end) and not signed)
    )
    return Mention(("-" if signed else "") + digits, signed, is_code, named, start - signed, end)


def _has_sign(text: str, start: int) -> bool:
    """A hyphen directly before is a minus sign unless it joins the number to a Latin word or another number."""
    if start == 0 or text[start - 1] != "-":
        return False
    before = text[: start - 1]
    return not before or not _is_latin(before[-1]) or bool(re.search(_NAMES_A_CODE, before[-_CHARACTERS_BEFORE:]))


def _is_part_of_more(text: str, start: int, end: int, named: bool) -> bool:
    """Whether it is part of a longer number, a version, a date, a time, an identifier or a path."""
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

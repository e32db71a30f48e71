"""Recognises placeholders, template lines, platforms and useless titles; the phrases are in data files."""

import re
from collections.abc import Iterable
from functools import cache

from indexer.data import load_nim_products, load_placeholders, load_platforms
from indexer.reading.front_matter_recovery import parse_list
from query.analysis.tokens import WRAPPING, bare_phrase

#: The platform of a case that names none.
GENERIC = "通用"

_SEPARATORS = re.compile(r"\s*[/／、,，&+|｜;；]\s*|\s+")
_LABELLED = r"^[ \t]*(?:[-*•][ \t]+|\d+[.、][ \t]*)?(?:\*{0,2}[^：:（(*\n]{1,20}\*{0,2}[：:]\*{0,2}[ \t]*)?"
_FORM_LINE = re.compile(r"^[ \t]*[-*•][ \t]+([^：:\n]{1,20})[：:][ \t]*(.*?)[ \t]*$", re.MULTILINE)
_NOT_LETTERS = re.compile(r"\W+")
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+(?=\n)")
_SENTENCE_END = re.compile(r"[。！？!?；\n]")
_MENTION = re.compile(r"(?<![A-Za-z0-9._-])@(?!所有人|all\b)[\w\-.·()（）]{1,20}(?=\s|$)[ \t]*")
_STEM_MARKS = re.compile(r"^(?:排查|咨询)类?[-_ ]+|__(?:from_downloads|reclassified)$")
_BULLET = re.compile(r"^[ \t]*(?:[-*•]+|\d+[.、)])[ \t]*", re.MULTILINE)
_BETWEEN_NAMES = re.compile(r"[\n,，、;；]")
_MERGED_FROM = re.compile(r"来源[:：]\s*(\[[^\]\n]*\]|[^\n，,。）)]+)")


def is_placeholder(text: str) -> bool:
    """Whether a text counts as empty, such as 详见聊天记录 (docs/decisions/nim.md#placeholders)."""
    return not text or (len(text) < 40 and bare_phrase(text) in _phrases("answers"))


def points_to_body(text: str) -> bool:
    """Whether a field only refers to the body of its page: 详见正文."""
    return len(text) < 40 and bare_phrase(text) in _phrases("see_body")


def placeholder_phrases() -> frozenset[str]:
    """Every phrase that counts as empty, in the form of ``bare_phrase``."""
    return _phrases("answers")


@cache
def _phrases(name: str) -> frozenset[str]:
    """The phrases of one list of ``Placeholders``, in the form of ``bare_phrase``, and the empty phrase."""
    return frozenset({*map(bare_phrase, getattr(load_placeholders(), name)), ""})


def without_templates(text: str) -> str:
    """The text without the lines of the authors' template; all other lines stay as they are."""
    if "（" in text or "(" in text:
        text = _template_line().sub("", text)
    return (_BLANK_LINES.sub("\n", text) if "\n\n\n" in text else text).strip()


def without_form_lines(text: str) -> str:
    """The text of 环境信息 without items that are empty, and without the platform, which is a field of the case."""
    return _FORM_LINE.sub(_form_line, text).strip()


def _form_line(match: re.Match[str]) -> str:
    is_redundant = not match[2] or (match[1] == "平台" and platforms_of(match[2]))
    return "" if is_redundant else match[0]


@cache
def _template_line() -> re.Pattern[str]:
    words = load_placeholders()
    whole = "|".join(map(re.escape, words.template_lines))
    opening = "|".join(map(re.escape, words.template_openings))
    return re.compile(rf"{_LABELLED}[（(](?:(?:{whole})|(?:{opening})[^\n]*)[）)][ \t]*$\n?", re.MULTILINE)


@cache
def platforms_of(raw: str) -> tuple[str, ...]:
    """The canonical names in a platform field: ``安卓`` is Android, ``iOS/Android`` is both.

    Empty if it names no platform, such as a file name. See docs/decisions/nim.md#platforms.
    """
    known = _platform_names()
    whole = known.get(_squeezed(raw))
    if whole is not None:
        return (whole,)
    pieces = [known.get(_squeezed(piece)) for piece in _SEPARATORS.split(raw)]
    if not any(pieces):
        pieces = [known.get(_squeezed(piece)) for piece in raw.split("-")]
    return tuple(dict.fromkeys(name for name in pieces if name is not None))


@cache
def _platform_names() -> dict[str, str]:
    table = load_platforms()
    return {_squeezed(alias): name for name, aliases in table.items() for alias in (name, *aliases)}


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def platform_of(fields: Iterable[str], folders: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """The platform as it is written and its canonical names: of the first field, else of a folder, else 通用.

    A field that is empty, ``--`` or a file name is skipped.
    """
    for raw in fields:
        if raw.strip("- ") and not raw.endswith(".md"):
            return raw, platforms_of(raw) or (GENERIC,)
    for folder in folders:
        names = platforms_of(folder)
        if names and folder.strip("- "):
            return folder, names
    return GENERIC, (GENERIC,)


def display_title(title: str, description: str, stem: str) -> str:
    """The title; if it is useless, the first sentence of the question, else the name of the file.

    See docs/decisions/nim.md#useless-titles.
    """
    if title and not is_useless_title(title):
        return title
    question = _MENTION.sub("", _after_headers(description)).strip()
    sentence = _SENTENCE_END.split(question, maxsplit=1)[0].strip()
    return sentence or _STEM_MARKS.sub("", stem) or title or stem


def is_useless_title(title: str) -> bool:
    """Whether a title is empty, or 技术咨询, 问题 and the like, also after the name of a product or a platform."""
    useless = _phrases("useless_titles")
    phrase = bare_phrase(title)
    return phrase in useless or _title_prefix().sub("", phrase).strip(WRAPPING + "-") in useless


@cache
def _title_prefix() -> re.Pattern[str]:
    names = {name for product in load_nim_products() for name in (product.name, *product.aliases, *product.folders)}
    names.update(name for platform, aliases in load_platforms().items() for name in (platform, *aliases))
    longest_first = sorted((name.casefold() for name in names if name.strip("-")), key=lambda n: (-len(n), n))
    return re.compile(rf"^(?:{'|'.join(map(re.escape, longest_first))})\s*")


def _after_headers(description: str) -> str:
    rest = _description_header().sub("", description)
    return rest if rest.strip() else description


@cache
def _description_header() -> re.Pattern[str]:
    names = "|".join(map(re.escape, load_placeholders().description_headers))
    field = rf"[【\[*\-\s]*(?:{names})[】\]*]*\s*[:：][ \t]*[^\s，,；;|｜]*[\s，,；;|｜]*"
    return re.compile(rf"^(?:{field})+(?:[【\[*]*(?:问题描述|问题|描述|内容|咨询内容)[】\]*]*\s*[:：]\s*)?")


def merged_customers(text: str) -> tuple[str, ...]:
    """The customers that the lines of 其他触发场景 name after 来源."""
    found: dict[str, None] = {}
    for raw in _MERGED_FROM.findall(text):
        names = parse_list(raw) if raw.startswith("[") else [raw.strip(" `'\"*")]
        found.update(dict.fromkeys(name for name in names if name and "{" not in name))
    return tuple(found)


def listed_customers(text: str) -> tuple[str, ...]:
    """The names in a section 客户: one on each line, with or without a bullet, or several divided by commas."""
    names = (name.strip(" \t`'\"*[]") for name in _BETWEEN_NAMES.split(_BULLET.sub("", text)))
    return tuple(dict.fromkeys(name for name in names if not is_placeholder(name)))


def better(first: str, second: str) -> tuple[str, str]:
    """The better of two texts for one field, and the other if it adds text, else an empty text.

    Any text is better than a placeholder; of two others the longer one is better.
    """
    if is_placeholder(first) or is_placeholder(second):
        return (second, "") if is_placeholder(first) and second else (first, "")
    best, other = (first, second) if len(first) >= len(second) else (second, first)
    return best, other if adds_text(other, best) else ""


def adds_text(text: str, to: str) -> bool:
    """Whether ``text`` is no placeholder and not contained in ``to``, spaces and punctuation aside."""
    return not is_placeholder(text) and _NOT_LETTERS.sub("", text) not in _NOT_LETTERS.sub("", to)

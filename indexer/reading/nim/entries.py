"""Splits a NIM page into its entries: the attributes of each entry comment, and the text up to the next one."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from indexer.reading.front_matter import Repair
from indexer.reading.front_matter_recovery import parse_list, unquote
from indexer.reading.nim.sections import split_flattened

_KEYS = (
    "platform|created|updated|customers|source|frequency|tags|troubleshooting|root_cause|solution"
    "|title|product|feature|sub_type|track_type"
)
_OPENING = r"<!--[ \t]*entry\b[ \t]*[:：]?"
_AT_LINE_START = re.compile(rf"^[ \t]{{0,3}}{_OPENING}", re.MULTILINE)
_ANYWHERE = re.compile(_OPENING)
# Up to the arrow that closes the comment. An arrow inside quotes does not close it.
_CLOSED = re.compile(r"(?P<attributes>(?:\"(?:[^\"\\\n]|\\.)*\"|[^\"])*?)-->")
_END_OF_COMMENT = re.compile(r"\n\s*\n|\n[ \t]*(?:#|<!--|\*\*)")
_LIST = r"\[(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[^\]\"'])*\]"
_ATTRIBUTE = re.compile(
    rf"(?:^|,)\s*(?P<key>{_KEYS})[ \t]*=[ \t]*"
    rf"(?P<value>\"(?:[^\"\\]|\\.)*\"|{_LIST}|.*?)\s*(?=,\s*(?:{_KEYS})[ \t]*=|,?\s*\Z)",
    re.DOTALL,
)
_OPEN_DESCRIPTION = re.compile(r"\*\*问题描述(?:[:：]\*\*|\*\*[ \t]*[:：]?)\s*\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: the position and the attributes of its comment, and the text below it.

    ``ordinal`` counts every comment at the start of a line, nested ones included, so that a plain pattern finds the
    same numbers. ``outer_text`` is the text between an entry's own comment and one nested in its description.
    """

    ordinal: int
    line: int
    attributes: Mapping[str, str]
    text: str
    outer_text: str = ""
    repairs: tuple[Repair, ...] = ()

    def text_of(self, key: str) -> str:
        """An attribute as text, without quotes."""
        return unquote(self.attributes.get(key, "")).strip()

    def list_of(self, key: str) -> tuple[str, ...]:
        """An attribute as a list: of JSON or of Python; a bare name is a list of one."""
        raw = self.attributes.get(key, "")
        names = parse_list(raw) if raw.startswith("[") else [unquote(raw).strip()]
        return tuple(dict.fromkeys(name for name in names if name))


def has_entries(body: str) -> bool:
    """Whether an entry comment stands at the start of a line."""
    return _AT_LINE_START.search(body) is not None


def read_entries(body: str, first_line: int = 1) -> Iterator[Entry]:
    """The entries of a page. A comment inside another entry's description does not begin an entry."""
    starts = [match.start() for match in _AT_LINE_START.finditer(body)]
    outer = [
        (ordinal, start)
        for ordinal, start in enumerate(starts, 1)
        if ordinal == 1 or not _is_nested(body, starts[ordinal - 2], start)
    ]
    line, counted = first_line, 0
    for (ordinal, start), end in zip(outer, [*(start for _, start in outer[1:]), len(body)], strict=True):
        line, counted = line + body.count("\n", counted, start), start
        yield _entry(body[start:end], ordinal, line)


def _is_nested(body: str, previous: int, start: int) -> bool:
    return _OPEN_DESCRIPTION.search(body[max(previous, start - 40) : start]) is not None


def _entry(chunk: str, ordinal: int, line: int) -> Entry:
    """The entry of one chunk; the attributes and text of a nested comment replace the outer ones."""
    attributes, text, problem = _comment(chunk)
    repairs: list[Repair] = [(line, "entry-comment", problem)] if problem else []
    inner = _ANYWHERE.search(text)
    if inner is None or not _OPEN_DESCRIPTION.search(text[: inner.start()]):
        return Entry(ordinal, line, attributes, text, repairs=tuple(repairs))
    inner_attributes, inner_text, inner_problem = _comment(text[inner.start() :])
    inner_line = line + chunk.count("\n") - text.count("\n", inner.start())
    repairs.append((inner_line, "nested-entry", "an entry comment inside a description; its fields are used"))
    if inner_problem:
        repairs.append((inner_line, "entry-comment", inner_problem))
    merged = {
        **attributes,
        **{key: value for key, value in inner_attributes.items() if value not in {"", "[]"}},
    }
    head, _, rest = inner_text.lstrip().partition("\n")
    return Entry(ordinal, line, merged, f"{split_flattened(head)}\n{rest}", text[: inner.start()], tuple(repairs))


def _comment(chunk: str) -> tuple[Mapping[str, str], str, str]:
    """The attributes of the comment at the start of ``chunk``, the text after it, and its fault or an empty text."""
    opening = _ANYWHERE.search(chunk)
    start = opening.end() if opening else 0
    stop = _END_OF_COMMENT.search(chunk, start)
    limit = stop.start() if stop else len(chunk)
    closed = _CLOSED.match(chunk, start, limit)
    if closed is not None:
        return _attributes(closed["attributes"]), chunk[closed.end() :], ""
    arrow = chunk.find("-->", start, limit)
    if arrow >= 0:
        return _attributes(chunk[start:arrow]), chunk[arrow + 3 :], "a quote in the comment is not closed"
    end = chunk.find("\n", start)
    end = end if end >= 0 else len(chunk)
    return _attributes(chunk[start:end]), chunk[end:], "the comment is not closed; it ends with its line"


def _attributes(raw: str) -> Mapping[str, str]:
    """The ``key=value`` pairs; commas inside quotes and brackets do not separate them."""
    return {match["key"]: match["value"].strip() for match in _ATTRIBUTE.finditer(raw.strip())}

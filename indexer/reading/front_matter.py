"""Splits a page into the fields of its front matter and its body.

Front matter that YAML refuses is recovered, and every repair is reported. All scalars stay text; see
docs/decisions/nim.md#reading-the-files.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from frontmatter.default_handlers import YAMLHandler

from indexer.reading.decode import scrub
from indexer.reading.front_matter_recovery import json_members, recover_fields
from indexer.yaml_text import Document, YamlRefused, parse_yaml

#: The value of a field: text, or lists and mappings of text.
Value: TypeAlias = "str | list[Value] | dict[str, Value]"
#: Line of the page, kind and detail of a finding.
Repair: TypeAlias = tuple[int, str, str]

_INVISIBLE = "\n \t\ufeff\u200b\u00a0\u3000"
_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
# Lines that cannot stand among fields: a heading or an entry comment.
_BODY_LINE = re.compile(r"^(?:##? |<!--)", re.MULTILINE)
_CODE_FENCE = re.compile(r"^```", re.MULTILINE)
# Plain values of which YAML drops a part: a comment, a tag or an anchor.
_SHORTENED = re.compile(r"^([a-z_]+):[ \t]+(?:[!&*]|[^\s\"'\[{|>].*[ \t]#)", re.MULTILINE)
# Lines at column 0 that YAML would fold into one. Indented lines are the wrapping of a YAML writer.
_CONTINUED = re.compile(r"^([a-z_]+):[ \t]+[^\s\[{|>][^\n]*\n+(?![A-Za-z_]+:(?:\s|\Z))(?=\S)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page's ``fields``, its ``body``, which begins at line ``body_line``, and its ``repairs``."""

    fields: Mapping[str, Value]
    body: str
    body_line: int
    repairs: tuple[Repair, ...] = ()


class _Handler(YAMLHandler):
    """python-frontmatter's YAML handler, with a fence that is exactly ``---``."""

    FM_BOUNDARY = _FENCE


_HANDLER = _Handler()


def split_page(text: str, known_keys: Iterable[str]) -> Page:
    """Split a page into fields and body; any text is accepted.

    ``known_keys`` begin a field where the front matter is not valid YAML.
    """
    known = frozenset(known_keys)
    stripped = text.lstrip(_INVISIBLE)
    skipped = text[: len(text) - len(stripped)].count("\n")
    repairs: list[Repair] = []
    if not _HANDLER.detect(stripped):
        if not _begins_with_field(stripped, known):
            return Page({}, text, 1)
        repairs.append((2, "unopened-fence", "the opening --- is missing; the page begins with fields"))
        stripped, skipped = "---\n" + stripped, skipped - 1
    block, body = _cut(stripped, known, repairs)
    fields = _parse(block, known, repairs)
    body_line = text.count("\n") - body.count("\n") + 1
    return Page(fields, body, body_line, tuple((skipped + line, kind, why) for line, kind, why in repairs))


def _begins_with_field(text: str, known: frozenset[str]) -> bool:
    key, colon, _ = text.partition("\n")[0].partition(":")
    return bool(colon) and key in known and _FENCE.search(text) is not None


def _cut(text: str, known: frozenset[str], repairs: list[Repair]) -> tuple[str, str]:
    """The front matter and the body. A body line between the fences means that the closing fence is missing."""
    start = text.find("\n") if "\n" in text else len(text)
    fences = [match.span() for match in _FENCE.finditer(text, start)][:8]
    end, resume = fences[0] if fences else (len(text), len(text))
    for later_start, later_end in fences[1:]:
        if not _more_fields(text[start:end], text[resume:later_start], known):
            break
        repairs.append((1 + text.count("\n", 0, end), "fence-in-value", "a --- line inside a value is not a fence"))
        end, resume = later_start, later_end
    block = text[start:end]
    body = next(_body_lines(block, len(fences) > 0), None)
    if body is not None:
        line = 1 + block.count("\n", 0, body.start())
        repairs.append((line, "unclosed-fence", f"the closing --- is missing before {body[0].strip()!r}"))
        return block[: body.start()], text[start + body.start() :]
    if not fences:
        repairs.append((1, "unclosed-fence", "the closing --- is missing; the whole page is read as fields"))
    return block, text[resume:].removeprefix("\n")


def _more_fields(block: str, after: str, known: frozenset[str]) -> bool:
    """Whether ``after`` has, before its first body line, a known field that ``block`` does not have."""
    fields = _BODY_LINE.split(after, maxsplit=1)[0]
    return any(f"\n{key}:" in fields and f"\n{key}:" not in block and f'"{key}"' not in block for key in known)


def _body_lines(block: str, fenced: bool) -> Iterator[re.Match[str]]:
    """The body lines outside code blocks; between two fences a line with a single # is a YAML comment."""
    code_fences = [match.start() for match in _CODE_FENCE.finditer(block)]
    for match in _BODY_LINE.finditer(block):
        if bisect_left(code_fences, match.start()) % 2 == 0 and not (fenced and match[0] == "# "):
            yield match


def _parse(block: str, known: frozenset[str], repairs: list[Repair]) -> Mapping[str, Value]:
    """The fields of ``block``, which begins with the line break of the opening fence: its second line is line 2."""
    members = json_members(block)
    if members is not None:
        fields, duplicates = members
        repairs += [(2, "json-front-matter", "JSON members without braces; read as JSON"), *_duplicates(duplicates)]
        return fields
    try:
        document = parse_yaml(block)
    except YamlRefused as error:
        repairs.append((error.line or 2, "yaml-refused", f"not YAML ({error}); fields recovered line by line"))
        return recover_fields(block, known)
    if not isinstance(document.value, dict):
        if block.strip():
            repairs.append((2, "yaml-refused", "not a YAML mapping; fields recovered line by line"))
        return recover_fields(block, known)
    repairs += _duplicates(document.duplicate_keys)
    return _with_whole_values(document, block, known)


def _duplicates(keys: Iterable[tuple[int, str]]) -> list[Repair]:
    detail = "the key {!r} is given more than once; the last value is used"
    return [(line, "duplicate-key", detail.format(key)) for line, key in keys]


def _with_whole_values(document: Document, block: str, known: frozenset[str]) -> Mapping[str, Value]:
    """The fields, with the values that YAML shortened or folded as they are written."""
    parsed: dict[str, Value] = document.value
    changed = {*_SHORTENED.findall(block), *_CONTINUED.findall(block)} & known & parsed.keys()
    changed -= {key for _, key in document.duplicate_keys}
    if not changed:
        return parsed
    recovered = recover_fields(block, known & parsed.keys())
    return {**parsed, **{key: recovered[key] for key in changed if key in recovered}}


def text_of(value: Value | None) -> str:
    """A value as one text: a list joined by 、, a mapping as ``key: value`` lines, None as the empty text."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "、".join(text_of(item) for item in value)
    if isinstance(value, dict):
        return "\n".join(f"{scrub(key)}: {text_of(item)}" for key, item in value.items())
    return scrub(value.strip())


def list_of(value: Value | None) -> tuple[str, ...]:
    """A value as a list, in its order, each text once; a text is a list of one, and empty items are dropped."""
    items = value if isinstance(value, list) else [value]
    texts = (text_of(item) for item in items)
    return tuple(dict.fromkeys(text for text in texts if text))

"""Front matter of a page -> fields and body. Reads what a YAML parser refuses, and says what it mended.

All scalars stay text: ``0414``, ``9.10``, ``no``, dates (spec/decisions-nim, "Reading the files").
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml
from frontmatter.default_handlers import YAMLHandler

from indexer.reading.decode import scrub
from indexer.reading.front_matter_recovery import recover_fields

#: A field after reading: text, or lists and mappings of it.
Value: TypeAlias = "str | list[Value] | dict[str, Value]"

#: Aliases that expand to more values than this are a bomb (cases.md C15); the largest real index has some 700.
MAX_NODES = 100_000

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_ANCHOR = re.compile(r"(?:^|[\s\[{,])&[\w-]+")
_INVISIBLE = "\n \t\ufeff\u200b\u00a0\u3000"
_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)
# What cannot stand among fields: a heading of the page, or an entry comment.
_BODY_LINE = re.compile(r"^(?:##? |<!--)", re.MULTILINE)
_CODE_FENCE = re.compile(r"^```", re.MULTILINE)
# Plain values that YAML accepts but shortens: a comment, a tag or an anchor falls away (cases.md C3, C16).
_SHORTENED = re.compile(r"^([a-z_]+):[ \t]+(?:[!&*]|[^\s\"'\[{|>].*[ \t]#)", re.MULTILINE)
# Lines at column 0 that YAML would fold into one (cases.md C2); indented ones are a dumper's wrapping.
_CONTINUED = re.compile(r"^([a-z_]+):[ \t]+[^\s\[{|>][^\n]*\n+(?![A-Za-z_]+:(?:\s|\Z))(?=\S)", re.MULTILINE)


class AliasBomb(ValueError):
    """A YAML document with more aliases than any honest one."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page's ``fields``, its ``body`` from line ``body_line`` on, and (line, kind, detail) ``repairs``."""

    fields: Mapping[str, Value]
    body: str
    body_line: int
    repairs: tuple[tuple[int, str, str], ...] = ()


class StringsHandler(YAMLHandler):
    """python-frontmatter's YAML, with a fence that is exactly ``---`` and every scalar left as text."""

    FM_BOUNDARY = _FENCE

    def load(self, fm: str, **_: object) -> Any:
        """Parse to text, lists and mappings.

        Raises:
            yaml.YAMLError, RecursionError: it is no YAML.
            AliasBomb: too many aliases.
        """
        return load_strings(fm)


class _TextLoader(_Loader):  # type: ignore[misc, valid-type]  # which of two it is, the machine decides
    """Composes nodes without asking what type a scalar might be: half the time of a full load."""

    def resolve(self, *_: object) -> str:
        return ""

    def descend_resolver(self, *_: object) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


def load_strings(text: str) -> object:
    """Parse YAML with every scalar as text.

    Raises:
        yaml.YAMLError, RecursionError: it is no YAML.
        AliasBomb: its aliases expand to more than any honest document; nothing was expanded.
    """
    node = yaml.compose(text, Loader=_TextLoader)
    if node is not None and _ANCHOR.search(text):
        size = _expanded(node, {})
        if size > MAX_NODES:
            raise AliasBomb(f"YAML aliases that expand to {size} values, more than {MAX_NODES}")
    return _plain(node)


def _expanded(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node stands for once its aliases are written out; each node is looked at once."""
    if id(node) in known:
        if not known[id(node)]:
            raise AliasBomb("a YAML alias within what it stands for")
        return known[id(node)]
    known[id(node)] = 0
    children: list[yaml.Node] = []
    if isinstance(node, yaml.MappingNode):
        children = [child for pair in node.value for child in pair]
    elif isinstance(node, yaml.SequenceNode):
        children = node.value
    known[id(node)] = 1 + sum(_expanded(child, known) for child in children)
    return known[id(node)]


def _plain(node: yaml.Node | None) -> object:
    """A composed node as text, list or mapping; a key that is no scalar becomes text too."""
    if isinstance(node, yaml.MappingNode):
        return {_key(key): _plain(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item) for item in node.value]
    return node.value if node is not None else None


def _key(node: yaml.Node) -> str:
    return node.value if isinstance(node, yaml.ScalarNode) else str(_plain(node))


_HANDLER = StringsHandler()


def split_page(text: str, known_keys: Iterable[str]) -> Page:
    """Split a page into fields and body. Never fails; ``known_keys`` open a field where YAML gives up.

    Source: spec/decisions-nim "Reading the files"; cases.md M1-M8, C1-C24.
    """
    known = frozenset(known_keys)
    stripped = text.lstrip(_INVISIBLE)
    skipped = text[: len(text) - len(stripped)].count("\n")
    repairs: list[tuple[int, str, str]] = []
    if not _HANDLER.detect(stripped):
        if not _opens_with_field(stripped, known):
            return Page({}, text, 1)
        repairs.append((2, "unopened-fence", "no opening ---; the page begins with its fields"))
        stripped, skipped = "---\n" + stripped, skipped - 1
    block, body = _cut(stripped, known, repairs)
    fields = _parse(block, known, repairs)
    body_line = text.count("\n") - body.count("\n") + 1
    return Page(fields, body, body_line, tuple((skipped + line, kind, why) for line, kind, why in repairs))


def _opens_with_field(text: str, known: frozenset[str]) -> bool:
    key, colon, _ = text.partition("\n")[0].partition(":")
    return bool(colon) and key in known and _FENCE.search(text) is not None


def _cut(text: str, known: frozenset[str], repairs: list[tuple[int, str, str]]) -> tuple[str, str]:
    """The front matter and the body. A line of a body between the fences means that one is missing."""
    start = text.find("\n") if "\n" in text else len(text)
    fences = [match.span() for match in _FENCE.finditer(text, start)][:8]
    end, resume = fences[0] if fences else (len(text), len(text))
    for later_start, later_end in fences[1:]:
        if not _more_fields(text[start:end], text[resume:later_start], known):
            break
        repairs.append((1 + text.count("\n", 0, end), "fence-in-value", "a --- line among the fields is none"))
        end, resume = later_start, later_end
    block = text[start:end]
    page = next((m for m in _BODY_LINE.finditer(block) if _is_body(block, m, not fences)), None)
    if page is not None:
        line = 1 + block.count("\n", 0, page.start())
        repairs.append((line, "unclosed-fence", f"no closing --- ahead of {page[0].strip()!r}"))
        return block[: page.start()], text[start + page.start() :]
    if not fences:
        repairs.append((1, "unclosed-fence", "no closing ---; the whole page is read as fields"))
    return block, text[resume:].removeprefix("\n")


def _more_fields(block: str, after: str, known: frozenset[str]) -> bool:
    """Whether ``after`` begins with a known field that ``block`` lacks, ahead of anything that a body has."""
    fields = _BODY_LINE.split(after, maxsplit=1)[0]
    return any(f"\n{key}:" in fields and f"\n{key}:" not in block and f'"{key}"' not in block for key in known)


def _is_body(block: str, match: re.Match[str], unfenced: bool) -> bool:
    """Not in a code block; a single # is a comment of the front matter where that has its two fences."""
    in_code = len(_CODE_FENCE.findall(block[: match.start()])) % 2 == 1
    return not in_code and (unfenced or match[0] != "# ")


def _parse(block: str, known: frozenset[str], repairs: list[tuple[int, str, str]]) -> Mapping[str, Value]:
    members = _json_members(block)
    if members is not None:
        repairs.append((2, "json-front-matter", "JSON members without braces, read as JSON"))
        return members
    try:
        parsed = _HANDLER.load(block)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        repairs.append((_line_of(error), "yaml-refused", f"fields recovered line by line ({_first_line(error)})"))
        return recover_fields(block, known, load_strings)
    if not isinstance(parsed, dict):
        if block.strip():
            repairs.append((2, "yaml-refused", "front matter is no mapping; fields recovered line by line"))
        return recover_fields(block, known, load_strings)
    return _with_whole_values(parsed, block, known)


def _with_whole_values(parsed: dict[str, Value], block: str, known: frozenset[str]) -> Mapping[str, Value]:
    """Put back what YAML accepted but cut short or folded."""
    keys = {*_SHORTENED.findall(block), *_CONTINUED.findall(block)} & known & parsed.keys()
    if not keys:
        return parsed
    recovered = recover_fields(block, known & parsed.keys(), load_strings)
    return {**parsed, **{key: recovered[key] for key in keys if key in recovered}}


def _json_members(block: str) -> dict[str, Value] | None:
    """Cases.md M4: ``"a": 1,`` lines without braces; YAML may accept and misread them, so they come first."""
    if not block.lstrip().startswith('"'):
        return None
    members = "{" + block.strip().rstrip(",") + "}"
    try:
        parsed = json.loads(members, parse_int=str, parse_float=str, strict=False)
    except ValueError:
        return None
    return {key: _as_text(value) for key, value in parsed.items()}


def _as_text(value: object) -> Value:
    if isinstance(value, list):
        return [_as_text(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _as_text(item) for key, item in value.items()}
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _line_of(error: Exception) -> int:
    mark = getattr(error, "problem_mark", None)
    return mark.line + 1 if mark is not None else 2


def _first_line(error: Exception) -> str:
    return (getattr(error, "problem", None) or str(error)).split("\n")[0]


def text_of(value: Value | None) -> str:
    """A field as one text: a list joined by 、, a mapping as ``key: value`` lines, a missing one empty."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "、".join(text_of(item) for item in value)
    if isinstance(value, dict):
        return "\n".join(f"{scrub(key)}: {text_of(item)}" for key, item in value.items())
    return scrub(value.strip())


def list_of(value: Value | None) -> tuple[str, ...]:
    """A field as a list: a scalar is one element (cases.md M34), empty elements fall out, order is kept."""
    items = value if isinstance(value, list) else [value]
    texts = (text_of(item) for item in items)
    return tuple(dict.fromkeys(text for text in texts if text))

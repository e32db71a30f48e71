"""The document of ``rtckb diff`` as text, and as Markdown for the comment of a pull request."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from query.diff.compare import KINDS
from query.diff.sections import SECTIONS

#: GitHub takes comments of up to 65,536 characters. The rest is for what a workflow puts around this one.
LIMIT = 60_000
#: Items of one Markdown list; a longer list is no overview.
SHOWN = 25
#: Characters of a list beside its items: heading, kind, blank lines, "and N more".
_FRAME = 120
_MARKS = {"came": "+", "went": "-", "moved": ">", "changed": "~"}


def as_text(document: Mapping[str, Any]) -> str:
    """Every difference on one line: ``+`` added, ``-`` removed, ``>`` moved, ``~`` changed."""
    lines = []
    for name, section in _differing(document):
        lines.append(_heading(name, section))
        lines += [f"  {_MARKS[kind]} {_item(kind, item, _one_line)}" for kind in KINDS for item in section[kind]]
    return "\n".join([*lines, *_summary(document, not lines, _one_line)])


def as_markdown(document: Mapping[str, Any]) -> str:
    """The differences under headings, each list shortened; at most ``LIMIT`` characters."""
    sections = _differing(document)
    lists = sum(bool(section[kind]) for _, section in sections for kind in KINDS)
    blocks = ["## Knowledge base"]
    for name, section in sections:
        blocks.append(f"### {_heading(name, section)}")
        blocks += [_short_list(kind, section[kind], LIMIT // (lists + 1)) for kind in KINDS if section[kind]]
    return "\n\n".join([*blocks, *_summary(document, not sections, _code_span)])


def _differing(document: Mapping[str, Any]) -> list[tuple[str, dict[str, list[Any]]]]:
    return [(name, document[name]) for name in SECTIONS if any(document[name].values())]


def _heading(name: str, section: Mapping[str, list[Any]]) -> str:
    counts = ", ".join(f"{len(section[kind])} {kind}" for kind in KINDS if section[kind])
    return f"{name.replace('_', ' ').replace('nim', 'NIM')}: {counts}"


def _short_list(kind: str, items: list[Any], room: int) -> str:
    """A list under its kind, of at most ``SHOWN`` items and ``room`` characters, and how many items it leaves out."""
    lines: list[str] = []
    for item in items[:SHOWN]:
        line = f"- {_item(kind, item, _code_span)}"
        room -= len(line) + 1
        if room < _FRAME:
            break
        lines.append(line)
    left_out = len(items) - len(lines)
    return "\n".join([f"**{kind}**", "", *lines, *([f"- and {left_out} more"] if left_out else [])])


def _item(kind: str, item: Any, quote: Callable[[str], str]) -> str:
    if kind == "moved":
        return f"{quote(item['from'])} -> {quote(item['to'])}"
    if kind == "changed":
        return f"{quote(item['id'])}: {', '.join(item['fields'])}"
    return quote(item)


def _summary(document: Mapping[str, Any], no_item_differs: bool, quote: Callable[[str], str]) -> Iterator[str]:
    """Whether the files are equal, and the differences outside the sections."""
    if document["equal"]:
        yield "The two files have the same content."
    elif no_item_differs:
        yield f"No slice, page, code, scenario, case or tag differs; rows of {', '.join(document['tables'])} do."
    if document["build"]:
        yield f"Built differently: {', '.join(map(quote, document['build']))}."


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _code_span(text: str) -> str:
    """As a code span: nothing in the text can be a mention, a link or the end of the span."""
    text = _one_line(text)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"

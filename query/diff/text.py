"""The document of ``rtckb diff`` as text, and as Markdown that fits into the comment of a pull request."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from query.diff.compare import KINDS
from query.diff.sections import SECTIONS

#: GitHub takes comments of up to 65,536 characters; some room is left for what a workflow puts around this one.
LIMIT = 60_000
#: Items of one Markdown list; a longer list is no overview.
SHOWN = 25
#: What a list takes beside its items: heading, kind, blank lines, "and N more".
_FRAME = 120
_MARKS = {"came": "+", "went": "-", "moved": ">", "changed": "~"}


def as_text(document: Mapping[str, Any]) -> str:
    """Every difference, one a line; ``+`` came, ``-`` went, ``>`` moved, ``~`` changed."""
    lines = []
    for name, found in _told(document):
        lines.append(_heading(name, found))
        lines += [f"  {_MARKS[kind]} {_line(kind, item, _plain)}" for kind in KINDS for item in found[kind]]
    return "\n".join([*lines, *_rest(document, not lines, _plain)])


def as_markdown(document: Mapping[str, Any]) -> str:
    """The same under headings, each list cut short; at most ``LIMIT`` characters."""
    told = _told(document)
    lists = sum(bool(found[kind]) for _, found in told for kind in KINDS)
    blocks = ["## Knowledge base"]
    for name, found in told:
        blocks.append(f"### {_heading(name, found)}")
        blocks += [_short_list(kind, found[kind], LIMIT // (lists + 1)) for kind in KINDS if found[kind]]
    return "\n\n".join([*blocks, *_rest(document, not told, _code)])


def _told(document: Mapping[str, Any]) -> list[tuple[str, dict[str, list[Any]]]]:
    """The sections that have something to tell, in their order."""
    return [(name, document[name]) for name in SECTIONS if any(document[name].values())]


def _heading(name: str, found: Mapping[str, list[Any]]) -> str:
    counts = ", ".join(f"{len(found[kind])} {kind}" for kind in KINDS if found[kind])
    return f"{name.replace('_', ' ').replace('nim', 'NIM')}: {counts}"


def _short_list(kind: str, items: list[Any], room: int) -> str:
    """A list under its kind, of at most ``SHOWN`` items and ``room`` characters, that says how many it leaves out."""
    lines: list[str] = []
    for item in items[:SHOWN]:
        line = f"- {_line(kind, item, _code)}"
        room -= len(line) + 1
        if room < _FRAME:
            break
        lines.append(line)
    left = len(items) - len(lines)
    return "\n".join([f"**{kind}**", "", *lines, *([f"- and {left} more"] if left else [])])


def _line(kind: str, item: Any, quoted: Callable[[str], str]) -> str:
    if kind == "moved":
        return f"{quoted(item['from'])} -> {quoted(item['to'])}"
    if kind == "changed":
        return f"{quoted(item['id'])}: {', '.join(item['fields'])}"
    return quoted(item)


def _rest(document: Mapping[str, Any], alone: bool, quoted: Callable[[str], str]) -> Iterator[str]:
    """What no list tells: that nothing differs, or that something else does."""
    if document["equal"]:
        yield "The two files say the same."
    elif alone:
        yield f"No slice, page, code, scenario, case or tag differs; the rows of {', '.join(document['tables'])} do."
    if document["build"]:
        yield f"Built differently: {', '.join(map(quoted, document['build']))}."


def _plain(text: str) -> str:
    """On one line."""
    return " ".join(text.split())


def _code(text: str) -> str:
    """As a code span, whatever it holds: nothing in it is a mention, a link or the end of the span."""
    text = _plain(text)
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}"

"""Reads the sections, error-code tables and API names of a Markdown body. Any text is accepted."""

import re
from collections.abc import Iterable, Iterator

from indexer.records import ErrorCode, Section
from query.analysis.error_codes import parse_code_cell

_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_DIVIDER = re.compile(r"^\s*\|?\s*:?-{2,}")
_BACKTICKED = re.compile(r"`([^`\n]+)`")
_API_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")


def sections(body: str, first_line: int = 1) -> tuple[Section, ...]:
    """Split ``body``, which begins at line ``first_line``, at its headings; a ``#`` inside a code fence is text."""
    found: list[Section] = []
    level, heading, start, lines = 0, "", first_line, list[str]()
    for number, line, in_code in _lines(body, first_line):
        match = None if in_code else _HEADING.match(line)
        if match is None:
            lines.append(line)
            continue
        found.append(Section(level, heading, start, "\n".join(lines).rstrip("\n")))
        level, heading, start, lines = len(match[1]), match[2], number, []
    found.append(Section(level, heading, start, "\n".join(lines).rstrip("\n")))
    return tuple(section for section in found if section.heading or section.text.strip())


def _lines(body: str, first_line: int) -> Iterator[tuple[int, str, bool]]:
    """(number, line, whether it belongs to a code block, fences included) of each line."""
    fence = ""
    for number, line in enumerate(body.split("\n"), first_line):
        match = _FENCE.match(line)
        if match is None:
            yield number, line, bool(fence)
            continue
        yield number, line, True
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence):
            fence = ""


def table_rows(section: Section) -> Iterator[tuple[int, tuple[str, ...]]]:
    """(line number, stripped cells) of each table row below a divider line."""
    inside = False
    for number, line, in_code in _lines(section.text, section.line + bool(section.heading)):
        if in_code or not line.lstrip().startswith("|"):
            inside = False
        elif _DIVIDER.match(line):
            inside = True
        elif inside:
            cells = line.strip().removeprefix("|").removesuffix("|").replace(r"\|", "\0").split("|")
            yield number, tuple(cell.strip().replace("\0", "|") for cell in cells)


def is_error_heading(heading: str) -> bool:
    """Whether a heading contains 错误码, error_codes, or 错误 together with 对照 or 速查.

    See docs/decisions/trtc.md#error-code-sections.
    """
    name = heading.lower().replace(" ", "_").replace("-", "_")
    return "错误码" in name or "error_code" in name or ("错误" in name and ("对照" in name or "速查" in name))


def error_codes(found: Iterable[Section]) -> tuple[ErrorCode, ...]:
    """The codes in the first cells of the tables below an error heading and its sub-headings."""
    codes: list[ErrorCode] = []
    open_level = 0
    for section in found:
        if open_level and section.level <= open_level:
            open_level = 0
        if not open_level and is_error_heading(section.heading):
            open_level = section.level
        if open_level:
            codes.extend(_codes_of(section))
    return tuple(codes)


def _codes_of(section: Section) -> Iterator[ErrorCode]:
    for line, cells in table_rows(section):
        text = " ".join(cell for cell in cells[1:] if cell)
        symbols = (code for cell in cells[1:] for code in parse_code_cell(cell) if code.startswith("ERR"))
        for code in (*parse_code_cell(cells[0]), *symbols):
            yield ErrorCode(code, text, section.heading, line)


def api_names(body: str) -> tuple[str, ...]:
    """The names in backticks that have a capital letter or an underscore inside, each once, in order.

    The parts of a dotted path are separate names.
    """
    names: dict[str, None] = {}
    for quoted in _BACKTICKED.findall(body):
        for name in _API_NAME.findall(quoted.split("(")[0]):
            for part in name.split("."):
                if _looks_like_code(part):
                    names[part] = None
    return tuple(names)


def _looks_like_code(name: str) -> bool:
    return len(name) > 3 and (any(c.isupper() for c in name[1:]) or "_" in name.strip("_"))

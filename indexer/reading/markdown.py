"""Markdown body -> sections, table rows, codes, API names. Aware of code fences; tolerant; never fails."""

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
    """Split ``body`` at its headings; a ``#`` inside a code fence is none. ``first_line`` is its line number."""
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
    """Each line with its number and whether it stands in, opens or closes a code fence."""
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
    """The rows of the tables in ``section`` below their divider, as (line number, stripped cells)."""
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
    """Decision 10: 错误码, error_codes, or 错误 together with 对照 or 速查."""
    folded = heading.lower().replace(" ", "_").replace("-", "_")
    return "错误码" in folded or "error_code" in folded or ("错误" in folded and ("对照" in folded or "速查" in folded))


def error_codes(found: Iterable[Section]) -> tuple[ErrorCode, ...]:
    """Decision 10: the first cells of the tables below an error heading, its sub-headings included."""
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
        for code in parse_code_cell(cells[0]):
            yield ErrorCode(code, " ".join(cell for cell in cells[1:] if cell), section.heading, line)


def api_names(body: str) -> tuple[str, ...]:
    """Names in backticks that look like code: camel case, a call, a dotted path; each once, in order."""
    names: dict[str, None] = {}
    for quoted in _BACKTICKED.findall(body):
        for name in _API_NAME.findall(quoted.split("(")[0]):
            for part in name.split("."):
                if _looks_like_code(part):
                    names[part] = None
    return tuple(names)


def _looks_like_code(name: str) -> bool:
    return len(name) > 3 and (any(c.isupper() for c in name[1:]) or "_" in name.strip("_"))

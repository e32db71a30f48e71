"""Fields of a front matter that YAML refuses: a known key opens a field, every other line continues it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from indexer.reading.decode import scrub

#: Where each field opens: line number -> (key, the rest of that line).
_Openings = dict[int, tuple[str, str]]

_KEY_LINE = re.compile(r"^[ \t]*\"?([A-Za-z_][A-Za-z_-]*)\"?[ \t]*[:：](?!//)(.*)$")
_ITEM = re.compile(r"^\s*-\s+(.*)$")
_BLOCK_SCALAR = re.compile(r"^[|>][+-]?\d*[ \t]*$")
_DOUBLE_QUOTED_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n", '"': '"', "\\": "\\", "/": "/", "$": "$"}
_LIST_PIECE = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.|'')*'|[^,]*?)\s*(?:,|$)", re.DOTALL)
# A list whose items are all in quotes, without an escape: nearly every one.
_QUOTED = re.compile(r"'([^'\\]*)'|\"([^\"\\]*)\"")
_QUOTED_LIST = re.compile(r"\[\s*(?:(?:'[^'\\]*'|\"[^\"\\]*\")\s*(?:,\s*|(?=\])))*\]")


def recover_fields(block: str, known_keys: frozenset[str], load: Callable[[str], object]) -> Mapping[str, Any]:
    """Recover every field, newlines kept. Lines inside a code block never open a field (cases.md M1-M3).

    ``load`` parses one value that is a flow list; what it refuses is split at commas outside quotes.
    """
    text = block.strip("\n")
    as_json = text.lstrip().startswith(('"', "{"))
    lines = text.split("\n")
    opened: dict[str, list[str]] = {}
    current: list[str] = []
    openings = _openings(lines, known_keys)
    for number, line in enumerate(lines):
        if number in openings:
            key, value = openings[number]
            current = opened[key] = [value.strip()]
        else:
            current.append(line)
    return {key: _value(_joined(value, as_json), load) for key, value in opened.items()}


def _openings(lines: list[str], known: frozenset[str]) -> _Openings:
    """One opening line per key; ``key:value``, a quoted or indented key only for want of an exact one."""
    exact: dict[str, list[int]] = {}
    loose: dict[str, list[int]] = {}
    values: dict[int, str] = {}
    for number, line in _lines_outside_code(lines):
        match = _KEY_LINE.match(line)
        if match is None or match[1] not in known:
            continue
        values[number] = match[2]
        is_exact = line.startswith(f"{match[1]}:") and match[2][:1] in {"", " ", "\t"}
        (exact if is_exact else loose).setdefault(match[1], []).append(number)
    followed = {number for number in values if number + 1 in values or _is_last(lines, number)}
    chosen = {key: _choose(numbers, followed, values) for key, numbers in exact.items()}
    for key, numbers in loose.items():
        candidates = [n for n in numbers if n in followed or n - 1 in values or n == 0]
        if key not in chosen and candidates:
            chosen[key] = candidates[0]
    return {number: (key, values[number]) for key, number in chosen.items()}


def _choose(numbers: list[int], followed: set[int], values: Mapping[int, str]) -> int:
    """The first; but a key-like line inside a long value gives way to one that stands among keys."""
    first = numbers[0]
    if len(numbers) == 1 or first in followed:
        return first
    own = set(numbers)
    other_key = next((number for number in values if number > first and number not in own), None)
    later = (number for number in numbers[1:] if number in followed)
    return next((number for number in later if other_key is not None and number > other_key), first)


def _is_last(lines: list[str], number: int) -> bool:
    return number + 1 == len(lines)


def _lines_outside_code(lines: list[str]) -> Iterator[tuple[int, str]]:
    balanced = sum(line.startswith("```") for line in lines) % 2 == 0
    in_code = False
    for number, line in enumerate(lines):
        if balanced and line.startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, line


def _joined(lines: list[str], as_json: bool) -> str:
    """One raw value: continuation lines lose the indentation that they share."""
    head, rest = lines[0], lines[1:]
    indent = min((len(line) - len(line.lstrip(" \t")) for line in rest if line.strip()), default=0)
    raw = "\n".join([head, *(line[indent:] for line in rest)]).strip()
    return raw.removesuffix("}").rstrip().removesuffix(",").rstrip() if as_json else raw


def _value(raw: str, load: Callable[[str], object]) -> Any:
    head, _, rest = raw.partition("\n")
    if raw.startswith("[") and raw.endswith("]"):
        return parse_list(raw, load)
    if _BLOCK_SCALAR.match(head):
        return rest.strip("\n")
    items = [_ITEM.match(line) for line in raw.split("\n")] if raw.startswith("- ") else []
    if items and all(items):
        return [unquote(match[1].strip()) for match in items if match]
    return unquote(raw)


def unquote(raw: str) -> str:
    """Take one pair of quotes off; an unknown escape keeps its character (cases.md M8)."""
    if len(raw) >= 2 and raw[0] == raw[-1] == '"':
        return scrub(_DOUBLE_QUOTED_ESCAPE.sub(_unescaped, raw[1:-1])) if "\\" in raw else raw[1:-1]
    if len(raw) >= 2 and raw[0] == raw[-1] == "'":
        return raw[1:-1].replace("''", "'").replace("\\'", "'")
    return raw


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[0])


def parse_list(raw: str, load: Callable[[str], object]) -> list[str]:
    """A list in YAML, JSON or Python style -> its texts (cases.md M13); brackets may hold anything."""
    if _QUOTED_LIST.fullmatch(raw):
        return [item for pair in _QUOTED.findall(raw) if (item := (pair[0] or pair[1]).strip())]
    for parse in (_load_json, load):
        try:
            parsed = parse(raw)
        except Exception:  # noqa: S112  # whatever a parser objects to, the split below still reads it
            continue
        if isinstance(parsed, list) and all(isinstance(item, str) for item in parsed):
            return [item for text in parsed if (item := scrub(text).strip())]
    inner = raw.strip().removeprefix("[").removesuffix("]")
    pieces = (unquote(piece).strip() for piece in _LIST_PIECE.findall(inner))
    return [piece for piece in pieces if piece]


def _load_json(raw: str) -> object:
    return json.loads(raw, parse_int=str, parse_float=str)

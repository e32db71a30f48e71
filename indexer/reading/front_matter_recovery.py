"""Recovers the fields of a front matter that is not YAML: a known key begins a field, other lines continue it."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from indexer.reading.decode import scrub
from indexer.yaml_text import MAX_DEPTH, YamlRefused, load_strings, parse_yaml, too_deep

_KEY_LINE = re.compile(r"^[ \t]*\"?([A-Za-z_][A-Za-z_-]*)\"?[ \t]*[:：](?!//)(.*)$")
_ITEM = re.compile(r"^\s*-\s+(.*)$")
_BLOCK_SCALAR = re.compile(r"^[|>][+-]?\d*[ \t]*$")
_DOUBLE_QUOTED_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\n", '"': '"', "\\": "\\", "/": "/", "$": "$"}
_LIST_PIECE = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.|'')*'|[^,]*?)\s*(?:,|$)", re.DOTALL)
# A list whose items are all in quotes, without an escape: nearly every list, and much faster than a parser.
_QUOTED = re.compile(r"'([^'\\]*)'|\"([^\"\\]*)\"")
_QUOTED_LIST = re.compile(r"\[\s*(?:(?:'[^'\\]*'|\"[^\"\\]*\")\s*(?:,\s*|(?=\])))*\]")


def json_members(block: str) -> tuple[dict[str, Any], tuple[tuple[int, str], ...]] | None:
    """The fields of a block of ``"a": 1,`` lines without braces, and the (line, key) of duplicate keys.

    None if the block is something else. YAML accepts some of these blocks and misreads them: try JSON first.
    """
    if not block.lstrip().startswith('"'):
        return None
    members = "{" + block.rstrip().rstrip(",") + "}"
    try:
        parsed = json.loads(members, parse_int=str, parse_float=str, strict=False)
        fields = {key: _as_text(value, 1) for key, value in parsed.items()}
    except (ValueError, RecursionError):
        return None
    try:
        return fields, parse_yaml(members).duplicate_keys
    except YamlRefused:
        return fields, ()


def _as_text(value: object, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise too_deep()
    if isinstance(value, list):
        return [_as_text(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _as_text(item, depth + 1) for key, item in value.items()}
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def recover_fields(block: str, known_keys: frozenset[str]) -> dict[str, Any]:
    """Recover every field with its line breaks. A line inside a code block never begins a field."""
    text = block.strip("\n")
    as_json = text.lstrip().startswith(('"', "{"))
    lines = text.split("\n")
    raw: dict[str, list[str]] = {}
    current: list[str] = []
    openings = _openings(lines, known_keys)
    for number, line in enumerate(lines):
        if number in openings:
            key, value = openings[number]
            current = raw[key] = [value.strip()]
        else:
            current.append(line)
    return {key: _value(_joined(value_lines, as_json)) for key, value_lines in raw.items()}


def _openings(lines: list[str], known: frozenset[str]) -> dict[int, tuple[str, str]]:
    """Number of the line that begins each field -> (key, rest of the line).

    A line ``key: value`` at column 0 is exact. ``key:value``, a quoted or an indented key is used only if the key has
    no exact line.
    """
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
    followed = {number for number in values if number + 1 in values or number + 1 == len(lines)}
    chosen = {key: _choose(numbers, followed, values) for key, numbers in exact.items()}
    for key, numbers in loose.items():
        candidates = [n for n in numbers if n in followed or n - 1 in values or n == 0]
        if key not in chosen and candidates:
            chosen[key] = candidates[0]
    return {number: (key, values[number]) for key, number in chosen.items()}


def _choose(numbers: list[int], followed: set[int], values: Mapping[int, str]) -> int:
    """The first line, unless it seems to be inside a long value and a later line stands beside other keys."""
    first = numbers[0]
    if len(numbers) == 1 or first in followed:
        return first
    same_key = set(numbers)
    other_key = next((number for number in values if number > first and number not in same_key), None)
    later = (number for number in numbers[1:] if number in followed)
    return next((number for number in later if other_key is not None and number > other_key), first)


def _lines_outside_code(lines: list[str]) -> Iterator[tuple[int, str]]:
    balanced = sum(line.startswith("```") for line in lines) % 2 == 0
    in_code = False
    for number, line in enumerate(lines):
        if balanced and line.startswith("```"):
            in_code = not in_code
        elif not in_code:
            yield number, line


def _joined(lines: list[str], as_json: bool) -> str:
    """The lines of one value as a text, without the indentation that its continuation lines share."""
    head, rest = lines[0], lines[1:]
    indent = min((len(line) - len(line.lstrip(" \t")) for line in rest if line.strip()), default=0)
    raw = "\n".join([head, *(line[indent:] for line in rest)]).strip()
    return raw.removesuffix("}").rstrip().removesuffix(",").rstrip() if as_json else raw


def _value(raw: str) -> Any:
    head, _, rest = raw.partition("\n")
    if raw.startswith("[") and raw.endswith("]"):
        return parse_list(raw)
    if _BLOCK_SCALAR.match(head):
        return rest.strip("\n")
    items = [_ITEM.match(line) for line in raw.split("\n")] if raw.startswith("- ") else []
    if items and all(items):
        return [unquote(match[1].strip()) for match in items if match]
    return unquote(raw)


def unquote(raw: str) -> str:
    """Remove one pair of quotes and resolve escapes; an unknown escape such as ``\\$`` keeps its character."""
    if len(raw) >= 2 and raw[0] == raw[-1] == '"':
        return scrub(_DOUBLE_QUOTED_ESCAPE.sub(_unescaped, raw[1:-1])) if "\\" in raw else raw[1:-1]
    if len(raw) >= 2 and raw[0] == raw[-1] == "'":
        return raw[1:-1].replace("''", "'").replace("\\'", "'")
    return raw


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[0])


def parse_list(raw: str) -> list[str]:
    """The texts of a list in YAML, JSON or Python style; what YAML refuses is split at commas outside quotes."""
    if _QUOTED_LIST.fullmatch(raw):
        items = [single or double for single, double in _QUOTED.findall(raw)]
    else:
        try:
            parsed = load_strings(raw)
        except YamlRefused:
            parsed = None
        if isinstance(parsed, list) and all(isinstance(item, str) for item in parsed):
            items = parsed
        else:
            items = [unquote(piece) for piece in _LIST_PIECE.findall(raw.strip().removeprefix("[").removesuffix("]"))]
    return [item for text in items if (item := scrub(text).strip())]

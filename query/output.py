"""Documents -> JSON, YAML or text on a stream, in UTF-8 whatever the locale, and no traceback for a closed pipe."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

_PLAIN = re.compile(r"[A-Za-z_一-鿿][\w一-鿿 /.()（），、。-]*")
_WORDS_OF_YAML = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"}


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write ``text`` and a line end to stdout as UTF-8; a reader who has gone away is no error (cases.md E4, E5)."""
    stream = stream or sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        stream.write(text.rstrip("\n") + "\n")
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def default_format(stream: TextIO | None = None) -> str:
    """Text for a person at a terminal, JSON for everything else."""
    return "text" if (stream or sys.stdout).isatty() else "json"


def render(document: Mapping[str, Any], how: str, as_text: str) -> str:
    """The document as ``json``, ``yaml`` or the given text."""
    if how == "json":
        return json.dumps(document, ensure_ascii=False, indent=2)
    if how == "yaml":
        return "\n".join(_yaml(document, 0))
    return as_text


def _yaml(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Block YAML of mappings, lists and scalars: what our documents consist of."""
    pad = "  " * depth
    for key, item in value.items():
        if isinstance(item, Mapping) and item:
            yield f"{pad}{_scalar(key)}:"
            yield from _yaml(item, depth + 1)
        elif isinstance(item, Sequence) and not isinstance(item, str) and item:
            yield f"{pad}{_scalar(key)}:"
            for element in item:
                yield from _element(element, depth)
        else:
            yield f"{pad}{_scalar(key)}: {_scalar(item)}"


def _element(element: Any, depth: int) -> Iterator[str]:
    pad = "  " * depth
    if not isinstance(element, Mapping) or not element:
        yield f"{pad}- {_scalar(element)}"
        return
    lines = list(_yaml(element, depth + 1))
    yield f"{pad}- {lines[0].lstrip()}"
    yield from lines[1:]


def _scalar(value: Any) -> str:
    """A scalar; text is quoted as JSON, which is YAML, unless it is plainly safe."""
    if (
        isinstance(value, str)
        and _PLAIN.fullmatch(value)
        and value.lower() not in _WORDS_OF_YAML
        and value == value.strip()
    ):
        return value
    return json.dumps(value, ensure_ascii=False)

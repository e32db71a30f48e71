"""Documents -> JSON, YAML or text on a stream, in UTF-8 whatever the locale, and no traceback for a closed pipe.

Documents as YAML, without a YAML library: block mappings, lists and scalars are all that ours consist of.
"""

import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TextIO

from query.errors import RtckbError


class OutputFailed(RtckbError):
    """The answer could not be written: a full disk, say."""


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write ``text`` and a line end to stdout as UTF-8; a reader who has gone away is no error (cases.md E4, E5).

    Raises:
        OutputFailed: there is no stream, or it cannot take the text.
    """
    stream = stream or sys.stdout
    if stream is None:
        raise OutputFailed("standard output: is closed; wanted somewhere to write the answer to")
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        stream.write(text.rstrip("\n") + "\n")
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # what is left in the buffer goes nowhere
        if not isinstance(error, BrokenPipeError):
            raise OutputFailed(f"standard output: cannot be written ({error.strerror})") from error


def default_format(stream: TextIO | None = None) -> str:
    """Text for a person at a terminal, JSON for everything else."""
    stream = stream or sys.stdout
    return "text" if stream is not None and stream.isatty() else "json"


def render(document: Mapping[str, Any], how: str, as_text: str) -> str:
    """The document as ``json``, ``yaml`` or the given text."""
    if how == "json":
        return json.dumps(document, ensure_ascii=False, indent=2)
    if how == "yaml":
        return as_yaml(document)
    return as_text


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Two aligned columns."""
    width = max((len(left) for left, _ in rows), default=0)
    return "\n".join(f"{left:<{width}}  {right}" for left, right in rows)


_PLAIN = re.compile(r"[A-Za-z_一-鿿][\w一-鿿 /.()（），、。-]*")
#: What JSON leaves bare inside quotes and a YAML reader refuses, or takes for a line end.
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_WORDS_OF_YAML = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"}


def as_yaml(document: Mapping[str, Any]) -> str:
    """The document as block YAML that any reader gives back unchanged."""
    return "\n".join(_yaml(document, 0))


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
    quoted = json.dumps(value, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda bare: f"\\u{ord(bare[0]):04x}", quoted)

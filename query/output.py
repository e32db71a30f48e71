"""Documents as JSON, YAML or text on a stream: always UTF-8, and no traceback for a closed pipe.

YAML is written without a YAML library. Our documents consist of mappings, lists and scalars only.
"""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TextIO

from query.errors import RtckbError

# Plain texts, compiled on first use: a class of all Han characters takes milliseconds.
_PLAIN = r"[A-Za-z_一-鿿][\w一-鿿 /.()（），、。-]*"
# Characters that JSON leaves unescaped in quotes, but that a YAML reader refuses or takes for a line end.
_NOT_IN_YAML = "[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]"
_WORDS_OF_YAML = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"}


class Answer(NamedTuple):
    """The answer of a search: its JSON document, the same as text, and lines for stderr about how it was made."""

    document: dict[str, Any]
    as_text: Callable[[], str]
    is_empty: bool
    notes: Sequence[str]


class OutputFailed(RtckbError):
    """The answer could not be written, for example to a full disk."""


def emit(text: str, stream: TextIO | None = None) -> None:
    """Write ``text`` and a line end to stdout as UTF-8. A pipe whose reader has gone is no error.

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
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # the rest of the buffer is discarded at exit
        if not isinstance(error, BrokenPipeError):
            raise OutputFailed(f"standard output: cannot be written ({error.strerror})") from error


def default_format(stream: TextIO | None = None) -> str:
    """Text for a person at a terminal, JSON for everything else."""
    stream = stream or sys.stdout
    return "text" if stream is not None and stream.isatty() else "json"


def json_values(document: dict[str, Any]) -> dict[str, Any]:
    """The document, if it consists of JSON values. Call this while the index is open.

    Raises:
        TypeError: it has a blob. Only altered content can be the cause, and the open index reports it as such.
    """
    json.dumps(document)
    return document


def render(document: Mapping[str, Any], how: str, as_text: str) -> str:
    """The document as ``json`` or ``yaml``, else the given text."""
    if how == "json":
        return json.dumps(document, ensure_ascii=False, indent=2)
    return "\n".join(_yaml(document, 0)) if how == "yaml" else as_text


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Two aligned columns."""
    width = max((len(left) for left, _ in rows), default=0)
    return "\n".join(f"{left:<{width}}  {right}" for left, right in rows)


def _yaml(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Lines of block YAML."""
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
    first, *rest = _yaml(element, depth + 1)
    yield f"{pad}- {first.lstrip()}"
    yield from rest


def _scalar(value: Any) -> str:
    """A scalar. Text is quoted as in JSON, which is valid YAML, unless it can stand unquoted."""
    is_plain = isinstance(value, str) and re.fullmatch(_PLAIN, value) and value == value.strip()
    if is_plain and value.lower() not in _WORDS_OF_YAML:
        return str(value)
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub(_NOT_IN_YAML, lambda bare: f"\\u{ord(bare[0]):04x}", quoted)

"""Documents -> JSON, YAML or text on a stream, in UTF-8 whatever the locale, and no traceback for a closed pipe."""

import io
import json
import os
import sys
from collections.abc import Mapping, Sequence
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
        from query.yaml import as_yaml  # noqa: PLC0415  # compiling its patterns costs what a search takes

        return as_yaml(document)
    return as_text


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Two aligned columns."""
    width = max((len(left) for left, _ in rows), default=0)
    return "\n".join(f"{left:<{width}}  {right}" for left, right in rows)

"""Files of labelled questions: JSON lines, one row a question with what is expected of its answer."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from query.errors import RtckbError

#: A row of a labelled file; ``id`` is always there.
Labelled = Mapping[str, Any]


class BadLabels(RtckbError):
    """A labelled file that is not JSON lines of the documented form."""


def read_labelled(path: Path) -> list[Labelled]:
    """Read a labelled file; a row without an id is called by its line.

    Raises:
        BadLabels: names the file, the line, what was found and wanted.
    """
    rows: list[Labelled] = []
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadLabels(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadLabels(f"{path}:{number}: no JSON ({error}); wanted one object a line") from error
        if not _is_labelled(row):
            wanted = "an object with a query, and expect with status, top1 and relevant, or with paths or none"
            raise BadLabels(f"{path}:{number}: wanted {wanted}")
        rows.append({"id": str(number)} | row)
    if not rows:
        raise BadLabels(f"{path}: no rows")
    return rows


def _is_labelled(row: Any) -> bool:
    expect = row.get("expect") if isinstance(row, dict) else None
    return (
        isinstance(expect, dict)
        and isinstance(row.get("query"), str)
        and (_are_texts(expect.get("paths")) or expect.get("none") is True or _expects_slices(expect))
        and all(isinstance(row.get(name) or "", str) for name in ("product", "platform", "intent"))
    )


def _expects_slices(expect: Mapping[str, Any]) -> bool:
    return isinstance(expect.get("status"), str) and all(_are_texts(expect.get(name)) for name in ("top1", "relevant"))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_nim(row: Labelled) -> bool:
    """Whether a row expects units of the NIM base."""
    return "paths" in row["expect"] or "none" in row["expect"]

"""Measured calibration -> rows: what ``rtckb eval --calibrate --format json`` printed, handed to the next build."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from indexer.errors import BadCalibration
from indexer.rows import Row

_TEXTS, _COUNTS = ("command", "found_by", "grade"), ("answers", "correct")
_COMMANDS = frozenset({"trtc", "nim"})
_WANTED = "wanted what 'rtckb eval FILE.jsonl --calibrate --format json' printed"


def calibration_rows(paths: Iterable[Path]) -> list[Row]:
    """Rows of the table ``calibration``, sorted.

    Raises:
        BadCalibration: a file that is not of that form, or two that measured the same; names the file.
    """
    rows: dict[tuple[str, ...], Row] = {}
    for path in paths:
        for row in _read(path):
            place = tuple(row[name] for name in _TEXTS)
            if place in rows:
                raise BadCalibration(f"{path}: found {' '.join(place)} twice; wanted one measurement of each")
            rows[place] = row
    return [rows[place] for place in sorted(rows)]


def _read(path: Path) -> list[Row]:
    try:
        document = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise BadCalibration(f"{path}: cannot be read ({error}); {_WANTED}") from error
    found = document.get("calibration") if isinstance(document, dict) else None
    if not isinstance(found, list) or not all(map(_is_measured, found)):
        raise BadCalibration(f"{path}: found no calibration in it; {_WANTED}")
    return [{name: row[name] for name in (*_TEXTS, *_COUNTS)} for row in found]


def _is_measured(row: Any) -> bool:
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _TEXTS):
        return False
    if not all(type(row.get(name)) is int for name in _COUNTS):
        return False
    return row["command"] in _COMMANDS and 0 <= row["correct"] <= row["answers"] > 0

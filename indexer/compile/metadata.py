"""The facts of a build that go into ``meta``: nothing in them changes between two builds of equal sources.

Measured calibration -> rows: what ``rtckb eval --calibrate --format json`` printed, handed to the next build.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from indexer.compile import segment
from indexer.compile.rows import Row
from indexer.errors import BadCalibration
from indexer.lexicon import load_variants
from indexer.reading.nim.values import placeholder_phrases
from indexer.records import Finding, NimBase, Status, TrtcBase
from indexer.store.database import schema_sql
from query.analysis.tokens import PLACEHOLDERS_KEY
from query.integrity import SCHEMA_VERSION


def build_inputs(
    trtc: Path | None, nim: Path | None, redacted: bool = False, measured: Sequence[Row] = ()
) -> dict[str, str]:
    """What is known before anything is read: versions, tokenizer, this builder, redaction, calibration, commits."""
    variants = load_variants()
    return {
        "schema_version": str(SCHEMA_VERSION),
        "tokenizer": segment.identity(),
        "builder": _builder(),
        "redacted": str(int(redacted)),
        "calibration": hashlib.sha256(json.dumps(measured).encode()).hexdigest()[:16] if measured else "",
        "variants_from": "".join(map(chr, sorted(variants))),
        "variants_to": "".join(variants[character] for character in sorted(variants)),
        PLACEHOLDERS_KEY: "\n".join(sorted(placeholder_phrases() - {""})),
        "trtc.commit": _commit(trtc),
        "nim.commit": _commit(nim),
    }


def counts(trtc: TrtcBase, nim: NimBase, findings: Iterable[Finding], copy_of: Mapping[int, int]) -> dict[str, int]:
    """The counts that ``info`` shows, flat: base.name -> number."""
    entries = sum(1 for unit in nim.units if unit.entry)
    by_status = {status: sum(file.status == status for file in nim.files) for status in Status}
    return {
        "trtc.slices": len(trtc.slices),
        "trtc.planned": sum(record.planned for record in trtc.slices),
        "trtc.scenarios": len(trtc.scenarios),
        "trtc.files_seen": len(trtc.files),
        "trtc.findings": sum(1 for finding in findings if finding.base == "trtc"),
        "nim.files_seen": len(nim.files),
        "nim.files_read": by_status[Status.READ],
        "nim.files_repaired": by_status[Status.REPAIRED],
        "nim.files_rejected": by_status[Status.REJECTED],
        "nim.units": len(nim.units),
        "nim.cases": len(nim.units) - entries,
        "nim.entries": entries,
        "nim.duplicates": sum(1 for number, first in copy_of.items() if number != first),
    }


def as_meta(found: Mapping[str, int]) -> dict[str, str]:
    """Counts as rows of ``meta``."""
    return {f"count.{name}": str(number) for name, number in found.items()}


def as_counts(meta: Mapping[str, str]) -> dict[str, int]:
    """The inverse of ``as_meta``, over a whole ``meta``."""
    return {key.removeprefix("count."): int(value) for key, value in meta.items() if key.startswith("count.")}


@cache
def _builder() -> str:
    """A hash of the code and data that decide what a build writes; another builder reuses no finished file."""
    digest = hashlib.sha256(schema_sql().encode())
    for package in ("indexer", "query.analysis"):
        for name, item in sorted(_walk(files(package), package)):
            digest.update(name.encode() + b"\0" + item.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _walk(folder: Traversable, name: str) -> Iterable[tuple[str, Traversable]]:
    for item in folder.iterdir():
        if item.is_dir() and item.name not in {"__pycache__", "plugin", "sample"}:
            yield from _walk(item, f"{name}/{item.name}")
        elif item.name.endswith((".py", ".yaml", ".tsv")):
            yield f"{name}/{item.name}", item


def _commit(folder: Path | None) -> str:
    """The commit of a source that is a git work tree of its own (it or its parent holds .git); else empty."""
    if folder is None or not any((place / ".git").exists() for place in (folder, folder.resolve().parent)):
        return ""
    argv = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


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

"""The facts of a build that are stored in ``meta``, and the rows of ``calibration``.

All facts are the same in two builds of equal sources. Those known before the sources are read also decide whether an
existing file is up to date.
"""

import hashlib
import json
import sqlite3
import subprocess
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

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
    """The facts known before the sources are read: versions, tokenizer, builder, redaction, calibration, commits."""
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


def libraries() -> str:
    """The versions of Unicode, PyYAML and SQLite: with other ones, equal sources may give other bytes.

    A file of other versions is not up to date. They are stored outside ``meta``, which the content hash covers: equal
    sources give an equal content hash under any version.
    """
    versions = {"Unicode": unicodedata.unidata_version, "PyYAML": yaml.__version__, "SQLite": sqlite3.sqlite_version}
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def counts(trtc: TrtcBase, nim: NimBase, findings: Iterable[Finding], copy_of: Mapping[int, int]) -> dict[str, int]:
    """The counts that ``info`` prints: "base.name" -> number."""
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


def as_meta(counted: Mapping[str, int]) -> dict[str, str]:
    """Counts as facts of ``meta``."""
    return {f"count.{name}": str(number) for name, number in counted.items()}


def as_counts(meta: Mapping[str, str]) -> dict[str, int]:
    """The counts among all facts of ``meta``: the inverse of ``as_meta``."""
    return {key.removeprefix("count."): int(value) for key, value in meta.items() if key.startswith("count.")}


@cache
def _builder() -> str:
    """A hash of the code and data that decide what a build writes: a file of another builder is not up to date."""
    digest = hashlib.sha256(schema_sql().encode())
    for package in ("indexer", "query.analysis"):
        for name, item in sorted(_source_files(files(package), package)):
            digest.update(name.encode() + b"\0" + item.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _source_files(folder: Traversable, name: str) -> Iterable[tuple[str, Traversable]]:
    for item in folder.iterdir():
        if item.is_dir() and item.name not in {"__pycache__", "plugin", "sample"}:
            yield from _source_files(item, f"{name}/{item.name}")
        elif item.name.endswith((".py", ".yaml", ".tsv")):
            yield f"{name}/{item.name}", item


def _commit(folder: Path | None) -> str:
    """The commit of a source whose folder, or the folder above it, is a git work tree; else an empty text."""
    if folder is None or not any((root / ".git").exists() for root in (folder, folder.resolve().parent)):
        return ""
    argv = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


_TEXTS, _COUNTS = ("command", "found_by", "grade"), ("answers", "correct")
_WANTED = "wanted what 'rtckb eval FILE.jsonl --calibrate --format json' printed"


def calibration_rows(paths: Iterable[Path]) -> list[Row]:
    """The rows of ``calibration``, sorted, from files that ``rtckb eval --calibrate --format json`` printed.

    Raises:
        BadCalibration: a file does not have that form, or two files measured the same; the message names the file.
    """
    rows: dict[tuple[str, ...], Row] = {}
    for path in paths:
        for row in _measured_in(path):
            key = tuple(row[name] for name in _TEXTS)
            if key in rows:
                raise BadCalibration(f"{path}: found {' '.join(key)} twice; wanted one measurement of each")
            rows[key] = row
    return [rows[key] for key in sorted(rows)]


def _measured_in(path: Path) -> list[Row]:
    try:
        document = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise BadCalibration(f"{path}: cannot be read ({error}); {_WANTED}") from error
    found = document.get("calibration") if isinstance(document, dict) else None
    if not isinstance(found, list) or not all(map(_is_valid, found)):
        raise BadCalibration(f"{path}: found no calibration in it; {_WANTED}")
    return [{name: row[name] for name in (*_TEXTS, *_COUNTS)} for row in found]


def _is_valid(row: Any) -> bool:
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _TEXTS):
        return False
    if not all(type(row.get(name)) is int for name in _COUNTS):
        return False
    return row["command"] in {"trtc", "nim"} and 0 <= row["correct"] <= row["answers"] > 0

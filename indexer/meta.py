"""The facts of a build that go into ``meta``: nothing in them changes between two builds of equal sources."""

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from fileformat.tokens import PLACEHOLDERS_KEY
from fileformat.version import SCHEMA_VERSION
from indexer import segment
from indexer.lexicon import load_variants
from indexer.records import Finding, NimBase, Status, TrtcBase
from indexer.rows import Row
from indexer.schema import schema_sql
from indexer.sources.nim_values import placeholder_phrases


def standing(
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
    for package in ("indexer", "fileformat"):
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

"""What an older file at the target lends to the next build: its segmentation, or, if nothing changed, itself."""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from fileformat.digest import DIGEST_KEY, SEAL_KEY, logical_digest, seal
from fileformat.version import APPLICATION_ID
from indexer import segment


@dataclass(frozen=True, slots=True)
class Earlier:
    """An older file: empty where there is none, or where it is not ours or damaged.

    ``hashes`` is its ledger: (base, path) -> SHA-256; ``findings`` how many of each severity it lists.
    """

    meta: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    segmentation: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    intact: bool = False


def look_at(target: Path) -> Earlier:
    """Read what ``target`` can lend: nothing, unless it holds what its hashes say; never fails."""
    if not target.is_file():
        return Earlier()
    try:
        with _opened(target) as old:
            (application,) = old.execute("PRAGMA application_id").fetchone()
            meta = dict(old.execute("SELECT key, value FROM meta")) if application == APPLICATION_ID else {}
            if not _is_sound(old, meta) or _is_write_ahead(target):
                return Earlier()
            row = old.execute("SELECT runs FROM segmentation WHERE tokenizer = ?", (segment.identity(),)).fetchone()
            ledger = old.execute("SELECT base, path, sha256 FROM source_file").fetchall()
            found = dict(old.execute("SELECT severity, count(*) FROM finding GROUP BY severity ORDER BY severity"))
        words = segment.unpack(row[0]) if row else {}
    except (sqlite3.DatabaseError, ValueError, TypeError):
        return Earlier()
    return Earlier(meta, {(base, path): sha for base, path, sha in ledger}, words, found, bool(row))


def _is_sound(old: sqlite3.Connection, meta: Mapping[str, str]) -> bool:
    """Whether a file's structure holds, and it says and holds what its hashes say."""
    if old.execute("PRAGMA quick_check").fetchone() != ("ok",):
        return False
    return meta.get(DIGEST_KEY) == logical_digest(old) and meta.get(SEAL_KEY) == seal(old)


def _is_write_ahead(target: Path) -> bool:
    with target.open("rb") as file:
        return file.read(20)[18:20] != b"\1\1"


def holds_other_sources(target: Path) -> bool:
    """Whether ``target`` is an index of something else than the sample, whose index.yaml its ledger would name."""
    if not target.is_file():
        return False
    sample = files("indexer").joinpath("sample", "trtc", "knowledge-base", "index.yaml").read_bytes()
    ledger = look_at(target).hashes
    return bool(ledger) and hashlib.sha256(sample).hexdigest() not in ledger.values()


def digest_of(earlier: Earlier) -> str:
    """The digest that the older file states."""
    return earlier.meta.get(DIGEST_KEY, "")


@contextmanager
def _opened(target: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{target.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as old:
        yield old

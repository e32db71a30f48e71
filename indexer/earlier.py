"""What an older file at the target lends to the next build: its segmentation, or, if nothing changed, itself."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fileformat.digest import DIGEST_KEY, logical_digest
from fileformat.version import APPLICATION_ID
from indexer import segment


@dataclass(frozen=True, slots=True)
class Earlier:
    """An older file: empty where there is none, or where it is not ours or damaged.

    ``hashes`` is its ledger: (base, path) -> SHA-256; ``findings`` how many it lists.
    """

    meta: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    segmentation: Mapping[str, str] = field(default_factory=dict)
    findings: int = 0
    intact: bool = False


def look_at(target: Path) -> Earlier:
    """Read what ``target`` can lend; never fails."""
    if not target.is_file():
        return Earlier()
    try:
        with _opened(target) as old:
            (application,) = old.execute("PRAGMA application_id").fetchone()
            if application != APPLICATION_ID:
                return Earlier()
            meta = dict(old.execute("SELECT key, value FROM meta"))
            row = old.execute("SELECT runs FROM segmentation WHERE tokenizer = ?", (segment.identity(),)).fetchone()
            ledger = old.execute("SELECT base, path, sha256 FROM source_file").fetchall()
            ((findings,),) = old.execute("SELECT count(*) FROM finding").fetchall()
        words = segment.unpack(row[0]) if row else {}
    except (sqlite3.DatabaseError, ValueError, TypeError):
        return Earlier()
    return Earlier(meta, {(base, path): sha for base, path, sha in ledger}, words, findings, bool(row))


def is_sound(target: Path, digest: str) -> bool:
    """Whether a file still says what its digest says, and its structure holds."""
    try:
        with _opened(target) as old:
            structure = old.execute("PRAGMA quick_check").fetchone() == ("ok",)
            return structure and digest == logical_digest(old)
    except sqlite3.DatabaseError:
        return False


def digest_of(earlier: Earlier) -> str:
    """The digest that the older file states."""
    return earlier.meta.get(DIGEST_KEY, "")


@contextmanager
def _opened(target: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{target.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as old:
        yield old

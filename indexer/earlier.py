"""What an older file at the target lends to the next build: its segmentation, or, if nothing changed, itself."""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from fileformat.digest import DIGEST_KEY, mismatch
from fileformat.version import SCHEMA_VERSION
from indexer import segment
from indexer.header import read_header

#: What reading a damaged file, or one of another version, can raise.
_UNREADABLE = (sqlite3.DatabaseError, ValueError, TypeError)


@dataclass(frozen=True, slots=True)
class Earlier:
    """An older file: empty where there is none, or where it is not ours, damaged, or of another version.

    ``hashes`` is its ledger: (base, path) -> SHA-256; ``findings`` how many of each severity it lists.
    """

    meta: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    segmentation: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    intact: bool = False


def look_at(target: Path) -> Earlier:
    """Read what ``target`` can lend: nothing, unless it is of this version and sound; never fails."""
    header = read_header(target)
    if header is None or not header.is_ours or header.version != SCHEMA_VERSION or header.write_ahead:
        return Earlier()
    meta = facts_if_sound(target)
    if not meta:
        return Earlier()
    try:
        with _opened(target) as old:
            row = old.execute("SELECT runs FROM segmentation WHERE tokenizer = ?", (segment.identity(),)).fetchone()
            ledger = old.execute("SELECT base, path, lower(hex(sha256)) FROM source_file").fetchall()
            found = dict(old.execute("SELECT severity, count(*) FROM finding GROUP BY severity ORDER BY severity"))
        words = segment.unpack(row[0]) if row else {}
    except _UNREADABLE:
        return Earlier()
    return Earlier(meta, {(base, path): sha for base, path, sha in ledger}, words, found, bool(row))


def facts_if_sound(target: Path) -> Mapping[str, str]:
    """The facts in a file of ours whose structure holds, and which says and holds what its hashes say; else none."""
    try:
        with _opened(target) as old:
            if old.execute("PRAGMA quick_check").fetchone() != ("ok",):
                return {}
            meta = dict(old.execute("SELECT key, value FROM meta"))
            return {} if mismatch(old) else meta
    except _UNREADABLE:
        return {}


def facts(target: Path) -> Mapping[str, str]:
    """What a file of ours says of itself, whatever its version, and whether or not it is sound; else nothing."""
    header = read_header(target)
    if header is None or not header.is_ours:
        return {}
    try:
        with _opened(target) as old:
            return dict(old.execute("SELECT key, value FROM meta"))
    except _UNREADABLE:
        return {}


def holds_other_sources(target: Path) -> bool:
    """Whether ``target`` is a file of ours, of whatever version, that is not known to be the sample's.

    The sample's is known by its index.yaml, which the ledger names. A ledger that cannot be read names nothing.
    """
    header = read_header(target)
    if header is None or not header.is_ours:
        return False
    sample = files("indexer").joinpath("sample", "trtc", "knowledge-base", "index.yaml").read_bytes()
    digest = hashlib.sha256(sample)
    either = (digest.digest(), digest.hexdigest())  # before version 3, hashes were text
    try:
        with _opened(target) as old:
            return old.execute("SELECT 1 FROM source_file WHERE sha256 IN (?, ?)", either).fetchone() is None
    except _UNREADABLE:
        return True


def digest_of(meta: Mapping[str, str]) -> str:
    """The digest that a file states among its facts."""
    return meta.get(DIGEST_KEY, "")


@contextmanager
def _opened(target: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{target.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as old:
        yield old

"""What an older file at the target lends to the next build: its segmentation, or, if nothing changed, itself.

What the first bytes of an SQLite file tell, also of one that is damaged or of another version of ours.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from indexer.compile import segment
from query.integrity import APPLICATION_ID, DIGEST_KEY, SCHEMA_VERSION, mismatch

#: What reading a damaged file, or one of another version, can raise.
_UNREADABLE = (sqlite3.DatabaseError, ValueError, TypeError)


@dataclass(frozen=True, slots=True)
class Previous:
    """An older file: empty where there is none, or where it is not ours, damaged, or of another version.

    ``hashes`` is its ledger: (base, path) -> SHA-256; ``findings`` how many of each severity it lists.
    """

    meta: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    segmentation: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    intact: bool = False


def read_previous(target: Path) -> Previous:
    """Read what ``target`` can lend: nothing, unless it is of this version and sound; never fails."""
    header = read_header(target)
    if header is None or not header.is_rtckb or header.version != SCHEMA_VERSION or header.write_ahead:
        return Previous()
    meta = verified_facts(target)
    if not meta:
        return Previous()
    try:
        with _opened(target) as old:
            row = old.execute("SELECT runs FROM segmentation WHERE tokenizer = ?", (segment.identity(),)).fetchone()
            ledger = old.execute("SELECT base, path, lower(hex(sha256)) FROM source_file").fetchall()
            found = dict(old.execute("SELECT severity, count(*) FROM finding GROUP BY severity ORDER BY severity"))
        words = segment.unpack(row[0]) if row else {}
    except _UNREADABLE:
        return Previous()
    return Previous(meta, {(base, path): sha for base, path, sha in ledger}, words, found, bool(row))


def verified_facts(target: Path) -> Mapping[str, str]:
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
    if header is None or not header.is_rtckb:
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
    if header is None or not header.is_rtckb:
        return False
    sample = files("indexer").joinpath("data", "sample", "trtc", "knowledge-base", "index.yaml").read_bytes()
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


#: SQLite file format, 1.3: how a file begins, and where in its first bytes what stands.
_MAGIC = b"SQLite format 3\0"
_MODES, _VERSION, _APPLICATION = slice(18, 20), slice(60, 64), slice(68, 72)
#: Both mode bytes of a file without a write-ahead log.
_ROLLBACK = b"\1\1"


class Header(NamedTuple):
    """``application``: PRAGMA application_id; ``version``: PRAGMA user_version; ``write_ahead``: a log may belong."""

    application: int
    version: int
    write_ahead: bool

    @property
    def is_rtckb(self) -> bool:
        """Whether some version of rtckb wrote the file."""
        return self.application == APPLICATION_ID


def read_header(path: Path) -> Header | None:
    """The header of ``path``; None where that is no SQLite file, or none that can be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(_APPLICATION.stop)
    except OSError:
        return None
    if not head.startswith(_MAGIC):
        return None
    return Header(_number(head[_APPLICATION]), _number(head[_VERSION]), head[_MODES] != _ROLLBACK)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)

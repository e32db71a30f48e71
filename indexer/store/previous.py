"""The index file that a build is about to replace: its header, its facts, and what the next build takes from it.

The next build reuses the segmentation stored in the file, or the whole file if nothing has changed since.
"""

import bz2
import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from query.integrity import APPLICATION_ID, SCHEMA_VERSION, mismatch

#: Errors that a damaged file, or one of another version, can cause.
_UNREADABLE = (sqlite3.DatabaseError, OSError, ValueError, TypeError)
#: The first bytes of an SQLite file, and the positions of some numbers in them (SQLite file format, section 1.3).
_MAGIC = b"SQLite format 3\0"
_MODES, _USER_VERSION, _APPLICATION_ID = slice(18, 20), slice(60, 64), slice(68, 72)
#: Both mode bytes of a file without a write-ahead log.
_ROLLBACK = b"\1\1"


@dataclass(frozen=True, slots=True)
class Previous:
    """What the next build can use of a file; all empty if there is none, or it is damaged or of another version.

    ``source_hashes``: (base, path) -> SHA-256 of each source file; ``findings``: how many of each severity;
    ``libraries``: the versions it was built with; ``intact``: it may stay if no source has changed.
    """

    meta: Mapping[str, str] = field(default_factory=dict)
    source_hashes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    segmentation: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    libraries: str = ""
    intact: bool = False


def read_previous(target: Path, tokenizer: str) -> Previous:
    """Read what the next build can use of ``target``; its segmentation only if ``tokenizer`` made it. Never fails."""
    header = read_header(target)
    if header is None or not header.is_rtckb or header.version != SCHEMA_VERSION or header.write_ahead:
        return Previous()
    meta = verified_meta(target)
    if not meta:
        return Previous()
    try:
        with _opened(target) as old:
            sql = "SELECT libraries, runs FROM segmentation WHERE tokenizer = ?"
            libraries, runs = old.execute(sql, (tokenizer,)).fetchone() or ("", None)
            hashes = old.execute("SELECT base, path, lower(hex(sha256)) FROM source_file").fetchall()
            found = dict(old.execute("SELECT severity, count(*) FROM finding GROUP BY severity ORDER BY severity"))
        words = unpack_segmentation(runs) if runs is not None else {}
    except _UNREADABLE:
        return Previous()
    return Previous(meta, {(base, path): sha for base, path, sha in hashes}, words, found, libraries, runs is not None)


def verified_meta(target: Path) -> Mapping[str, str]:
    """The facts of an rtckb file of this version whose structure and hashes are right; else an empty mapping."""
    try:
        with _opened(target) as old:
            if old.execute("PRAGMA quick_check").fetchone() != ("ok",) or mismatch(old):
                return {}
            return dict(old.execute("SELECT key, value FROM meta"))
    except _UNREADABLE:
        return {}


def read_meta(target: Path) -> Mapping[str, str]:
    """The facts of an rtckb file of any version, verified or not; else an empty mapping."""
    if not _is_rtckb(target):
        return {}
    try:
        with _opened(target) as old:
            return dict(old.execute("SELECT key, value FROM meta"))
    except _UNREADABLE:
        return {}


def holds_other_sources(target: Path) -> bool:
    """Whether ``target`` is an rtckb file, of any version, that is not known to be built from the embedded sample.

    The sample is recognized by the hash of its index.yaml. A file whose source hashes cannot be read is another one.
    """
    if not _is_rtckb(target):
        return False
    sample = files("indexer").joinpath("data", "sample", "trtc", "knowledge-base", "index.yaml").read_bytes()
    digest = hashlib.sha256(sample)
    either = (digest.digest(), digest.hexdigest())  # before version 3, hashes were text
    try:
        with _opened(target) as old:
            return old.execute("SELECT 1 FROM source_file WHERE sha256 IN (?, ?)", either).fetchone() is None
    except _UNREADABLE:
        return True


@contextmanager
def _opened(target: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{target.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as old:
        yield old


def pack_segmentation(words: Mapping[str, str]) -> bytes:
    """The words of all Han runs as one compressed text, sorted, so that equal sources give equal bytes."""
    return bz2.compress("\n".join(sorted(words.values())).encode())


def unpack_segmentation(blob: bytes) -> dict[str, str]:
    """The inverse of ``pack_segmentation``: each run is the concatenation of its words, without their parts."""
    lines = bz2.decompress(blob).decode().split("\n")
    return {"".join(word.rpartition("\t")[2] for word in line.split(" ")): line for line in lines if line}


class Header(NamedTuple):
    """``application``: PRAGMA application_id; ``version``: PRAGMA user_version; ``write_ahead``: in WAL mode."""

    application: int
    version: int
    write_ahead: bool

    @property
    def is_rtckb(self) -> bool:
        """Whether some version of rtckb wrote the file."""
        return self.application == APPLICATION_ID


def read_header(path: Path) -> Header | None:
    """The header of an SQLite file, read without SQLite; None if ``path`` is none, or cannot be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(_APPLICATION_ID.stop)
    except OSError:
        return None
    if not head.startswith(_MAGIC):
        return None
    application, version = (int.from_bytes(head[part], "big", signed=True) for part in (_APPLICATION_ID, _USER_VERSION))
    return Header(application, version, head[_MODES] != _ROLLBACK)


def _is_rtckb(path: Path) -> bool:
    header = read_header(path)
    return header is not None and header.is_rtckb

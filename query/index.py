"""Opens an index read-only, checks that it is one, and turns every driver error into one of ours."""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from fileformat.fold import Variants
from fileformat.version import APPLICATION_ID, SCHEMA_VERSION
from query.errors import IndexMissing, IndexTooNew, IndexTooOld, IndexUnreadable, NotAnIndex

Row = tuple[Any, ...]


class Index:
    """One open index. Not for several threads at a time; open one each."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path

    def rows(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """All rows of a statement with bound parameters.

        Raises:
            IndexUnreadable: the file is damaged.
        """
        with _ours(self.path):
            return self._connection.execute(sql, parameters).fetchall()

    @cached_property
    def meta(self) -> dict[str, str]:
        """The facts of the build."""
        return dict(self.rows("SELECT key, value FROM meta"))

    @cached_property
    def variants(self) -> Variants:
        """Traditional -> simplified characters, as the index was built with."""
        return str.maketrans(self.meta.get("variants_from", ""), self.meta.get("variants_to", ""))

    @property
    def connection(self) -> sqlite3.Connection:
        """The driver's connection, for the digest."""
        return self._connection


@contextlib.contextmanager
def open_index(path: Path) -> Iterator[Index]:
    """Open ``path`` for reading only; no file is ever created, and nothing in it can run code.

    Raises:
        IndexUnusable: one subclass per cause.
    """
    _check_file(path)
    with _ours(path):
        connection = sqlite3.connect(_uri(path), uri=True, isolation_level=None)
    try:
        with _ours(path):
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            _check_version(connection, path)
        yield Index(connection, path)
    finally:
        connection.close()


def _uri(path: Path) -> str:
    """A percent-encoded file: URI (cases.md A23); immutable where no write-ahead log lies beside the file."""
    immutable = "" if path.with_name(path.name + "-wal").exists() else "&immutable=1"
    return f"{path.resolve().as_uri()}?mode=ro{immutable}"


def _check_file(path: Path) -> None:
    if not path.exists():
        raise IndexMissing(f"{path}: no such file; build one with 'rtckb build -o {path}' or name another with --db")
    if path.is_dir():
        raise IndexUnreadable(f"{path}: is a folder; wanted an rtckb index file")
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise IndexUnreadable(f"{path}: cannot be read ({error.strerror})") from error
    if not head:
        raise NotAnIndex(f"{path}: is empty; wanted an rtckb index file (build it again)")
    if not head.startswith(b"SQLite format 3\0"):
        what = "a Git LFS pointer" if head.startswith(b"version https://git-lfs") else "no SQLite database"
        raise NotAnIndex(f"{path}: is {what}; wanted an rtckb index file")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise NotAnIndex(f"{path}: a database of another program (application id {application}); wanted an rtckb index")
    if version < SCHEMA_VERSION:
        raise IndexTooOld(f"{path}: schema version {version}, wanted {SCHEMA_VERSION}; rebuild it with 'rtckb build'")
    if version > SCHEMA_VERSION:
        raise IndexTooNew(f"{path}: schema version {version}, wanted {SCHEMA_VERSION}; upgrade rtckb")
    connection.execute("SELECT term FROM slice_vocabulary LIMIT 1").fetchone()


@contextlib.contextmanager
def _ours(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise IndexUnreadable(f"{path}: {error}; the file is damaged, or this Python's SQLite lacks FTS5") from error

"""Opens an index file for reading only, after checks of what the file is. Driver errors become errors of ours."""

import contextlib
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from query.errors import IndexMissing, IndexTooNew, IndexTooOld, IndexUnreadable, NotAnIndex
from query.integrity import APPLICATION_ID, SCHEMA_VERSION

_FOREIGN = "SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index')"


def connect(path: Path) -> sqlite3.Connection:
    """Connect to an index. No file is ever created, and nothing in the file can run code.

    Any thread may use the connection, but only one at a time.

    Raises:
        IndexUnusable: one subclass per cause.
    """
    uri = uri_of(path)
    with translate_errors(path):
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            _check_version(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


@contextlib.contextmanager
def translate_errors(path: Path | str) -> Iterator[None]:
    """Within this block, errors of SQLite become ``IndexUnreadable``."""
    try:
        yield
    except sqlite3.Error as error:
        reason = " ".join(str(error).split())[:200]  # it may quote a whole text of the file
        raise IndexUnreadable(f"{path}: {reason}; the file is damaged, or this Python's SQLite lacks FTS5") from error


def uri_of(path: Path) -> str:
    """A percent-encoded ``file:`` URI, so that no character of the name has a meaning in it.

    The file is opened as immutable. Otherwise SQLite would replay a write-ahead log that another file of the same
    name has left behind. Only a file that someone has put into write-ahead mode is read together with its log.
    """
    write_ahead = _header(path)[18:20] == b"\2\2" and path.with_name(path.name + "-wal").exists()
    return f"{path.resolve().as_uri()}?mode=ro{'' if write_ahead else '&immutable=1'}"


def _header(path: Path) -> bytes:
    """The first bytes of a SQLite database."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IndexUnreadable(f"{path}: is a folder; wanted an rtckb index file")
        if not stat.S_ISREG(mode):
            raise IndexUnreadable(f"{path}: is no regular file; wanted an rtckb index file")
        with path.open("rb") as file:
            header = file.read(64)
    except (FileNotFoundError, NotADirectoryError) as error:
        wanted = f"build one with 'rtckb build -o {path}' or name another with --db"
        raise IndexMissing(f"{path}: no such file; {wanted}") from error
    except OSError as error:
        raise IndexUnreadable(f"{path}: cannot be read ({error.strerror})") from error
    if not header:
        raise NotAnIndex(f"{path}: is empty; wanted an rtckb index file (build it again)")
    if not header.startswith(b"SQLite format 3\0"):
        found = "a Git LFS pointer" if header.startswith(b"version https://git-lfs") else "no SQLite database"
        raise NotAnIndex(f"{path}: is {found}; wanted an rtckb index file")
    return header


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
    if connection.execute(_FOREIGN).fetchone() is not None:
        raise IndexUnreadable(f"{path}: damaged or altered: holds a view or a trigger, which no build makes")

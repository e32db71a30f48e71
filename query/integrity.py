"""The marks of an rtckb file, and the two hashes by which its content and its storage are checked.

The content hash covers what a file states. Equal sources give the same content hash, whichever version of SQLite
wrote the file. The storage hash covers the rest: the schema, the records of the build and the full-text indexes.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

#: PRAGMA application_id of every rtckb file: the letters RTCK.
APPLICATION_ID = 1381253963
#: PRAGMA user_version that this code reads and writes. schema.sql lists the history of versions.
SCHEMA_VERSION = 4
#: Keys of ``meta`` under which the content hash and the storage hash are stored.
DIGEST_KEY, STORAGE_HASH_KEY = "digest", "storage_hash"
#: Tables outside the content hash: records of the build, and packed copies of what other tables hold.
_BUILD_TABLES = {"nim_posting", "segmentation", "source_file"}
_TYPES = {str: "t", int: "i", bytes: "b", float: "f"}


def content_hash(connection: sqlite3.Connection) -> str:
    """SHA-256 over the rows of every content table in key order, without the hashes in ``meta``.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    return _sha256(_table_bytes(connection, content_tables(connection)))


def storage_hash(connection: sqlite3.Connection) -> str:
    """SHA-256 over what the content hash leaves out.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    ordinary, shadows = _tables(connection)
    schema = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")
    tables = [*sorted(_BUILD_TABLES.intersection(ordinary)), *shadows]
    return _sha256([*map(_row_bytes, schema), *_table_bytes(connection, tables)])


def mismatch(connection: sqlite3.Connection) -> str:
    """Which hash differs from the stored one, and both values; empty if both agree.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    for key, compute in ((DIGEST_KEY, content_hash), (STORAGE_HASH_KEY, storage_hash)):
        stored, found = meta.get(key, "none"), compute(connection)
        if stored != found:
            return f"its content does not match its {key} (stored {stored}, found {found})"
    return ""


def content_tables(connection: sqlite3.Connection) -> list[str]:
    """The tables that the content hash covers, by name."""
    ordinary, _ = _tables(connection)
    return [table for table in ordinary if table not in _BUILD_TABLES]


def _tables(connection: sqlite3.Connection) -> tuple[list[str], list[str]]:
    """Ordinary tables, and the shadow tables in which FTS5 stores the virtual ones."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    virtual = [name for name, sql in rows if sql and sql.upper().startswith("CREATE VIRTUAL")]
    prefixes = tuple(f"{name}_" for name in virtual)
    names = [name for name, _ in rows if not name.startswith("sqlite_") and name not in virtual]
    shadows = [name for name in names if name.startswith(prefixes)]
    return [name for name in names if name not in shadows], shadows


def _table_bytes(connection: sqlite3.Connection, tables: Iterable[str]) -> Iterator[bytes]:
    for table in tables:
        columns = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
        order = ", ".join(str(number) for number in range(1, len(columns) + 1))
        yield b"T" + _row_bytes([table])  # no value has this type: where a table begins is never in doubt
        for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY {order}'):  # noqa: S608  # own table names
            if table != "meta" or row[0] not in {DIGEST_KEY, STORAGE_HASH_KEY}:
                yield _row_bytes(row)


def _row_bytes(row: Sequence[Any]) -> bytes:
    """A row as bytes that no other row gives: each value as its type, its length in characters, and its text."""
    return "".join(map(_value_text, row)).encode()


def _value_text(value: Any) -> str:
    if value is None:
        return "n"
    text = value.hex() if isinstance(value, bytes) else str(value)
    return f"{_TYPES[type(value)]}{len(text)}:{text}"


def _sha256(parts: Iterable[bytes]) -> str:
    import hashlib  # noqa: PLC0415  # loads OpenSSL, which no search needs

    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()

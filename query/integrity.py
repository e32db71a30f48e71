"""Two hashes of a file: what it says, whatever SQLite wrote it, and everything else that it holds.

The marks by which a file is known to be ours, and of the version that this code reads (schema.sql).
"""

import hashlib
import sqlite3
from collections.abc import Iterable

#: Rows of ``meta`` that hold the hashes themselves.
DIGEST_KEY, STORAGE_HASH_KEY = "digest", "seal"
#: Tables that tell how the file came about, or say once more, packed, what others say.
_BUILD_TABLES = {"nim_posting", "segmentation", "source_file"}


def content_hash(connection: sqlite3.Connection) -> str:
    """SHA-256 over the rows of every ordinary table in key order, without the hashes in ``meta``.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    return _hash(connection, _content_tables(connection))


def table_digests(connection: sqlite3.Connection) -> dict[str, str]:
    """Each table that the digest covers -> the SHA-256 of its rows.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    return {table: _hash(connection, [table]) for table in _content_tables(connection)}


def storage_hash(connection: sqlite3.Connection) -> str:
    """SHA-256 over what the digest leaves out: the schema, the build ledger, the full-text indexes.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    ordinary, shadows = _tables(connection)
    statements = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
    return _hash(connection, [*sorted(_BUILD_TABLES & set(ordinary)), *shadows], repr(statements))


def mismatch(connection: sqlite3.Connection) -> str:
    """Which hash does not hold, with what is stored and found; empty where both hold.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    for key, compute in ((DIGEST_KEY, content_hash), (STORAGE_HASH_KEY, storage_hash)):
        stored, found = meta.get(key, "none"), compute(connection)
        if stored != found:
            return f"its content does not match its {key} (stored {stored}, found {found})"
    return ""


def _hash(connection: sqlite3.Connection, tables: Iterable[str], begin: str = "") -> str:
    digest = hashlib.sha256(begin.encode("utf-8", "replace"))
    for table in tables:
        digest.update(f"\x1d{table}\x1e".encode())
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        order = ", ".join(str(number + 1) for number in range(len(columns)))
        for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY {order}'):  # noqa: S608  # own table names
            if table == "meta" and row[0] in {DIGEST_KEY, STORAGE_HASH_KEY}:
                continue
            digest.update("\x1f".join(map(str, row)).encode("utf-8", "replace") + b"\x1e")
    return digest.hexdigest()


def _content_tables(connection: sqlite3.Connection) -> list[str]:
    """The tables that hold what a file says."""
    ordinary, _ = _tables(connection)
    return [table for table in ordinary if table not in _BUILD_TABLES]


def _tables(connection: sqlite3.Connection) -> tuple[list[str], list[str]]:
    """Ordinary tables, and the shadow tables that carry the virtual ones."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    virtual = [name for name, sql in rows if sql and sql.upper().startswith("CREATE VIRTUAL")]
    prefixes = tuple(f"{name}_" for name in virtual)
    names = [name for name, _ in rows if not name.startswith("sqlite_") and name not in virtual]
    shadows = [name for name in names if name.startswith(prefixes)]
    return [name for name in names if name not in shadows], shadows


#: PRAGMA application_id of every rtckb file: the letters RTCK.
APPLICATION_ID = 1381253963

#: PRAGMA user_version that this code reads and writes; schema.sql tells the history.
SCHEMA_VERSION = 3

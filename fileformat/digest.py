"""The logical digest: a hash of what a file says, whatever the SQLite version that wrote it."""

import hashlib
import sqlite3

DIGEST_KEY = "digest"
#: Rows that tell how the file came about, not what it says.
_LEFT_OUT = {"segmentation", "source_file"}


def logical_digest(connection: sqlite3.Connection) -> str:
    """SHA-256 over the rows of every ordinary table in key order, without ``meta.digest`` itself.

    The full-text tables follow from the others and are covered by the integrity check.
    """
    digest = hashlib.sha256()
    for table in _tables(connection):
        digest.update(f"\x1d{table}\x1e".encode())
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        order = ", ".join(str(number + 1) for number in range(len(columns)))
        for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY {order}'):  # noqa: S608  # own table names
            if table == "meta" and row[0] == DIGEST_KEY:
                continue
            digest.update("\x1f".join(map(str, row)).encode("utf-8", "replace") + b"\x1e")
    return digest.hexdigest()


def _tables(connection: sqlite3.Connection) -> list[str]:
    """Ordinary tables only: neither virtual ones nor the shadow tables that carry them."""
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    virtual = [name for name, sql in rows if sql and sql.upper().startswith("CREATE VIRTUAL")]
    shadows = tuple(f"{name}_" for name in virtual)
    ordinary = (name for name, _ in rows if not name.startswith("sqlite_") and name not in virtual)
    return [name for name in ordinary if name not in _LEFT_OUT and not name.startswith(shadows)]

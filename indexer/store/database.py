"""Rows and words -> a database file, in one transaction, in a fixed order. The only module that uses sqlite-utils.

Where schema.sql lies: beside the packages in a checkout, inside this one in a wheel.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlite_utils

from query.integrity import DIGEST_KEY, STORAGE_HASH_KEY, content_hash, storage_hash

#: Full-text rows are gathered in memory and written once, so that equal input gives equal segments.
_HASH_BYTES = 64 * 1024 * 1024
_BATCH = 10_000


class Writer:
    """Fills one new database; nothing is on disk for good until ``close``.

    The file is private until it is published, so durability is the publisher's business (fsync there).
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite_utils.Database(sqlite3.connect(path, isolation_level=None))
        self._db.conn.execute("PRAGMA journal_mode = OFF")
        self._db.conn.execute("PRAGMA synchronous = OFF")
        self._db.conn.executescript(schema_sql())
        self._db.conn.execute("BEGIN")

    def rows(self, rows: Mapping[str, Iterable[dict[str, Any]]]) -> None:
        """Insert the rows of ordinary tables; a column that schema.sql lacks is an error."""
        for table, found in rows.items():
            self._db.table(table).insert_all(found, batch_size=_BATCH)

    def words(self, table: str, rows: Iterable[tuple[int, Mapping[str, str]]]) -> None:
        """Insert (rowid, {column: words}) into a full-text table and merge it into one segment."""
        columns = [row[1] for row in self._db.conn.execute(f'PRAGMA table_info("{table}")')]
        names = ", ".join(columns)
        marks = ", ".join("?" for _ in columns)
        self._db.conn.execute(f'INSERT INTO "{table}" ("{table}", rank) VALUES (\'hashsize\', {_HASH_BYTES})')  # noqa: S608  # own names
        self._db.conn.executemany(
            f'INSERT INTO "{table}" (rowid, {names}) VALUES (?, {marks})',  # noqa: S608  # names from schema.sql
            ((rowid, *(fields[column] for column in columns)) for rowid, fields in rows),
        )
        self._db.conn.execute(f'INSERT INTO "{table}" ("{table}") VALUES (\'optimize\')')  # noqa: S608  # own names

    def finish(self, meta: Mapping[str, str]) -> str:
        """Store ``meta`` and the digest of everything, commit, and return the digest."""
        self.rows({"meta": [{"key": key, "value": meta[key]} for key in sorted(meta)]})
        digest = content_hash(self._db.conn)
        sealed = storage_hash(self._db.conn)
        self.rows({"meta": [{"key": DIGEST_KEY, "value": digest}, {"key": STORAGE_HASH_KEY, "value": sealed}]})
        self._db.conn.execute("COMMIT")
        self._pack()
        return digest

    def _pack(self) -> None:
        """Fill the pages of the tables that are ordered by key: inserted row by row, an eighth of them stays empty."""
        self._db.conn.execute("PRAGMA temp_store = MEMORY")  # the temporary folder may be missing, full or read-only
        self._db.conn.execute("VACUUM")

    def close(self) -> None:
        """Let go of the file, finished or not."""
        self._db.conn.close()


NAME = "schema.sql"


def schema_sql() -> str:
    """The whole DDL."""
    packaged = files("indexer").joinpath(NAME)
    place = packaged if packaged.is_file() else files("indexer").joinpath("..", NAME)
    return place.read_text("utf-8")

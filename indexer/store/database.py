"""Writes rows and full-text words into a new database, in one transaction. The only module that uses sqlite-utils."""

import sqlite3
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlite_utils

from query.integrity import DIGEST_KEY, STORAGE_HASH_KEY, content_hash, storage_hash

#: Bytes of memory in which FTS5 collects words before it writes a segment: the words of a table fit in.
_FTS_MEMORY = 64 * 1024 * 1024
_BATCH = 10_000


class Writer:
    """Fills one new database. Nothing is synced to disk: until the file is published, nobody else reads it."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite_utils.Database(sqlite3.connect(path, isolation_level=None))
        self._db.conn.execute("PRAGMA journal_mode = OFF")
        self._db.conn.execute("PRAGMA synchronous = OFF")
        self._db.conn.executescript(schema_sql())
        self._db.conn.execute("BEGIN")

    def rows(self, rows: Mapping[str, Iterable[dict[str, Any]]]) -> None:
        """Insert rows into ordinary tables. A column that schema.sql does not have is an error."""
        for table, found in rows.items():
            self._db.table(table).insert_all(found, batch_size=_BATCH)

    def words(self, table: str, rows: Iterable[tuple[int, Mapping[str, str]]]) -> None:
        """Insert (rowid, {column: words}) into a full-text table, as one segment: equal rows give equal bytes."""
        columns = [row[1] for row in self._db.conn.execute(f'PRAGMA table_info("{table}")')]
        names = ", ".join(columns)
        marks = ", ".join("?" for _ in columns)
        self._db.conn.execute(f'INSERT INTO "{table}" ("{table}", rank) VALUES (\'hashsize\', {_FTS_MEMORY})')  # noqa: S608  # own names
        self._db.conn.executemany(
            f'INSERT INTO "{table}" (rowid, {names}) VALUES (?, {marks})',  # noqa: S608  # names from schema.sql
            ((rowid, *(fields[column] for column in columns)) for rowid, fields in rows),
        )
        self._db.conn.execute(f'INSERT INTO "{table}" ("{table}") VALUES (\'optimize\')')  # noqa: S608  # own names

    def finish(self, meta: Mapping[str, str]) -> str:
        """Insert ``meta`` and both hashes, commit, and return the content hash."""
        self.rows({"meta": [{"key": key, "value": meta[key]} for key in sorted(meta)]})
        content, storage = content_hash(self._db.conn), storage_hash(self._db.conn)
        self.rows({"meta": [{"key": DIGEST_KEY, "value": content}, {"key": STORAGE_HASH_KEY, "value": storage}]})
        self._db.conn.execute("COMMIT")
        # VACUUM fills the pages of tables that are ordered by key: after inserts, an eighth of them is empty.
        self._db.conn.execute("PRAGMA temp_store = MEMORY")  # the temporary folder may be missing, full or read-only
        self._db.conn.execute("VACUUM")
        return content

    def close(self) -> None:
        """Close the file, finished or not."""
        self._db.conn.close()


def schema_sql() -> str:
    """The text of schema.sql: beside the packages in a checkout, inside this one in a wheel."""
    packaged = files("indexer").joinpath("schema.sql")
    return (packaged if packaged.is_file() else files("indexer").joinpath("..", "schema.sql")).read_text("utf-8")

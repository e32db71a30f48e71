"""The content hash covers what a file states, not how it was built. The marks of the file are those of schema.sql."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.store.database import schema_sql
from query.integrity import APPLICATION_ID, DIGEST_KEY, SCHEMA_VERSION, content_hash, content_tables, storage_hash

CHANGES = {
    "a text": "UPDATE nim_unit SET solution = solution || '!' WHERE id = 1",
    "a fact": "UPDATE meta SET value = value || '!' WHERE key = 'tokenizer'",
    "a row less": "DELETE FROM slice_tag WHERE slice = 1 AND position = 1",
    "a row more": "INSERT INTO calibration VALUES ('trtc', 'tag', 'high', 1, 1)",
    "a number as a text": "UPDATE dictionary SET ref = CAST(ref AS TEXT) WHERE kind = 'concept'",
    "a text in another column": "UPDATE nim_unit SET title = title || solution, solution = '' WHERE id = 1",
}
NO_CHANGES = {
    "the hash itself": f"UPDATE meta SET value = 'x' WHERE key = '{DIGEST_KEY}'",
    "the records of the build": "DELETE FROM source_file",
    "the stored segmentation": "DELETE FROM segmentation",
    "pages moved on disk": "VACUUM",
}


@pytest.fixture
def copy(sample_db: Path, tmp_path: Path) -> Path:
    """The sample's file, to be written."""
    return Path(shutil.copy(sample_db, tmp_path / "copy.db"))


def _after(path: Path, statement: str) -> tuple[str, str]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        before = content_hash(db)
        db.execute(statement)
        return before, content_hash(db)


@pytest.mark.parametrize("statement", CHANGES.values(), ids=CHANGES)
def test_changes_with(copy: Path, statement: str) -> None:
    """Other content has another hash."""
    before, after = _after(copy, statement)
    assert before != after


@pytest.mark.parametrize("statement", NO_CHANGES.values(), ids=NO_CHANGES)
def test_stays_with(copy: Path, statement: str) -> None:
    """Equal content has the same hash."""
    before, after = _after(copy, statement)
    assert before == after


def test_stored_hash(sample_db: Path) -> None:
    """``meta`` holds the content hash of its file."""
    with closing(sqlite3.connect(sample_db)) as db:
        (stated,) = db.execute("SELECT value FROM meta WHERE key = ?", (DIGEST_KEY,)).fetchone()
        assert stated == content_hash(db)


def test_tables_of_the_content(sample_db: Path) -> None:
    """The content hash covers the tables of both bases, but no records of the build and no full-text index."""
    with closing(sqlite3.connect(sample_db)) as db:
        tables = set(content_tables(db))
    assert {"meta", "slice", "nim_unit"} < tables
    assert not {"source_file", "segmentation", "slice_words", "slice_words_data"} & tables


VALUES = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.binary(max_size=3)
ROWS = st.lists(st.tuples(*[VALUES | st.sampled_from(["", "1", "None", "n", "1:", "\x1f", "\x1e"])] * 2), max_size=3)


def _hashes(rows: list[tuple[Any, ...]]) -> tuple[str, str]:
    """Both hashes of a database whose rows are in a table of the content and in one of the build."""
    with closing(sqlite3.connect(":memory:")) as db:
        for table in ("content", "source_file"):
            db.execute(f"CREATE TABLE {table} (a, b)")
            db.executemany(f"INSERT INTO {table} VALUES (?, ?)", rows)
        return content_hash(db), storage_hash(db)


def _typed(rows: list[tuple[Any, ...]]) -> list[str]:
    """Rows in an order of their own, with the types of their values."""
    return sorted(map(repr, rows))


@given(ROWS, ROWS)
@example([(None, 1)], [("None", 1)])
@example([("1", 1)], [(1, 1)])
@example([(b"1", 1)], [("1", 1)])
@example([("a\x1fb", "c")], [("a", "b\x1fc")])
@example([("a", "b"), ("c", "d")], [("a", "b\x1ec\x1fd")])
def test_hashes_tell_values_apart(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> None:
    """Rows have equal hashes only if all values are equal in content and type."""
    equal = _typed(one) == _typed(other)
    assert [a == b for a, b in zip(_hashes(one), _hashes(other), strict=True)] == [equal, equal]


def test_marks_of_the_schema() -> None:
    """schema.sql sets exactly the two constants."""
    pragmas = dict(re.findall(r"^PRAGMA (\w+) = (\d+);", schema_sql(), re.MULTILINE))
    assert pragmas == {"application_id": str(APPLICATION_ID), "user_version": str(SCHEMA_VERSION)}


def test_application_id_spells_the_name() -> None:
    """The application id is four letters, which ``file`` prints."""
    assert APPLICATION_ID.to_bytes(4, "big") == b"RTCK"


def test_history_of_versions() -> None:
    """The history in schema.sql ends with the version that the code reads."""
    history = re.findall(r"^--   (\d+)  \S", schema_sql(), re.MULTILINE)
    assert [int(number) for number in history] == list(range(1, SCHEMA_VERSION + 1))

"""The logical digest says what a file says, not how it came about.

The marks of the file: the constants and schema.sql say the same.
"""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from indexer.store.database import schema_sql
from query.integrity import APPLICATION_ID, DIGEST_KEY, SCHEMA_VERSION, content_hash, table_digests

CHANGES = {
    "a text": "UPDATE nim_unit SET solution = solution || '!' WHERE id = 1",
    "a fact": "UPDATE meta SET value = value || '!' WHERE key = 'tokenizer'",
    "a row less": "DELETE FROM slice_tag WHERE slice = 1 AND position = 1",
    "a row more": "INSERT INTO stop_word VALUES ('zzz')",
    "a text in another column": "UPDATE nim_unit SET title = title || solution, solution = '' WHERE id = 1",
}
NO_CHANGES = {
    "the digest itself": f"UPDATE meta SET value = 'x' WHERE key = '{DIGEST_KEY}'",
    "the ledger": "DELETE FROM source_file",
    "the memory of the tokenizer": "DELETE FROM segmentation",
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
    """Another content is another digest."""
    before, after = _after(copy, statement)
    assert before != after


@pytest.mark.parametrize("statement", NO_CHANGES.values(), ids=NO_CHANGES)
def test_stays_with(copy: Path, statement: str) -> None:
    """The same content is the same digest."""
    before, after = _after(copy, statement)
    assert before == after


def test_file_states_its_digest(sample_db: Path) -> None:
    """``meta`` holds the digest of the file that holds it."""
    with closing(sqlite3.connect(sample_db)) as db:
        (stated,) = db.execute("SELECT value FROM meta WHERE key = ?", (DIGEST_KEY,)).fetchone()
        assert stated == content_hash(db)


def test_each_table_has_its_digest(copy: Path) -> None:
    """A changed row changes its own table's digest and no other; only what the digest covers has one."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        before = table_digests(db)
        db.execute(CHANGES["a row more"])
        after = table_digests(db)
    assert {table for table, digest in after.items() if before[table] != digest} == {"stop_word"}
    assert before.keys() == after.keys()
    assert {"meta", "slice", "nim_unit"} < after.keys()
    assert not {"source_file", "segmentation", "slice_words", "slice_words_data"} & after.keys()


def test_constants_are_those_of_the_schema() -> None:
    """schema.sql sets exactly these two marks."""
    pragmas = dict(re.findall(r"^PRAGMA (\w+) = (\d+);", schema_sql(), re.MULTILINE))
    assert pragmas == {"application_id": str(APPLICATION_ID), "user_version": str(SCHEMA_VERSION)}


def test_application_id_spells_the_name() -> None:
    """The application id is four letters, so that ``file`` and people can read it."""
    assert APPLICATION_ID.to_bytes(4, "big") == b"RTCK"


def test_history_tells_the_version() -> None:
    """The history in schema.sql ends with the version that the code wants."""
    history = re.findall(r"^--   (\d+)  \S", schema_sql(), re.MULTILINE)
    assert [int(number) for number in history] == list(range(1, SCHEMA_VERSION + 1))

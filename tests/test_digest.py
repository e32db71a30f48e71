"""The logical digest says what a file says, not how it came about."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fileformat.digest import DIGEST_KEY, logical_digest, table_digests

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
        before = logical_digest(db)
        db.execute(statement)
        return before, logical_digest(db)


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
        assert stated == logical_digest(db)


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

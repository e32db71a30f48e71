"""The first bytes of a file: what SQLite itself says of it, and nothing of what is no database."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fileformat.version import APPLICATION_ID, SCHEMA_VERSION
from indexer.header import Header, read_header


def test_a_file_of_ours(sample_db: Path) -> None:
    """A built file is ours, of this version, without a log."""
    found = read_header(sample_db)
    assert found == Header(APPLICATION_ID, SCHEMA_VERSION, write_ahead=False)
    assert found is not None
    assert found.is_ours


@pytest.mark.parametrize(("application", "version", "mode"), [(0, 0, "delete"), (-5, -7, "wal"), (7, 2**31 - 1, "wal")])
def test_as_sqlite_wrote_it(application: int, version: int, mode: str, tmp_path: Path) -> None:
    """Both numbers and the mode are those that SQLite was told."""
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.executescript(f"PRAGMA application_id = {application}; PRAGMA user_version = {version}; CREATE TABLE t (a);")
    found = read_header(tmp_path / "x.db")
    assert found == (application, version, mode == "wal")
    assert found is not None
    assert not found.is_ours


NONE: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.exists(),
    "a folder": lambda path: path.mkdir(),
    "empty": lambda path: path.touch(),
    "text": lambda path: path.write_text("SQLite format 4" * 9, "utf-8"),
}


@pytest.mark.parametrize("make", NONE.values(), ids=NONE)
def test_no_database(make: Callable[[Path], object], tmp_path: Path) -> None:
    """What is no SQLite file has no header, and is no error."""
    make(tmp_path / "x.db")
    assert read_header(tmp_path / "x.db") is None


def test_cut_short(sample_db: Path, tmp_path: Path) -> None:
    """Of a file that ends in its header nobody can say that it is ours."""
    (tmp_path / "x.db").write_bytes(sample_db.read_bytes()[:40])
    found = read_header(tmp_path / "x.db")
    assert found is not None
    assert not found.is_ours

"""The writer inserts into the tables and columns of schema.sql and no others; equal rows give equal bytes."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from conftest import ROOT

from indexer.store.database import Writer, schema_sql
from query.integrity import DIGEST_KEY, STORAGE_HASH_KEY, content_hash, storage_hash

SOUNDS = {"han_sound": [{"sound": f"k{number}", "characters": "x"} for number in range(300)]}
WORDS = [(number, {"name": f"w{number % 7} 弹幕", "description": ""}) for number in range(1, 200)]


def _write(path: Path) -> str:
    with closing(Writer(path)) as writer:
        writer.rows(SOUNDS)
        writer.words("scenario_words", WORDS)
        return writer.finish({"b": "2", "a": "1"})


def test_equal_rows_give_equal_bytes(tmp_path: Path) -> None:
    """Two files of the same rows are equal, byte by byte."""
    assert _write(tmp_path / "a") == _write(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_everything_is_there(tmp_path: Path) -> None:
    """Rows, words, facts and both hashes are in the file, and the words can be searched."""
    digest = _write(tmp_path / "a")
    with closing(sqlite3.connect(tmp_path / "a")) as db:
        assert db.execute("SELECT count(*) FROM han_sound").fetchone() == (300,)
        assert db.execute("SELECT key, value FROM meta ORDER BY key").fetchall() == [
            ("a", "1"),
            ("b", "2"),
            (DIGEST_KEY, digest),
            (STORAGE_HASH_KEY, storage_hash(db)),
        ]
        assert db.execute("SELECT count(*) FROM scenario_words WHERE scenario_words MATCH '弹幕'").fetchone() == (199,)
        assert db.execute("SELECT count(*) FROM scenario_words WHERE scenario_words MATCH 'w0'").fetchone() == (28,)
        assert content_hash(db) == digest


def test_one_segment(tmp_path: Path) -> None:
    """A full-text table is one segment, so that its bytes do not depend on how it was filled."""
    _write(tmp_path / "a")
    with closing(sqlite3.connect(tmp_path / "a")) as db:
        assert db.execute("SELECT count(DISTINCT segid) FROM scenario_words_idx").fetchone() == (1,)


def test_column_that_the_schema_lacks(tmp_path: Path) -> None:
    """An unknown column is an error, in the first row or a later one, never a new or a dropped column."""
    with closing(Writer(tmp_path / "a")) as writer:
        with pytest.raises(sqlite3.OperationalError, match="nope"):
            writer.rows({"han_sound": [{"sound": "x", "characters": "", "nope": 1}]})
        rows = [{"sound": f"y{n}", "characters": ""} for n in range(200)]
        with pytest.raises((sqlite3.OperationalError, ValueError), match="nope"):
            writer.rows({"han_sound": [*rows, {"sound": "z", "characters": "", "nope": 1}]})


def test_rows_only_after_the_schema(tmp_path: Path) -> None:
    """The writer runs the schema once, before the first row."""
    with closing(Writer(tmp_path / "a")) as writer:
        writer.words("scenario_words", WORDS[:1])
        writer.finish({})
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        Writer(tmp_path / "a")


def test_every_table_is_explained() -> None:
    """Each table has a comment above it; only the vocabulary of a full-text table may share that table's."""
    lines = schema_sql().split("\n")
    for number, line in enumerate(lines):
        if line.startswith("CREATE TABLE") or (line.startswith("CREATE VIRTUAL") and "fts5vocab" not in line):
            assert lines[number - 1].startswith("-- "), line


def test_runs_in_an_old_sqlite() -> None:
    """The schema uses nothing that SQLite 3.34 does not have."""
    ddl = "\n".join(line.partition("--")[0] for line in schema_sql().split("\n")).lower()
    assert not re.search(r"contentless_delete|strict|returning|locale|trigram|generated|\bas \(", ddl)


def test_every_reference_names_its_column(sample_db: Path) -> None:
    """A reference names the key of the other table: Datasette links by it, and a bare REFERENCES breaks its pages."""
    foreign_keys = (
        "SELECT m.name, f.* FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'"
    )
    keys = "SELECT name FROM pragma_table_info(?) WHERE pk"
    with closing(sqlite3.connect(sample_db)) as db:
        found = [(row[3], row[5]) for row in db.execute(foreign_keys)]
        assert ("nim_unit", "id") in found
        assert all(db.execute(keys, (table,)).fetchall() == [(column,)] for table, column in found)


@pytest.mark.parametrize("package", ["indexer", "query"])
def test_no_other_ddl(package: str) -> None:
    """No Python file creates a table, an index or a trigger."""
    for path in (ROOT / package).rglob("*.py"):
        assert not re.search(r"CREATE\s+(TABLE|VIRTUAL|INDEX|TRIGGER|VIEW)\b.*\(", path.read_text("utf-8")), path


def test_file_has_the_tables_of_the_schema(sample_db: Path) -> None:
    """A built file has exactly the tables and indexes of schema.sql."""
    query = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
    with closing(sqlite3.connect(":memory:")) as fresh, closing(sqlite3.connect(sample_db)) as built:
        fresh.executescript(schema_sql())
        assert built.execute(query).fetchall() == fresh.execute(query).fetchall()

"""schema.sql is the only DDL, and says of every table what one row is."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from conftest import ROOT

from indexer.schema import schema_sql


def test_is_the_file_at_the_top() -> None:
    """What a build runs is schema.sql of the checkout."""
    assert schema_sql() == (ROOT / "schema.sql").read_text("utf-8")


def test_every_table_is_explained() -> None:
    """Above each table stands a comment; only the companion of a full-text table may share its neighbour's."""
    lines = schema_sql().split("\n")
    for number, line in enumerate(lines):
        if line.startswith("CREATE TABLE") or (line.startswith("CREATE VIRTUAL") and "fts5vocab" not in line):
            assert lines[number - 1].startswith("-- "), line


def test_runs_in_an_old_sqlite() -> None:
    """Nothing that SQLite 3.34 lacks is used (A25)."""
    ddl = "\n".join(line.partition("--")[0] for line in schema_sql().split("\n")).lower()
    assert not re.search(r"contentless_delete|strict|returning|locale|trigram|generated|\bas \(", ddl)


def test_every_reference_names_its_column(sample_db: Path) -> None:
    """And that column is the other table's key, for Datasette links by it (a bare REFERENCES breaks its pages)."""
    foreign_keys = (
        "SELECT m.name, f.* FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'"
    )
    keys = "SELECT name FROM pragma_table_info(?) WHERE pk"
    with closing(sqlite3.connect(sample_db)) as db:
        found = [(row[3], row[5]) for row in db.execute(foreign_keys)]
        assert ("nim_unit", "id") in found
        assert all(db.execute(keys, (table,)).fetchall() == [(column,)] for table, column in found)


@pytest.mark.parametrize("package", ["indexer", "query", "fileformat"])
def test_no_other_ddl(package: str) -> None:
    """No Python file creates a table, an index or a trigger."""
    for path in (ROOT / package).rglob("*.py"):
        assert not re.search(r"CREATE\s+(TABLE|VIRTUAL|INDEX|TRIGGER|VIEW)\b.*\(", path.read_text("utf-8")), path


def test_file_has_the_tables_of_the_schema(sample_db: Path) -> None:
    """A built file holds what schema.sql says, to the letter, and nothing besides."""
    query = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
    with closing(sqlite3.connect(":memory:")) as fresh, closing(sqlite3.connect(sample_db)) as built:
        fresh.executescript(schema_sql())
        assert built.execute(query).fetchall() == fresh.execute(query).fetchall()

"""Rows of the tables that tell of concepts: complete, and as the schema wants them."""

import sqlite3
from contextlib import closing

import pytest

from fileformat.concepts import concept_mark
from indexer.concept_rows import bridge_rows, concept_set_rows, nim_concepts
from indexer.records import Alias
from indexer.rows import Rows
from indexer.schema import schema_sql

SLICE = {"name": "弹幕", "tags": "danmaku", "body": "发送弹幕 弹幕"}


@pytest.fixture(scope="module")
def rows() -> Rows:
    """The rows of one slice with one tag."""
    return bridge_rows([SLICE], ["danmaku"])


def test_the_schema_takes_them(rows: Rows) -> None:
    """Each table gets columns that it has, and values that it allows."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema_sql())
        for table, found in rows.items():
            for row in found:
                names = ", ".join(row)
                db.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (len(found),)
            assert found


def test_a_tag_and_a_field_are_reached(rows: Rows) -> None:
    """The concept of a tag leads to it, and is counted in the slice's fields."""
    (lead,) = {row["concept"] for row in rows["concept_tag"] if row["key"] == "danmaku"} & {
        row["concept"] for row in rows["concept_word"] if row["key"] == "弹幕" and row["strength"] == "name"
    }
    hits = {row["field"]: row["hits"] for row in rows["concept_field"] if row["concept"] == lead}
    assert (hits["name"], hits["body"]) == (1, 2)


def test_spellings_are_those_that_are_shown(rows: Rows) -> None:
    """A spelling stands where its key tells less, and never for what only finds NIM cases."""
    roles = {row["id"]: row["role"] for row in rows["concept"]}
    spelt = [row for row in rows["concept_word"] if row["word"] is not None]
    assert spelt
    assert all(row["word"] != row["key"] and row["strength"] == "name" for row in spelt)
    assert {roles[row["concept"]] for row in spelt} <= {"subject", "context"}


def test_synonyms_of_the_base() -> None:
    """A base's own synonym is a name of the concept that its term names."""
    alias = Alias("弹幕", "", (("name", "飞屏字"),))
    words = {row["key"]: row["strength"] for row in bridge_rows([SLICE], ["danmaku"], [alias])["concept_word"]}
    assert words["飞屏字"] == "name"
    assert "飞屏字" not in {row["key"] for row in bridge_rows([SLICE], ["danmaku"])["concept_word"]}


def test_concepts_of_units() -> None:
    """Each text's concepts by number, and as one character each; a text that names none has none."""
    named = nim_concepts(["发送弹幕", "。"])
    assert named[0]
    assert named[1] == ()
    assert concept_set_rows(named) == [
        {"unit": 1, "concepts": "".join(map(concept_mark, named[0]))},
        {"unit": 2, "concepts": ""},
    ]

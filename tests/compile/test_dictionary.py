"""Rows of the tables that tell of concepts: complete, and as the schema wants them.

How words sound: the tables behind mistyped Chinese.
"""

import sqlite3
from contextlib import closing

import pytest

from indexer.compile.dictionary import (
    concept_set_rows,
    dictionary_rows,
    load_common_words,
    load_sounds,
    nim_concepts,
    sound_rows,
)
from indexer.compile.rows import Row, Rows
from indexer.records import Alias
from indexer.store.database import schema_sql
from query.analysis.normalize import is_han
from query.analysis.tokens import concept_character

SLICE = {"name": "弹幕", "tags": "danmaku", "body": "发送弹幕 弹幕"}


@pytest.fixture(scope="module")
def rows() -> Rows:
    """The rows of one slice with one tag."""
    return dictionary_rows([SLICE], ["danmaku"])


def concepts(rows: Rows) -> list[Row]:
    """The dictionary entries of concepts."""
    return [row for row in rows["dictionary"] if row["kind"] == "concept"]


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
        row["ref"] for row in concepts(rows) if row["key"] == "弹幕" and row["strength"] is None
    }
    hits = {row["field"]: row["hits"] for row in rows["slice_posting"] if row["concept"] == lead}
    assert (hits["name"], hits["body"]) == (1, 2)


def test_spellings_are_those_that_are_shown(rows: Rows) -> None:
    """A spelling stands where its key tells less, and never for what only finds NIM cases."""
    roles = {row["id"]: row["role"] for row in rows["concept"]}
    spelt = [row for row in concepts(rows) if row["word"] is not None]
    assert spelt
    assert all(row["word"] != row["key"] and row["strength"] is None for row in spelt)
    assert {roles[row["ref"]] for row in spelt} <= {"subject", "context"}


def test_synonyms_of_the_base() -> None:
    """A base's own synonym is a name of the concept that its term names."""
    alias = Alias("弹幕", "", (("name", "飞屏字"),))
    words = {row["key"]: row["strength"] for row in concepts(dictionary_rows([SLICE], ["danmaku"], [alias]))}
    assert words["飞屏字"] is None
    assert "飞屏字" not in {row["key"] for row in concepts(dictionary_rows([SLICE], ["danmaku"]))}


def test_concepts_of_units() -> None:
    """Each text's concepts by number, and as one character each; a text that names none has none."""
    named = nim_concepts(["发送弹幕", "。"])
    assert named[0]
    assert named[1] == ()
    assert concept_set_rows(named) == [
        {"unit": 1, "concepts": "".join(map(concept_character, named[0]))},
        {"unit": 2, "concepts": ""},
    ]


def word(key: str, concept: int = 1, strength: str = "name") -> dict[str, object]:
    """One lookup key of a concept."""
    return {"key": key, "concept": concept, "strength": strength, "word": key}


def test_each_character_has_one_sound() -> None:
    """A character under two syllables would sound differently on both sides."""
    every = "".join(load_sounds().values())
    assert len(every) == len(set(every)) > 6000
    assert all(map(is_han, every))


def test_common_words_have_two_characters() -> None:
    """Longer words have no everyday twins."""
    assert {len(common) for common in load_common_words()} == {2}


def test_names_are_listed_under_their_sound() -> None:
    """Names only, of two to six Chinese characters."""
    _, rows = sound_rows([word("弹幕"), word("美颜", 2), word("barrage"), word("礼"), word("弹木", 1, "typo")])
    assert [(row["sound"], row["key"], row["concept"]) for row in rows["concept_sound"]] == [
        ("dan mu", "弹幕", 1),
        ("mei yan", "美颜", 2),
    ]


def test_everyday_words_of_the_same_sound_are_listed() -> None:
    """大会 sounds like 打回, and is a word; 弹幕 sounds like none, and a name is none of them."""
    common, _ = sound_rows([word("打回"), word("弹幕")])
    assert "大会" in common
    assert not {"打回", "弹幕"} & set(common)

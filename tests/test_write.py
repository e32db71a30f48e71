"""Rows -> file: in one transaction, one segment, the schema's columns and no others."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fileformat.digest import DIGEST_KEY, SEAL_KEY, logical_digest, seal
from indexer.write import Writer

STOPS = {"stop_word": [{"key": f"k{number}"} for number in range(300)]}
WORDS = [(number, {"name": f"w{number % 7} 弹幕", "description": ""}) for number in range(1, 200)]


def _write(path: Path) -> str:
    with closing(Writer(path)) as writer:
        writer.rows(STOPS)
        writer.words("scenario_words", WORDS)
        return writer.finish({"b": "2", "a": "1"})


def test_equal_rows_give_equal_bytes(tmp_path: Path) -> None:
    """Two files of the same rows are the same, to the byte."""
    assert _write(tmp_path / "a") == _write(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_everything_is_there(tmp_path: Path) -> None:
    """Rows, words, facts and the digest are in the file, and the words can be searched."""
    digest = _write(tmp_path / "a")
    with closing(sqlite3.connect(tmp_path / "a")) as db:
        assert db.execute("SELECT count(*) FROM stop_word").fetchone() == (300,)
        assert db.execute("SELECT key, value FROM meta ORDER BY key").fetchall() == [
            ("a", "1"),
            ("b", "2"),
            (DIGEST_KEY, digest),
            (SEAL_KEY, seal(db)),
        ]
        assert db.execute("SELECT count(*) FROM scenario_words WHERE scenario_words MATCH '弹幕'").fetchone() == (199,)
        assert db.execute("SELECT count(*) FROM scenario_words WHERE scenario_words MATCH 'w0'").fetchone() == (28,)
        assert logical_digest(db) == digest


def test_one_segment(tmp_path: Path) -> None:
    """A full-text table is merged, so that its bytes do not tell how it was filled."""
    _write(tmp_path / "a")
    with closing(sqlite3.connect(tmp_path / "a")) as db:
        assert db.execute("SELECT count(DISTINCT segid) FROM scenario_words_idx").fetchone() == (1,)


def test_column_that_the_schema_lacks(tmp_path: Path) -> None:
    """An unknown column is an error, in the first row or a later one, never a new or a dropped column (D7)."""
    with closing(Writer(tmp_path / "a")) as writer:
        with pytest.raises(sqlite3.OperationalError, match="nope"):
            writer.rows({"stop_word": [{"key": "x", "nope": 1}]})
        with pytest.raises((sqlite3.OperationalError, ValueError), match="nope"):
            writer.rows({"stop_word": [{"key": f"y{n}"} for n in range(200)] + [{"key": "z", "nope": 1}]})


def test_rows_only_after_the_schema(tmp_path: Path) -> None:
    """The schema is run before the first row, once, by the writer itself (D2, D5)."""
    with closing(Writer(tmp_path / "a")) as writer:
        writer.words("scenario_words", WORDS[:1])
        writer.finish({})
    with pytest.raises(sqlite3.OperationalError, match="already exists"):
        Writer(tmp_path / "a")

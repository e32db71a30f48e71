"""Reading an open index: what altered content does, and that nothing is ever written."""

import shutil
from pathlib import Path

import pytest
from query_support import altered_copy, invoke

from query.errors import IndexUnreadable
from query.index import open_index
from query.integrity import APPLICATION_ID, SCHEMA_VERSION

#: What is altered in the file -> the statement, and a part of the message.
ALTERED = {
    "a missing table": ("DROP TABLE slice", "no such table"),
    "variant characters": ("UPDATE meta SET value = '弹' WHERE key = 'variants_to'", "variant characters"),
    "a missing fact": ("DELETE FROM meta WHERE key = 'schema_version'", "does not match its digest"),
    "a posting list cut short": ("UPDATE nim_posting SET ranks = x'62'", "does not match its storage_hash"),
    "an overwritten posting list": ("UPDATE nim_posting SET ranks = x'62ffffff'", "does not match its storage_hash"),
    "text that is no UTF-8": ("UPDATE slice_page SET text = CAST(x'ff0a0aff' AS TEXT)", "Could not decode to UTF-8"),
    "bytes for a text": ("UPDATE meta SET value = CAST(value AS BLOB) WHERE key = 'tokenizer'", "does not match"),
    "ranks cut short": ("UPDATE nim_posting SET ranks = x'72ff'", "does not match its storage_hash"),
}

CALLS = [["trtc", "弹幕", "--content"], ["nim", "登录后被踢"], ["info"]]


@pytest.mark.parametrize(("statement", "message"), ALTERED.values(), ids=ALTERED)
def test_altered_content(statement: str, message: str, sample_db: Path, tmp_path: Path) -> None:
    """Content that makes a command fail is a fault of the file: exit code 3 and one line, no traceback."""
    altered_copy(sample_db, tmp_path / "x.db", statement)
    results = [invoke(tmp_path / "x.db", *argv) for argv in CALLS]
    (failed,) = {(result.stdout, result.stderr) for result in results if result.exit_code}
    assert {result.exit_code for result in results} <= {0, 3}
    assert (failed[0], failed[1].count("\n")) == ("", 1)
    assert message in failed[1]


@pytest.mark.parametrize(
    "argv", [["trtc", "弹幕"], ["nim", "弹幕"], ["show", "live/danmaku-wall"], ["info"]], ids=lambda argv: argv[0]
)
def test_a_fault_of_printing(argv: list[str], sample_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error while an answer is printed is no fault of the file, even if the file is altered."""
    altered_copy(sample_db, tmp_path / "x.db", "UPDATE meta SET value = 'x' WHERE key = 'tokenizer'")
    monkeypatch.setattr("query.output._scalar", lambda _: [].pop())
    with pytest.raises(IndexError):
        invoke(tmp_path / "x.db", *argv, "--format", "yaml")


def test_damage_in_the_middle_never_gives_a_traceback(sample_db: Path, tmp_path: Path) -> None:
    """With any one page overwritten, a search answers or exits with 3."""
    data = sample_db.read_bytes()
    broken = tmp_path / "x.db"
    codes = set()
    for number, page in enumerate(range(1, len(data) // 4096, max(1, len(data) // 4096 // 80))):
        broken.write_bytes(data[: page * 4096] + b"\xa5" * 4096 + data[(page + 1) * 4096 :])
        argv = ["nim", "登录后被踢", "--explain"] if number % 2 else ["trtc", "弹幕 -4215", "--explain", "--content"]
        codes.add(invoke(broken, *argv).exit_code)
    assert codes <= {0, 3}


def test_the_index_cannot_be_written(sample_db: Path, tmp_path: Path) -> None:
    """A statement that writes is refused, even on a file that could be written."""
    shutil.copy(sample_db, tmp_path / "x.db")
    with open_index(tmp_path / "x.db") as index, pytest.raises(IndexUnreadable, match=r"readonly|query_only"):
        index.rows("DELETE FROM slice")
    assert (tmp_path / "x.db").read_bytes() == sample_db.read_bytes()


def test_the_connection_is_closed(sample_db: Path) -> None:
    """After the block the index is closed."""
    with open_index(sample_db) as index:
        pass
    with pytest.raises(IndexUnreadable, match="closed"):
        index.rows("SELECT 1")


def test_an_open_reader_keeps_its_generation(sample_db: Path, tmp_path: Path) -> None:
    """A new file renamed over the old one does not change an index that is open."""
    path = tmp_path / "x.db"
    shutil.copy(sample_db, path)
    altered_copy(sample_db, tmp_path / "new.db", "UPDATE slice SET name = 'NEW'")
    with open_index(path) as index:
        before = index.rows("SELECT name FROM slice")
        (tmp_path / "new.db").replace(path)
        assert index.rows("SELECT name FROM slice") == before
    with open_index(path) as index:
        assert index.rows("SELECT DISTINCT name FROM slice") == [("NEW",)]


def test_meta_and_variants(sample_db: Path) -> None:
    """The facts of the build and the table of traditional characters are read from the file."""
    with open_index(sample_db) as index:
        assert index.meta["schema_version"] == str(SCHEMA_VERSION)
        assert "彈".translate(index.variants) == "弹"
        assert index.rows("PRAGMA application_id") == [(APPLICATION_ID,)]

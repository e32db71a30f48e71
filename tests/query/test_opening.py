"""Opening an index: each fault of a file has its own error and message, and no file is created."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from query_support import altered_copy, answer, environment, invoke

from query.errors import IndexMissing, IndexTooNew, IndexTooOld, IndexUnreadable, IndexUnusable, NotAnIndex
from query.index import open_index

READING = [["trtc", "弹幕"], ["show", "live/danmaku-wall"], ["info"], ["verify"]]
NOBODY = 65534


def foreign(path: Path, _: Path) -> None:
    """Another program's database."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE slice (id)")
    connection.close()


def truncated(share: float) -> Callable[[Path, Path], None]:
    """The first part of the sample."""

    def make(path: Path, sample: Path) -> None:
        data = sample.read_bytes()
        path.write_bytes(data[: int(len(data) * share)])

    return make


#: What is wrong -> (how to make it, error, a part of the message).
FAULTS: dict[str, tuple[Callable[[Path, Path], object], type[IndexUnusable], str]] = {
    "missing": (lambda *_: None, IndexMissing, "no such file"),
    "in a missing folder": (lambda *_: None, IndexMissing, "no such file"),
    "dangling link": (lambda path, _: path.symlink_to("nowhere"), IndexMissing, "no such file"),
    "folder": (lambda path, _: path.mkdir(), IndexUnreadable, "is a folder"),
    "named pipe": (lambda path, _: os.mkfifo(path), IndexUnreadable, "is no regular file"),
    "link to itself": (lambda path, _: path.symlink_to(path), IndexUnreadable, "cannot be read"),
    "empty": (lambda path, _: path.write_bytes(b""), NotAnIndex, "is empty"),
    "LFS pointer": (
        lambda path, _: path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"),
        NotAnIndex,
        "a Git LFS pointer",
    ),
    "HTML": (lambda path, _: path.write_text("<!DOCTYPE html><html></html>"), NotAnIndex, "no SQLite database"),
    "zeros": (lambda path, _: path.write_bytes(bytes(8192)), NotAnIndex, "no SQLite database"),
    "foreign": (foreign, NotAnIndex, "a database of another program"),
    "older": (lambda path, db: altered_copy(db, path, "PRAGMA user_version = 0"), IndexTooOld, "rebuild it"),
    "newer": (lambda path, db: altered_copy(db, path, "PRAGMA user_version = 99"), IndexTooNew, "upgrade rtckb"),
    "header only": (lambda path, db: path.write_bytes(db.read_bytes()[:100]), IndexUnreadable, "damaged"),
    "one page": (lambda path, db: path.write_bytes(db.read_bytes()[:4096]), IndexUnreadable, "damaged"),
    "a quarter": (truncated(0.25), IndexUnreadable, "damaged"),
    "half": (truncated(0.5), IndexUnreadable, "damaged"),
    "all but a page": (lambda path, db: path.write_bytes(db.read_bytes()[:-4096]), IndexUnreadable, "damaged"),
    "noise behind the header": (
        lambda path, db: path.write_bytes(db.read_bytes()[:100] + b"\x5a" * 40_000),
        IndexUnreadable,
        "damaged",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str, sample_db: Path, tmp_path: Path) -> None:
    """The error is the class of the cause; the command prints one line with file and fault, and exits with 3."""
    make, error, words = FAULTS[name]
    path = tmp_path / ("no/such/folder/x.db" if name == "in a missing folder" else "x.db")
    make(path, sample_db)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(error) as caught, open_index(path) as index:
        index.rows("SELECT * FROM slice")
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    result = invoke(path, "trtc", "弹幕")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (3, "", 1)
    assert result.stderr.startswith("rtckb: ")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("argv", READING, ids=lambda argv: argv[0])
def test_every_command_reports_a_fault(argv: list[str], sample_db: Path, tmp_path: Path) -> None:
    """Every reading command exits with 3 and one line on stderr if the file is damaged."""
    truncated(0.5)(tmp_path / "x.db", sample_db)
    result = invoke(tmp_path / "x.db", *argv)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (3, "", 1)


def test_a_sqlite_without_full_text_search(sample_db: Path, tmp_path: Path) -> None:
    """A SQLite without FTS5 is reported in one line, exit code 3; here FTS5 has another name."""
    shutil.copy(sample_db, tmp_path / "x.db")
    with sqlite3.connect(tmp_path / "x.db") as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'USING fts5', 'USING fts9')")
    connection.close()
    for argv in READING:
        result = invoke(tmp_path / "x.db", *argv)
        assert (result.exit_code, result.stdout) == (3, "")
        assert "no such module: fts9vocab; the file is damaged, or this Python's SQLite lacks FTS5" in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_name_too_long_is_unreadable(tmp_path: Path) -> None:
    """A name that no file system takes gives a message."""
    with pytest.raises(IndexUnreadable, match="cannot be read"), open_index(tmp_path / ("x" * 5000)):
        pass


NAMES = [
    "a b.db",
    "a#b.db",
    "a?b.db",
    "a%20b.db",
    "知识库.db",
    "a'b.db",
    'a"b.db',
    "a&mode=rwc.db",
    ":memory:",
    "-x.db",
]


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str, sample_db: Path, tmp_path: Path) -> None:
    """No character of a name has a meaning in the URI, and only that file is opened."""
    path = tmp_path / name
    with pytest.raises(IndexMissing), open_index(path):
        pass
    assert list(tmp_path.iterdir()) == []
    shutil.copy(sample_db, path)
    assert answer(path, "弹幕") == answer(sample_db, "弹幕")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_a_percent_sequence_does_not_name_another_file(sample_db: Path, tmp_path: Path) -> None:
    """``a%20b.db`` is not ``a b.db``."""
    shutil.copy(sample_db, tmp_path / "a b.db")
    with pytest.raises(IndexMissing), open_index(tmp_path / "a%20b.db"):
        pass


def test_two_leading_slashes(sample_db: Path) -> None:
    """A path that begins with two slashes is still a path, not a host."""
    assert answer(Path(f"/{sample_db}"), "弹幕")["status"] == "matched"


def test_a_relative_name(sample_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative name is read from the working directory."""
    shutil.copy(sample_db, tmp_path / "x.db")
    monkeypatch.chdir(tmp_path)
    assert answer(Path("x.db"), "弹幕")["status"] == "matched"


def test_a_bytes_name(sample_db: Path, tmp_path: Path) -> None:
    """A file whose name is no UTF-8 is opened, and the message about a missing one is readable."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.db"))
    assert "\ufffd.db: no such file" in invoke(path, "trtc", "弹幕").stderr
    shutil.copy(sample_db, path)
    assert invoke(path, "trtc", "弹幕").exit_code == 0


def killed_writer(path: Path) -> None:
    """Leave ``path`` in write-ahead mode with a log that was not applied, as a killed writer does."""
    script = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA journal_mode = WAL');"
        "c.execute('PRAGMA wal_autocheckpoint = 0'); c.execute(\"UPDATE slice SET name = 'OLD'\");"
        "c.commit(); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert path.with_name(path.name + "-wal").stat().st_size > 0


def test_a_log_left_by_another_file_is_not_replayed(sample_db: Path, tmp_path: Path) -> None:
    """The write-ahead log of a killed writer beside a new index does not change the answers."""
    path = tmp_path / "x.db"
    shutil.copy(sample_db, path)
    killed_writer(path)
    (tmp_path / "new.db").write_bytes(sample_db.read_bytes())
    (tmp_path / "new.db").replace(path)
    for argv in READING:
        assert invoke(path, *argv).stdout == invoke(sample_db, *argv).stdout


def test_a_file_in_write_ahead_mode_is_read_with_its_log(sample_db: Path, tmp_path: Path) -> None:
    """If the file itself is in write-ahead mode, it is read together with its log."""
    path = tmp_path / "x.db"
    shutil.copy(sample_db, path)
    killed_writer(path)
    with open_index(path) as index:
        assert index.rows("SELECT DISTINCT name FROM slice") == [("OLD",)]


def test_the_published_file_is_not_in_write_ahead_mode(sample_db: Path) -> None:
    """Bytes 18 and 19 of the header mean rollback journal."""
    assert sample_db.read_bytes()[18:20] == b"\1\1"


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that every user may enter, which pytest's own is not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


#: Imports the command as the user who can read the interpreter, then becomes another user and runs it.
AS_NOBODY = f"""
import encodings.ascii, encodings.utf_8, os, sys, urllib.parse
from rtckb import MODULES, main
import query.cli, query.nim.cli, query.trtc.cli
os.setgid({NOBODY}); os.setuid({NOBODY})
main(sys.argv[1:])
"""


def as_nobody(*argv: str) -> subprocess.CompletedProcess[bytes]:
    """The command under another user."""
    line = [sys.executable, "-c", AS_NOBODY, *argv]
    return subprocess.run(line, env=environment(), capture_output=True, timeout=60, check=False, cwd="/")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become another user")
class TestAsAnotherUser:
    """Permissions, which do not bind root."""

    def test_a_read_only_folder(self, sample_db: Path, open_to_all: Path) -> None:
        """A 0444 file in a 0555 folder of another user is searched, and no file is created beside it."""
        path = open_to_all / "x.db"
        shutil.copy(sample_db, path)
        path.chmod(0o444)
        open_to_all.chmod(0o555)
        got = as_nobody("trtc", "--db", str(path), "弹幕")
        assert (got.returncode, got.stderr) == (0, b"")
        assert [entry.name for entry in open_to_all.iterdir()] == ["x.db"]

    def test_an_unreadable_file(self, sample_db: Path, open_to_all: Path) -> None:
        """A file without read permission is unreadable."""
        path = open_to_all / "x.db"
        shutil.copy(sample_db, path)
        path.chmod(0o000)
        got = as_nobody("trtc", "--db", str(path), "弹幕")
        assert got.returncode == 3
        assert got.stderr == f"rtckb: {path}: cannot be read (Permission denied)\n".encode()

    def test_a_file_in_a_closed_folder(self, sample_db: Path, open_to_all: Path) -> None:
        """A file in a folder without permission is unreadable, not missing."""
        (open_to_all / "closed").mkdir(mode=0o700)
        path = open_to_all / "closed" / "x.db"
        shutil.copy(sample_db, path)
        got = as_nobody("trtc", "--db", str(path), "弹幕")
        assert got.returncode == 3
        assert got.stderr == f"rtckb: {path}: cannot be read (Permission denied)\n".encode()

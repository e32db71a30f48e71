"""A finished file is put in place in one step; until then, and if anything fails, the old one stays."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from conftest import OLD, SAMPLE, let_others_reach

from indexer.errors import PublishFailed
from indexer.store.publish import publishing
from query.integrity import APPLICATION_ID

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def _fill(path: Path, value: str = "new", application: int = APPLICATION_ID) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA application_id = {application}")
        db.execute("CREATE TABLE t (v)")
        db.execute("INSERT INTO t VALUES (?)", (value,))
        db.commit()


def _value(path: Path) -> str:
    with closing(sqlite3.connect(path)) as db:
        return str(db.execute("SELECT v FROM t").fetchone()[0])


def test_publishes(tmp_path: Path) -> None:
    """The file appears under its name, readable by all, in a folder made for it, and alone."""
    target = tmp_path / "a" / "b" / "x.db"
    with publishing(target) as temporary:
        assert temporary.parent == target.parent
        _fill(temporary)
        assert not target.exists()
    assert _value(target) == "new"
    assert target.stat().st_mode & 0o777 == 0o644
    assert list(target.parent.iterdir()) == [target]


def test_failure_leaves_the_old_file(tmp_path: Path) -> None:
    """An error in the middle changes nothing and leaves nothing behind (G1, D6)."""
    target = tmp_path / "x.db"
    target.write_bytes(OLD)
    with pytest.raises(ZeroDivisionError), publishing(target) as temporary:
        _fill(temporary, str(1 // 0))
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


def test_a_database_of_another_program_stays(tmp_path: Path) -> None:
    """What is surely somebody else's data is refused, and stays as it was."""
    target = tmp_path / "x.db"
    _fill(target, "theirs", application=0)
    with pytest.raises(PublishFailed, match=r"x\.db: is a database of another program"), publishing(target):
        pass
    assert _value(target) == "theirs"
    assert list(tmp_path.iterdir()) == [target]


def test_damaged_file_is_not_published(tmp_path: Path) -> None:
    """A file that does not pass its check is refused, and the old one stays."""
    target = tmp_path / "x.db"
    target.write_bytes(OLD)
    with pytest.raises(PublishFailed, match="does not pass its check"), publishing(target) as temporary:
        temporary.write_bytes(b"no database" * 100)
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


def test_sidecars_of_the_old_file_go(tmp_path: Path) -> None:
    """A hot write-ahead log of a killed writer is not replayed into the new file (A21)."""
    target = tmp_path / "x.db"
    crash = f"""
import os, sqlite3
db = sqlite3.connect({str(target)!r})
db.execute("PRAGMA application_id = {APPLICATION_ID}")
db.execute("PRAGMA journal_mode = WAL")
db.execute("CREATE TABLE t (v)")
db.execute("INSERT INTO t VALUES ('old')")
db.commit()
os._exit(9)
"""
    subprocess.run([sys.executable, "-c", crash], check=False)
    assert target.with_name("x.db-wal").stat().st_size > 0
    with publishing(target) as temporary:
        _fill(temporary)
    assert _value(target) == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_open_reader_keeps_its_generation(tmp_path: Path) -> None:
    """Whoever has the old file open goes on reading it; who opens anew reads the new one (A31, G14)."""
    target = tmp_path / "x.db"
    with publishing(target) as temporary:
        _fill(temporary, "old")
    with closing(sqlite3.connect(target)) as reader:
        assert reader.execute("SELECT v FROM t").fetchone() == ("old",)
        with publishing(target) as temporary:
            _fill(temporary, "new")
        assert reader.execute("SELECT v FROM t").fetchone() == ("old",)
    assert _value(target) == "new"


def test_leftovers(tmp_path: Path) -> None:
    """Files of builds that died are removed; of builds that run, and files of others, are not."""
    target = tmp_path / "x.db"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = [tmp_path / f".x.db.{dead.pid}.rtckb-building{end}" for end in ("", "-journal")]
    kept = [
        tmp_path / f".x.db.{os.getppid()}.rtckb-building",
        tmp_path / f".y.db.{dead.pid}.rtckb-building",
        tmp_path / ".x.db.notes.rtckb-building",
        tmp_path / "x.db.bak",
    ]
    for path in (*left, *kept):
        path.touch()
    with publishing(target) as temporary:
        _fill(temporary)
    assert sorted(tmp_path.iterdir()) == sorted([target, *kept])


def test_target_is_a_folder(tmp_path: Path) -> None:
    """A folder in the file's place is refused before anything is built."""
    with (
        pytest.raises(PublishFailed, match=f"{tmp_path}: is a folder; wanted the path of a file"),
        publishing(tmp_path),
    ):
        pytest.fail("the build began")


def test_parent_is_a_file(tmp_path: Path) -> None:
    """A path through a file is refused by name."""
    (tmp_path / "file").touch()
    target = tmp_path / "file" / "x.db"
    with pytest.raises(PublishFailed, match=f"{target}: cannot write there"), publishing(target):
        pytest.fail("the build began")


UNWRITABLE = """
import os, sys
from pathlib import Path
from indexer.errors import PublishFailed
from indexer.store.publish import publishing
if os.geteuid() == 0:
    os.seteuid(65534)  # nobody: root may write anywhere
try:
    with publishing(Path(sys.argv[1])):
        print("the build began")
except PublishFailed as error:
    print(error)
"""


def test_unwritable_folder(python: Run, tmp_path: Path) -> None:
    """A folder that may not be written is refused by name, and the old file stays."""
    folder = tmp_path / "shut"
    folder.mkdir()
    target = folder / "x.db"
    target.write_bytes(OLD)
    folder.chmod(0o555)
    let_others_reach(tmp_path)
    try:
        done = python("-c", UNWRITABLE, target)
    finally:
        folder.chmod(0o755)
    assert done.stdout.decode() == f"{target}: cannot write there (Permission denied)\n"
    assert target.read_bytes() == OLD


FULL = """
import resource, sys
from pathlib import Path
from indexer.build import Sources, build
from indexer.errors import PublishFailed
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    build(Sources(Path(sys.argv[1]), None), Path(sys.argv[2]))
except PublishFailed as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files there")
def test_full_disk(python: Run, sample_db: Path, tmp_path: Path) -> None:
    """A disk that fills up is told in one line; the old file stays and nothing is left behind (G1)."""
    target = tmp_path / "x.db"
    target.write_bytes(OLD)
    trtc = SAMPLE / "trtc"
    assert sample_db.stat().st_size > 400_000
    done = python("-c", FULL, trtc, target)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith(f"{target}: could not be written (")
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("content", [b"# A page\n", b"\0\1\2", b"{}", b"version https://example.org"])
def test_a_file_of_another_kind_stays(content: bytes, tmp_path: Path) -> None:
    """A page or a measurement given as ``-o`` by mistake is not lost."""
    target = tmp_path / "README.md"
    target.write_bytes(content)
    with (
        pytest.raises(PublishFailed, match=r"README\.md: is a file of another kind; wanted an rtckb file"),
        publishing(target),
    ):
        raise AssertionError("nothing is built")
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_bytes() == content


@pytest.mark.parametrize("content", [b"", OLD])
def test_what_stands_for_nothing_may_go(content: bytes, tmp_path: Path) -> None:
    """An empty file, and the pointer of one that Git LFS has not fetched."""
    target = tmp_path / "x.db"
    target.write_bytes(content)
    with publishing(target) as temporary, closing(sqlite3.connect(temporary)) as db:
        db.execute("CREATE TABLE t (x)")
    assert target.read_bytes().startswith(b"SQLite format 3")

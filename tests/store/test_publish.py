"""A finished file is published in one step; until then, and after any failure, the old file stays as it was."""

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
    """The file appears under its name, readable by everybody, in a new folder, with nothing beside it."""
    target = tmp_path / "a" / "b" / "x.db"
    with publishing(target) as temporary:
        _fill(temporary)
        assert not target.exists()
    assert _value(target) == "new"
    assert target.stat().st_mode & 0o777 == 0o644
    assert list(target.parent.iterdir()) == [target]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file that a link points to is replaced, and it keeps its rights."""
    target, link = tmp_path / "x.db", tmp_path / "link.db"
    target.write_bytes(OLD)
    target.chmod(0o600)
    link.symlink_to(target)
    with publishing(link) as temporary:
        _fill(temporary)
    assert link.is_symlink()
    assert _value(target) == "new"
    assert target.stat().st_mode & 0o777 == 0o600


def test_failure_leaves_the_old_file(tmp_path: Path) -> None:
    """An exception during a build changes nothing and leaves no other file."""
    target = tmp_path / "x.db"
    target.write_bytes(OLD)
    with pytest.raises(ZeroDivisionError), publishing(target) as temporary:
        _fill(temporary, str(1 // 0))
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


def test_damaged_file_is_not_published(tmp_path: Path) -> None:
    """A file that does not pass SQLite's check is refused, and the old one stays."""
    target = tmp_path / "x.db"
    target.write_bytes(OLD)
    with pytest.raises(PublishFailed, match="does not pass its check"), publishing(target) as temporary:
        temporary.write_bytes(b"no database" * 100)
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


def test_sidecars_of_the_old_file_are_removed(tmp_path: Path) -> None:
    """The write-ahead log of a killed writer is not replayed into the new file."""
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


def test_open_reader_keeps_its_file(tmp_path: Path) -> None:
    """A connection that is open during a build goes on reading the old file; a later one reads the new file."""
    target = tmp_path / "x.db"
    with publishing(target) as temporary:
        _fill(temporary, "old")
    with closing(sqlite3.connect(target)) as reader:
        assert reader.execute("SELECT v FROM t").fetchone() == ("old",)
        with publishing(target) as temporary:
            _fill(temporary, "new")
        assert reader.execute("SELECT v FROM t").fetchone() == ("old",)
    assert _value(target) == "new"


#: What is at the target -> the file to make there, and the message.
REFUSED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a folder": (Path.mkdir, "x.db: is a folder; wanted the path of a file"),
    "another program's database": (lambda path: _fill(path, application=0), "x.db: is a database of another program"),
    "a page": (lambda path: path.write_text("# A page\n", "utf-8"), "x.db: is a file of another kind; wanted an rtckb"),
    "bytes": (lambda path: path.write_bytes(b"\0\1\2"), "x.db: is a file of another kind"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_targets(make: Callable[[Path], object], message: str, tmp_path: Path) -> None:
    """What is not an rtckb file is refused before anything is built, and stays as it was."""
    target = tmp_path / "x.db"
    make(target)
    before = target.is_dir() or target.read_bytes()
    with pytest.raises(PublishFailed, match=message), publishing(target):
        pytest.fail("the build began")
    assert list(tmp_path.iterdir()) == [target]
    assert (target.is_dir() or target.read_bytes()) == before


@pytest.mark.parametrize("content", [b"", OLD], ids=["an empty file", "a pointer of Git LFS"])
def test_files_without_content_are_replaced(content: bytes, tmp_path: Path) -> None:
    """An empty file, and a pointer file in place of one that Git LFS has not fetched, may be replaced."""
    target = tmp_path / "x.db"
    target.write_bytes(content)
    with publishing(target) as temporary:
        _fill(temporary)
    assert _value(target) == "new"


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
    """A folder without write permission is refused by name, and the old file stays."""
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
    """A full disk is an error of one line; the old file stays, and no other file is left."""
    target = tmp_path / "x.db"
    target.write_bytes(OLD)
    assert sample_db.stat().st_size > 400_000
    done = python("-c", FULL, SAMPLE / "trtc", target)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith(f"{target}: could not be written (")
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]

"""Temporary folders: each build has its own, and those of killed builds are removed, no others."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import environment

from indexer.store import temporary
from indexer.store.temporary import temporary_folder

#: Makes a temporary folder, prints a line, and waits.
BUILD = """
import sys, time
from pathlib import Path
from indexer.store.temporary import temporary_folder
with temporary_folder(Path(sys.argv[1])):
    print("made", flush=True)
    time.sleep(60)
"""


@contextmanager
def running_build(target: Path) -> Iterator[Path]:
    """The folder of another process, which is killed with SIGKILL at the end."""
    before = set(target.parent.iterdir())
    with subprocess.Popen([sys.executable, "-c", BUILD, target], env=environment(), stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"made\n"
            (folder,) = set(target.parent.iterdir()) - before
            yield folder
        finally:
            process.kill()


def test_a_running_build_keeps_its_folder(tmp_path: Path) -> None:
    """A build removes the folder of a killed build of the same target, and not the one of a running build."""
    target = tmp_path / "x[1].db"
    with running_build(target) as other:
        (other / "x.db").touch()
        with temporary_folder(target) as folder:
            assert sorted(tmp_path.iterdir()) == sorted([other, folder])
        assert list(tmp_path.iterdir()) == [other]
        assert (other / "x.db").exists()
    with temporary_folder(target) as folder:
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


def test_names_are_random(tmp_path: Path) -> None:
    """Two builds whose process numbers are equal, as in two containers, have different folders."""
    with temporary_folder(tmp_path / "x.db") as one, temporary_folder(tmp_path / "x.db") as other:
        assert one != other
        assert one.is_dir()
        assert other.is_dir()


def test_builds_that_begin_together(tmp_path: Path) -> None:
    """A folder that another build removes between its creation and its lock is made again."""
    missing: list[Path] = []

    def build() -> None:
        for _ in range(50):
            with temporary_folder(tmp_path / "x.db") as folder:
                (folder / "file").touch()
                missing.extend([] if folder.is_dir() else [folder])

    threads = [threading.Thread(target=build) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missing == []
    assert list(tmp_path.iterdir()) == []


def test_other_files_stay(tmp_path: Path) -> None:
    """Folders of other targets stay, and so do files and links with such a name, and what a link points to."""
    outside = tmp_path / "outside"
    outside.mkdir()
    kept = [tmp_path / ".y.db.0123456789abcdef.rtckb-building", tmp_path / ".x.db.notes", outside]
    for folder in kept[:2]:
        folder.mkdir()
    (tmp_path / ".x.db.file.rtckb-building").touch()
    (tmp_path / ".x.db.link.rtckb-building").symlink_to(outside)
    before = sorted(tmp_path.iterdir())
    with temporary_folder(tmp_path / "x.db"):
        pass
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(("age", "removed"), [(0, False), (25 * 3600, True)], ids=["young", "old"])
def test_without_locks(age: int, removed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no flock, a folder counts as left from a killed build after a day."""
    monkeypatch.setattr(temporary, "fcntl", None)
    left = tmp_path / ".x.db.0123456789abcdef.rtckb-building"
    left.mkdir()
    os.utime(left, (time.time() - age,) * 2)
    with temporary_folder(tmp_path / "x.db"):
        assert left.exists() is not removed
    assert list(tmp_path.iterdir()) == ([] if removed else [left])


def test_write_protected_folders_and_links(tmp_path: Path) -> None:
    """Write-protected folders are removed too, links only as links."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    outside.chmod(0o555)
    with temporary_folder(tmp_path / "x.db") as folder:
        (folder / "inner" / "deep").mkdir(parents=True)
        (folder / "inner" / "link").symlink_to(outside)
        for path in (folder / "inner" / "deep", folder / "inner", folder):
            path.chmod(0o555)
    assert list(tmp_path.iterdir()) == [outside]
    assert (outside / "file").exists()
    assert outside.stat().st_mode & 0o777 == 0o555

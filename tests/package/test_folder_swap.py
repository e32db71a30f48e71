"""A finished folder replaces the old one in one step: it is never incomplete or missing, and nothing else is left."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.errors import PublishFailed
from indexer.package import folder_swap
from indexer.package.folder_swap import exchange, replacing_folder

Run = Callable[..., subprocess.CompletedProcess[bytes]]
#: Opens a file ten thousand times.
LOOK = "import sys; [open(sys.argv[1]).close() for _ in range(10_000)]"


def _fill(target: Path, text: str) -> None:
    with replacing_folder(target) as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "file").write_text(text, "utf-8")


def _text(target: Path) -> str:
    return (target / "inner" / "file").read_text("utf-8")


def test_new_then_replaced(tmp_path: Path) -> None:
    """A folder is made with its parents, readable by everybody, and replaced; nothing is left beside it."""
    target = tmp_path / "deep" / "folder"
    for text in ("one", "two"):
        _fill(target, text)
        assert _text(target) == text
        assert target.stat().st_mode & 0o777 == 0o755
        assert list(target.parent.iterdir()) == [target]


def test_a_failure_leaves_the_old_one(tmp_path: Path) -> None:
    """An exception while the folder is filled leaves the old folder and no other."""
    target = tmp_path / "folder"
    _fill(target, "old")
    with pytest.raises(ZeroDivisionError), replacing_folder(target) as folder:
        (folder / "file").write_text(str(1 // 0), "utf-8")
    assert _text(target) == "old"
    assert list(tmp_path.iterdir()) == [target]


KILLED = """
import os, sys
from pathlib import Path
from indexer.package.folder_swap import replacing_folder
with replacing_folder(Path(sys.argv[1])):
    os.kill(os.getpid(), 9)
"""


def test_the_folder_of_a_killed_process_is_removed(tmp_path: Path, python: Run) -> None:
    """What a killed process left is removed the next time."""
    assert python("-c", KILLED, tmp_path / "folder").returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    _fill(tmp_path / "folder", "new")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


@pytest.mark.parametrize("points_to", ["inner/file", "inner", "gone"])
def test_links_in_the_old_folder(points_to: str, tmp_path: Path) -> None:
    """Links in the old folder are removed; what they point to keeps its content and its rights."""
    outside = tmp_path / "outside"
    _fill(outside, "mine")
    _fill(tmp_path / "folder", "old")
    (tmp_path / "folder" / "inner" / "link").symlink_to(outside / points_to)
    (outside / "inner").chmod(0o555)
    _fill(tmp_path / "folder", "new")
    assert _text(outside) == "mine"
    assert (outside / "inner").stat().st_mode & 0o777 == 0o555
    assert sorted(tmp_path.iterdir()) == [tmp_path / "folder", outside]


def test_a_write_protected_folder_is_replaced(tmp_path: Path) -> None:
    """A read-only folder is replaced like any other."""
    target = tmp_path / "folder"
    _fill(target, "old")
    for path in (target / "inner" / "file", target / "inner", target):
        path.chmod(0o555 if path.is_dir() else 0o444)
    _fill(target, "new")
    assert _text(target) == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_parent_is_a_file(tmp_path: Path) -> None:
    """A path through a file is an error that names the folder."""
    (tmp_path / "file").touch()
    with pytest.raises(PublishFailed, match="folder: cannot be written"):
        _fill(tmp_path / "file" / "folder", "x")


@pytest.mark.parametrize("platform", ["linux", "other"])
def test_exchange(platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folders exchange their names, with the system call and without it."""
    monkeypatch.setattr(folder_swap.sys, "platform", platform)
    for name in ("one", "other"):
        _fill(tmp_path / name, name)
    exchange(tmp_path / "one", tmp_path / "other")
    assert (_text(tmp_path / "one"), _text(tmp_path / "other")) == ("other", "one")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_failed_exchange_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the new folder is missing, the old one gets its name back."""
    monkeypatch.setattr(folder_swap.sys, "platform", "other")
    _fill(tmp_path / "other", "old")
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "missing", tmp_path / "other")
    assert _text(tmp_path / "other") == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "other"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two folders in one step")
def test_there_is_always_a_folder(tmp_path: Path) -> None:
    """A process that opens a file again and again while two folders are exchanged finds one each time."""
    for name in ("one", "other"):
        _fill(tmp_path / name, name)
    reader = subprocess.Popen([sys.executable, "-c", LOOK, tmp_path / "one" / "inner" / "file"])
    stop = threading.Event()

    def keep_exchanging() -> None:
        while not stop.is_set():
            exchange(tmp_path / "one", tmp_path / "other")

    thread = threading.Thread(target=keep_exchanging)
    thread.start()
    try:
        assert reader.wait(60) == 0
    finally:
        stop.set()
        thread.join()

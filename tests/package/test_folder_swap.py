"""A folder takes its place whole: nothing half-written, nothing left behind, no moment without one."""

import os
import stat
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
#: Names ten thousand times a file in the folder, which must be there each time.
LOOK = "import sys; [open(sys.argv[1]).close() for _ in range(10_000)]"


def _fill(target: Path, text: str) -> None:
    with replacing_folder(target) as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "file").write_text(text, "utf-8")


def _fail(target: Path) -> None:
    with replacing_folder(target) as folder:
        (folder / "file").touch()
        raise RuntimeError


def _held(target: Path) -> str:
    return (target / "inner" / "file").read_text("utf-8")


def test_new_then_replaced(tmp_path: Path) -> None:
    """A folder is made with its parents, then replaced, and nothing else lies beside it."""
    target = tmp_path / "deep" / "folder"
    for text in ("one", "two"):
        _fill(target, text)
        assert _held(target) == text
        assert list(target.parent.iterdir()) == [target]


def test_a_failure_leaves_the_old_one(tmp_path: Path) -> None:
    """An error while filling leaves the old folder, and no other."""
    _fill(tmp_path / "folder", "old")
    with pytest.raises(RuntimeError):
        _fail(tmp_path / "folder")
    assert _held(tmp_path / "folder") == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


def test_a_killed_one_is_cleaned_next_time(tmp_path: Path, python: Run) -> None:
    """What a killed process left goes with the next filling; what a living one fills stays."""
    code = "import os, sys; from pathlib import Path; from indexer.package.folder_swap import replacing_folder;"
    code += "begun = replacing_folder(Path(sys.argv[1])); begun.__enter__(); os.kill(os.getpid(), 9)"
    assert python("-c", code, tmp_path / "folder").returncode == -9
    (left,) = tmp_path.iterdir()
    assert left.is_dir()
    living = tmp_path / f".folder.1{folder_swap._MARK}"
    living.mkdir()
    _fill(tmp_path / "folder", "new")
    assert sorted(tmp_path.iterdir()) == [living, tmp_path / "folder"]


@pytest.mark.parametrize("end", ["", "-old"])
def test_what_a_process_of_the_same_number_left(end: str, tmp_path: Path) -> None:
    """In a container each process may have the number of one that was killed: its folder is in nobody's way."""
    left = tmp_path / f".folder.{os.getpid()}{folder_swap._MARK}{end}"
    (left / "inner").mkdir(parents=True)
    (left / "inner" / "other").touch()
    _fill(tmp_path / "folder", "new")
    assert _held(tmp_path / "folder") == "new"
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


@pytest.mark.parametrize("leads_to", ["inner/file", "inner", "gone"])
def test_links_in_an_old_one_lead_to_what_stays(leads_to: str, tmp_path: Path) -> None:
    """Of links only the links go: what they lead to keeps its content and its rights."""
    outside = tmp_path / "outside"
    _fill(outside, "mine")
    _fill(tmp_path / "folder", "old")
    (tmp_path / "folder" / "inner" / "link").symlink_to(outside / leads_to)
    (tmp_path / f".folder.{os.getpid()}{folder_swap._MARK}").symlink_to(outside / leads_to)
    (outside / "inner").chmod(0o555)
    _fill(tmp_path / "folder", "new")
    assert _held(outside) == "mine"
    assert stat.S_IMODE((outside / "inner").stat().st_mode) == 0o555
    assert sorted(tmp_path.iterdir()) == [tmp_path / "folder", outside]
    assert not (tmp_path / "folder" / "inner" / "link").is_symlink()


def test_a_write_protected_one_is_replaced(tmp_path: Path) -> None:
    """A folder that was made read-only is replaced like any other."""
    target = tmp_path / "folder"
    _fill(target, "old")
    for path in (target / "inner" / "file", target / "inner", target):
        path.chmod(0o555 if path.is_dir() else 0o444)
    _fill(target, "new")
    assert _held(target) == "new"
    assert list(tmp_path.iterdir()) == [target]


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A parent that is a file is named in the error."""
    (tmp_path / "file").touch()
    with pytest.raises(PublishFailed, match="folder: cannot be written"):
        _fill(tmp_path / "file" / "folder", "x")


@pytest.mark.parametrize("platform", ["linux", "other"])
def test_exchange(platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two folders change names, with the system's call and without it."""
    monkeypatch.setattr(folder_swap.sys, "platform", platform)
    for name in ("one", "other"):
        _fill(tmp_path / name, name)
    exchange(tmp_path / "one", tmp_path / "other")
    assert (_held(tmp_path / "one"), _held(tmp_path / "other")) == ("other", "one")
    assert len(list(tmp_path.iterdir())) == 2


def test_an_exchange_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the new folder is missing, the old one is back under its name."""
    monkeypatch.setattr(folder_swap.sys, "platform", "other")
    _fill(tmp_path / "other", "old")
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "missing", tmp_path / "other")
    assert _held(tmp_path / "other") == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "other"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two folders in one step")
def test_there_is_no_moment_without_a_folder(tmp_path: Path) -> None:
    """A process that looks again and again while two folders change places finds one each time."""
    for name in ("one", "other"):
        _fill(tmp_path / name, name)
    seen = subprocess.Popen([sys.executable, "-c", LOOK, tmp_path / "one" / "inner" / "file"])
    stop = threading.Event()

    def keep_exchanging() -> None:
        while not stop.is_set():
            exchange(tmp_path / "one", tmp_path / "other")

    thread = threading.Thread(target=keep_exchanging)
    thread.start()
    try:
        assert seen.wait(60) == 0
    finally:
        stop.set()
        thread.join()

"""Put a finished folder in place: filled beside it, exchanged in one step. What dies halfway leaves the old one."""

import contextlib
import ctypes
import glob
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from indexer.errors import PublishFailed
from indexer.store.publish import alive, flush

_MARK = ".rtckb-bundling"
#: Of renameat2(2): paths start at the working folder; the two names change places.
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


@contextlib.contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """A new folder beside ``target`` to fill; takes its place on success, goes on failure.

    Raises:
        PublishFailed: the parent cannot be written, the disk is full, or the folder cannot be replaced.
    """
    temporary = target.with_name(f".{target.name}.{os.getpid()}{_MARK}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(target)
        temporary.mkdir()
        yield temporary
        for path in (*temporary.rglob("*"), temporary):
            flush(path)
        if target.exists():
            exchange(temporary, target)
        else:
            temporary.rename(target)
        flush(target.parent)
    except OSError as error:
        raise PublishFailed(f"{target}: cannot be written or replaced ({error})") from error
    finally:
        _remove(temporary)


def exchange(one: Path, other: Path) -> None:
    """Let two folders beside each other change names: in one step on Linux, in three elsewhere.

    Raises:
        OSError: it cannot be done; both are as they were.
    """
    if sys.platform == "linux":
        renameat2 = getattr(ctypes.CDLL(None), "renameat2", None)  # glibc 2.28 and newer
        names = os.fsencode(one), os.fsencode(other)
        if renameat2 and renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0:
            return
    aside = one.with_name(one.name + "-old")
    other.rename(aside)
    try:
        one.rename(other)
    except OSError:
        aside.rename(other)
        raise
    aside.rename(one)


def _remove_leftovers(target: Path) -> None:
    """Folders of bundlings that were killed, also by this number; those of another that still runs are left alone."""
    for path in target.parent.glob(f".{glob.escape(target.name)}.*{_MARK}*"):
        pid = path.name.partition(_MARK)[0].rpartition(".")[2]
        if pid.isdigit() and (int(pid) == os.getpid() or not alive(int(pid))):
            _remove(path)


def _remove(folder: Path) -> None:
    """Remove a folder, also a write-protected one; of links only the links, never what they lead to."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
        return
    if folder.is_dir():
        folder.chmod(0o700)
    for path, names, _ in os.walk(folder):
        for inner in (Path(path, name) for name in names):
            if not inner.is_symlink():
                inner.chmod(0o700)  # before os.walk enters it
    shutil.rmtree(folder, ignore_errors=True)

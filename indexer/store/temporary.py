"""Temporary folders beside a target: their random names, their locks, and the removal of those left by killed builds.

A random name, not a process number: builds in two containers that share a volume may have the same number. Each build
holds an advisory lock (``flock``) on its folder. The lock ends with the process, so a folder whose lock is free belongs
to no running build. Without ``flock`` (Windows, some network file systems) the age of the folder decides.
"""

import contextlib
import glob
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]  # its absence is tested before each use

#: How the name of a temporary folder ends.
_MARK = ".rtckb-building"
#: Without locks, a folder of so many seconds is left from a killed build.
_ABANDONED_AFTER = 24 * 3600


@contextlib.contextmanager
def temporary_folder(target: Path) -> Iterator[Path]:
    """Make a folder beside ``target``, lock it, and remove it at the end; folders of killed builds are removed first.

    Raises:
        OSError: the folder cannot be made.
    """
    for path in target.parent.glob(f".{glob.escape(target.name)}.*{_MARK}"):
        _remove_abandoned(path)
    folder, lock = _make_locked(target)
    try:
        yield folder
    finally:
        _remove(folder)
        _close(lock)


def _make_locked(target: Path) -> tuple[Path, int | None]:
    """A new folder and the handle that locks it. One that another build removed before it was locked is made again."""
    while True:
        folder = target.with_name(f".{target.name}.{secrets.token_hex(8)}{_MARK}")
        folder.mkdir()
        lock = _lock(folder, wait=True)
        if folder.exists():
            return folder, lock
        _close(lock)


def _lock(folder: Path, wait: bool) -> int | None:
    """The handle that locks ``folder``, None where there are no locks.

    Raises:
        BlockingIOError: another process holds the lock, and ``wait`` is false.
    """
    if fcntl is None:
        return None
    handle = None
    try:
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        _close(handle)
        raise
    except OSError:  # the folder is gone or closed to us, or its file system has no locks
        _close(handle)
        return None
    return handle


def _close(handle: int | None) -> None:
    if handle is not None:
        os.close(handle)


def _remove_abandoned(folder: Path) -> None:
    """Remove a folder of a killed build; one of a running build, a link or a file stays."""
    with contextlib.suppress(OSError):
        if folder.is_symlink() or not folder.is_dir():
            return
        lock = _lock(folder, wait=False)
        if lock is not None or time.time() - folder.stat().st_mtime > _ABANDONED_AFTER:
            _remove(folder)
        _close(lock)


def _remove(folder: Path) -> None:
    """Remove a folder, even a write-protected one. Links in it are removed, never followed."""
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
        for path, names, _ in os.walk(folder):
            for inner in (Path(path, name) for name in names):
                if not inner.is_symlink():
                    inner.chmod(0o700)  # before os.walk enters it
    shutil.rmtree(folder, ignore_errors=True)

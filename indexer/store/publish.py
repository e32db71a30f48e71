"""Publish a finished index file: checked, flushed to disk, and renamed over the old file in one step.

A build that fails or is killed leaves the old file as it was.
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from indexer.errors import PublishFailed
from indexer.store.previous import read_header
from indexer.store.temporary import temporary_folder

#: The first bytes of a pointer file: what Git LFS leaves in place of a file that it has not fetched.
_LFS_POINTER = b"version https://git-lfs"


@contextlib.contextmanager
def publishing(target: Path) -> Iterator[Path]:
    """A temporary path to build the file at; it replaces ``target`` on success and is removed in any case.

    Raises:
        PublishFailed: the folder cannot be made or written, the disk is full, or the file cannot be replaced.
    """
    with contextlib.ExitStack() as stack:
        try:
            target = _replaceable(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = stack.enter_context(temporary_folder(target)) / target.name
            temporary.touch()
        except OSError as error:
            raise PublishFailed(f"{target}: cannot write there ({error.strerror or error})") from error
        try:
            yield temporary
            _publish(temporary, target)
        except sqlite3.OperationalError as error:
            raise PublishFailed(f"{target}: could not be written ({error})") from error


def _replaceable(target: Path) -> Path:
    """The file to replace: of a link the file it points to. Only an rtckb file may be lost, or one without content."""
    target = target.resolve() if target.is_symlink() else target
    if target.is_dir():
        raise PublishFailed(f"{target}: is a folder; wanted the path of a file")
    if target.exists() and not target.is_file():
        raise PublishFailed(f"{target}: is a device, pipe or socket; wanted the path of a regular file")
    header = read_header(target)
    if header is not None and not header.is_rtckb:
        raise PublishFailed(f"{target}: is a database of another program; wanted an rtckb file, or a new one")
    if header is None and target.exists() and not _has_no_content(target):
        raise PublishFailed(f"{target}: is a file of another kind; wanted an rtckb file, or a new one")
    return target


def _has_no_content(target: Path) -> bool:
    with target.open("rb") as file:
        return file.read(len(_LFS_POINTER)) in {b"", _LFS_POINTER}


def _publish(temporary: Path, target: Path) -> None:
    """Check the new file, flush it, give it the old one's rights, rename it over the old one, flush the folder.

    The old file's sidecars are removed first: SQLite would replay its write-ahead log into the new file.
    """
    try:
        _check(temporary)
        flush(temporary)
        for suffix in ("-wal", "-shm", "-journal"):
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
        flush(target.parent)
    except OSError as error:
        raise PublishFailed(f"{target}: could not be replaced ({error.strerror or error})") from error


def _check(path: Path) -> None:
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            (found,) = connection.execute("PRAGMA quick_check").fetchone()
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        raise PublishFailed(f"{path}: the file just built does not pass its check ({found})")


def flush(path: Path) -> None:
    """Flush a file or folder to disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows cannot flush a folder
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

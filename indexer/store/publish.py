"""Put a finished file in place: checked, on disk, and in one step. A build that dies leaves the old file as it was."""

import contextlib
import glob
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from indexer.errors import PublishFailed
from indexer.store.previous import read_header

#: How a file begins that Git LFS has not fetched.
_POINTER = b"version https://git-lfs"
_SIDECARS = ("-wal", "-shm", "-journal")
_MARK = ".rtckb-building"


@contextlib.contextmanager
def publishing(target: Path) -> Iterator[Path]:
    """A temporary path beside ``target`` to build in; published on success, removed on failure.

    Raises:
        PublishFailed: the folder cannot be made or written, the disk is full, or the file cannot be replaced.
    """
    target = _real(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(target)
        temporary = target.parent / f".{target.name}.{os.getpid()}{_MARK}"
        temporary.unlink(missing_ok=True)
        temporary.touch()
    except OSError as error:
        raise PublishFailed(f"{target}: cannot write there ({error.strerror or error})") from error
    try:
        yield temporary
        _publish(temporary, target)
    except sqlite3.OperationalError as error:
        raise PublishFailed(f"{target}: could not be written ({error})") from error
    finally:
        for path in (temporary, *_sidecars(temporary)):
            path.unlink(missing_ok=True)


def _real(target: Path) -> Path:
    """Where a link leads, so that the link stays one; anything but a regular file is never replaced."""
    target = target.resolve() if target.is_symlink() else target
    if target.is_dir():
        raise PublishFailed(f"{target}: is a folder; wanted the path of a file")
    if target.exists() and not target.is_file():
        raise PublishFailed(f"{target}: is a device, pipe or socket; wanted the path of a regular file")
    header = read_header(target)
    if header is not None and not header.is_rtckb:
        raise PublishFailed(f"{target}: is a database of another program; wanted an rtckb file, or a new one")
    if header is None and target.exists() and not _may_go(target):
        raise PublishFailed(f"{target}: is a file of another kind; wanted an rtckb file, or a new one")
    return target


def _may_go(target: Path) -> bool:
    """Whether a file that is no database may be replaced: an empty one, and the pointer that Git LFS left."""
    with target.open("rb") as file:
        head = file.read(len(_POINTER))
    return head in {b"", _POINTER}


def _publish(temporary: Path, target: Path) -> None:
    """Check, fsync, drop the old file's sidecars (cases.md A21), keep its mode, rename over it, fsync the folder."""
    try:
        _check(temporary)
        flush(temporary)
        for sidecar in _sidecars(target):
            sidecar.unlink(missing_ok=True)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
        flush(target.parent)
    except OSError as error:
        raise PublishFailed(f"{target}: could not be replaced ({error.strerror or error})") from error


def _check(path: Path) -> None:
    connection = sqlite3.connect(path)
    try:
        (verdict,) = connection.execute("PRAGMA quick_check").fetchone()
    except sqlite3.DatabaseError as error:
        raise PublishFailed(f"{path}: the file just built does not pass its check ({error})") from error
    finally:
        connection.close()
    if verdict != "ok":
        raise PublishFailed(f"{path}: the file just built does not pass its check ({verdict})")


def flush(path: Path) -> None:
    """See to it that a file or folder is on disk."""
    if os.name == "nt" and path.is_dir():
        return  # Windows has no handle on a folder to flush
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sidecars(path: Path) -> list[Path]:
    return [path.with_name(path.name + suffix) for suffix in _SIDECARS]


def _remove_leftovers(target: Path) -> None:
    """Temporary files of builds that were killed; those of a build that still runs are left alone."""
    for path in target.parent.glob(f".{glob.escape(target.name)}.*{_MARK}"):
        pid = path.name.removesuffix(_MARK).rpartition(".")[2]
        if pid.isdigit() and not alive(int(pid)):
            for leftover in (path, *_sidecars(path)):
                leftover.unlink(missing_ok=True)


def alive(pid: int) -> bool:
    """Whether a process of that number runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True

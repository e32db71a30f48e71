"""Publish a finished folder: filled beside the old one, then exchanged with it in one step."""

import contextlib
import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from indexer.errors import PublishFailed
from indexer.store.publish import flush
from indexer.store.temporary import temporary_folder

#: Arguments of renameat2(2): paths start at the working folder; the two names change places.
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


@contextlib.contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """A new folder beside ``target`` to fill; it replaces ``target`` on success and is removed on failure.

    Raises:
        PublishFailed: the parent cannot be written, the disk is full, or the folder cannot be replaced.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary_folder(target) as temporary:
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


def exchange(one: Path, other: Path) -> None:
    """Exchange the names of two folders beside each other: in one step on Linux, in three elsewhere.

    Raises:
        OSError: it failed; both folders are as they were.
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

"""The calls of one connection, answered from one index that stays open between them."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from query.index import Index, open_index
from query.mcp.tools import Tool
from query.output import Answer


class Session:
    """Opens the index once, and again only after the file at its path was replaced or changed.

    Calls may come from any thread, but only one at a time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, ...] | None = None
        self._opened = ExitStack()
        self._index: Index

    def call(self, tool: Tool, arguments: Mapping[str, Any]) -> Answer:
        """Answer one call.

        Raises:
            UsageError: an argument does not fit, or has a value that the search does not know.
            IndexUnusable: one subclass per cause.
        """
        options = tool.check(arguments)
        index = self.index()
        with index.blame_alterations():
            return tool.answer(index, arguments[tool.positional], **options)

    def index(self) -> Index:
        """The index that is at the path now.

        Raises:
            IndexUnusable: one subclass per cause.
        """
        file = _identity(self._path)
        if file is None or file != self._file:
            self.close()
            self._index = self._opened.enter_context(open_index(self._path))
            self._file = file
        return self._index

    def close(self) -> None:
        """Close the index."""
        self._opened.close()
        self._file = None


def _identity(path: Path) -> tuple[int, ...] | None:
    """Device, inode and time of change, which differ for a new file of the same name; None if it cannot be read."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns

"""What the first bytes of an SQLite file tell, also of one that is damaged or of another version of ours."""

from pathlib import Path
from typing import NamedTuple

from fileformat.version import APPLICATION_ID

#: SQLite file format, 1.3: how a file begins, and where in its first bytes what stands.
_MAGIC = b"SQLite format 3\0"
_MODES, _VERSION, _APPLICATION = slice(18, 20), slice(60, 64), slice(68, 72)
#: Both mode bytes of a file without a write-ahead log.
_ROLLBACK = b"\1\1"


class Header(NamedTuple):
    """``application``: PRAGMA application_id; ``version``: PRAGMA user_version; ``write_ahead``: a log may belong."""

    application: int
    version: int
    write_ahead: bool

    @property
    def is_ours(self) -> bool:
        """Whether some version of rtckb wrote the file."""
        return self.application == APPLICATION_ID


def read_header(path: Path) -> Header | None:
    """The header of ``path``; None where that is no SQLite file, or none that can be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            head = file.read(_APPLICATION.stop)
    except OSError:
        return None
    if not head.startswith(_MAGIC):
        return None
    return Header(_number(head[_APPLICATION]), _number(head[_VERSION]), head[_MODES] != _ROLLBACK)


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big", signed=True)

"""Opens an index read-only, checks that it is one, and turns every driver error into one of ours.

What leads from the words of a question to those of a base, each of which an evaluation can leave out.

How often answers like one were correct when the file was measured: told beside ``confidence``, never in it.
"""

import contextlib
import json
import sqlite3
import stat
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from query.analysis.normalize import Variants
from query.errors import IndexMissing, IndexTooNew, IndexTooOld, IndexUnreadable, NotAnIndex
from query.integrity import APPLICATION_ID, SCHEMA_VERSION

Row = tuple[Any, ...]
_Computed = TypeVar("_Computed")
#: What comes of values that no build writes: a missing fact, a number in a text's place, a packed list cut short.
_CORRUPTION_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, struct.error)
_FOREIGN = "SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index')"


class SignalSource(StrEnum):
    """A source of evidence beside the base's own tags, names and descriptions."""

    HINT = "hint"
    LEXICON = "lexicon"
    SPELLING = "spelling"
    TRADITIONAL = "traditional"
    HEADINGS = "headings"
    TROUBLESHOOTING = "troubleshooting"
    APIS = "apis"
    BODY = "body"


#: Bridges over which a NIM question goes; the others are those of ``rtckb trtc``.
NIM_SIGNALS = frozenset({SignalSource.HINT, SignalSource.LEXICON, SignalSource.TRADITIONAL})
#: Bridges that are columns of ``slice_words``.
FIELD_SIGNALS = frozenset({SignalSource.HEADINGS, SignalSource.TROUBLESHOOTING, SignalSource.APIS, SignalSource.BODY})


def as_json(values: Iterable[str] | Iterable[int]) -> str:
    """Values as one bound parameter, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(values))


def phrase(term: str) -> str:
    """One term as a quoted full-text phrase: no user text reaches MATCH raw."""
    return '"' + term.replace('"', '""') + '"'


class Index:
    """One open index. Not for several threads at a time; open one each."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, disabled_signals: frozenset[SignalSource] = frozenset()
    ) -> None:
        self._connection = connection
        self.path = path
        self.disabled_signals = disabled_signals

    def rows(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """All rows of a statement with bound parameters.

        Raises:
            IndexUnreadable: the file is damaged.
        """
        with _translate_errors(self.path):
            return self._connection.execute(sql, parameters).fetchall()

    def lists(self, sql: str, parameters: Sequence[Any] = ()) -> dict[Any, list[Any]]:
        """The second column of all rows, in their order, gathered by the first.

        Raises:
            IndexUnreadable: the file is damaged.
        """
        found: dict[Any, list[Any]] = {}
        for key, value in self.rows(sql, parameters):
            found.setdefault(key, []).append(value)
        return found

    @cached_property
    def products(self) -> tuple[str, ...]:
        """The TRTC products, in the order of their index."""
        return tuple(product for (product,) in self.rows("SELECT product_id FROM product ORDER BY id"))

    @cached_property
    def nim_units(self) -> int:
        """How many units the NIM base has."""
        ((units,),) = self.rows("SELECT count(*) FROM nim_unit")
        return int(units)

    @cached_property
    def meta(self) -> dict[str, str]:
        """The facts of the build."""
        return dict(self.rows("SELECT key, value FROM meta"))

    @cached_property
    def variants(self) -> Variants:
        """Traditional -> simplified characters, as the index was built with."""
        if SignalSource.TRADITIONAL in self.disabled_signals:
            return {}
        ours, theirs = self.meta.get("variants_to", ""), self.meta.get("variants_from", "")
        if len(ours) != len(theirs):
            raise IndexUnreadable(f"{self.path}: its table of variant characters is damaged")
        return str.maketrans(theirs, ours)

    def computed(self, compute: Callable[[sqlite3.Connection], _Computed]) -> _Computed:
        """What a function of the connection gives.

        Raises:
            IndexUnreadable: the file is damaged.
        """
        with _translate_errors(self.path):
            return compute(self._connection)


@contextlib.contextmanager
def open_index(path: Path, disabled_signals: frozenset[SignalSource] = frozenset()) -> Iterator[Index]:
    """Open ``path`` for reading only; no file is ever created, and nothing in it can run code.

    ``without`` are bridges that this reader does without, to measure what each is worth.

    Raises:
        IndexUnusable: one subclass per cause, also where what an altered file holds trips the code that reads it.
    """
    head = _head(path)
    with _translate_errors(path):
        connection = sqlite3.connect(_uri(path, head), uri=True, isolation_level=None)
    try:
        with _translate_errors(path):
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            _check_version(connection, path)
        yield Index(connection, path, disabled_signals)
    except _CORRUPTION_ERRORS as error:
        from query.integrity import mismatch  # noqa: PLC0415  # no answer needs hashes

        with _translate_errors(path):
            what = mismatch(connection)
        if not what:
            raise  # the file is as it was built, so the fault is ours
        raise IndexUnreadable(f"{path}: damaged or altered: {what}") from error
    finally:
        connection.close()


def _uri(path: Path, head: bytes) -> str:
    """A percent-encoded file: URI (cases.md A23).

    Immutable, so that a log which some other file left under the name is not replayed over it (A21); only a
    file that somebody turned into write-ahead mode is read with its log.
    """
    logged = head[18:20] == b"\2\2" and path.with_name(path.name + "-wal").exists()
    immutable = "" if logged else "&immutable=1"
    return f"{path.resolve().as_uri()}?mode=ro{immutable}"


def _head(path: Path) -> bytes:
    """The file's first bytes, once it is known to be a SQLite database."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise IndexUnreadable(f"{path}: is a folder; wanted an rtckb index file")
        if not stat.S_ISREG(mode):
            raise IndexUnreadable(f"{path}: is no regular file; wanted an rtckb index file")
        with path.open("rb") as file:
            head = file.read(64)
    except (FileNotFoundError, NotADirectoryError) as error:
        wanted = f"build one with 'rtckb build -o {path}' or name another with --db"
        raise IndexMissing(f"{path}: no such file; {wanted}") from error
    except OSError as error:
        raise IndexUnreadable(f"{path}: cannot be read ({error.strerror})") from error
    if not head:
        raise NotAnIndex(f"{path}: is empty; wanted an rtckb index file (build it again)")
    if not head.startswith(b"SQLite format 3\0"):
        what = "a Git LFS pointer" if head.startswith(b"version https://git-lfs") else "no SQLite database"
        raise NotAnIndex(f"{path}: is {what}; wanted an rtckb index file")
    return head


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise NotAnIndex(f"{path}: a database of another program (application id {application}); wanted an rtckb index")
    if version < SCHEMA_VERSION:
        raise IndexTooOld(f"{path}: schema version {version}, wanted {SCHEMA_VERSION}; rebuild it with 'rtckb build'")
    if version > SCHEMA_VERSION:
        raise IndexTooNew(f"{path}: schema version {version}, wanted {SCHEMA_VERSION}; upgrade rtckb")
    connection.execute("SELECT term FROM slice_vocabulary LIMIT 1").fetchone()
    if connection.execute(_FOREIGN).fetchone() is not None:
        raise IndexUnreadable(f"{path}: damaged or altered: holds a view or a trigger, which no build makes")


@contextlib.contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise IndexUnreadable(f"{path}: {error}; the file is damaged, or this Python's SQLite lacks FTS5") from error


_MEASURED = "SELECT answers, correct FROM calibration WHERE command = ? AND found_by = ? AND grade = ?"


def measured(index: Index, command: str, found_by: str, grade: str) -> dict[str, Any] | None:
    """Counts of first answers and correct ones, and their share, 0 to 1; None where nobody measured."""
    rows = index.rows(_MEASURED, (command, found_by, grade))
    if not rows:
        return None
    ((answers, correct),) = rows
    return {"answers": answers, "correct": correct, "share": round(correct / answers, 3)}

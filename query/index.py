"""An open index: the only place of the query half that runs SQL. Also which signal sources a search uses."""

import contextlib
import json
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from query.analysis.normalize import Variants
from query.errors import IndexUnreadable
from query.integrity import mismatch
from query.opening import connect, translate_errors, uri_of

Row = tuple[Any, ...]
_Computed = TypeVar("_Computed")
#: Exceptions that only altered content can cause: a missing fact, a number where a text belongs, a short packed list.
_CORRUPTION_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, struct.error)
_MEASURED = "SELECT answers, correct FROM calibration WHERE command = ? AND found_by = ? AND grade = ?"


class SignalSource(StrEnum):
    """A source of evidence beside the tags, names and descriptions of the base. An evaluation can disable each."""

    HINT = "hint"
    LEXICON = "lexicon"
    SPELLING = "spelling"
    TRADITIONAL = "traditional"
    HEADINGS = "headings"
    TROUBLESHOOTING = "troubleshooting"
    APIS = "apis"
    BODY = "body"


#: The sources that ``rtckb nim`` uses. ``rtckb trtc`` uses all of them.
NIM_SIGNALS = frozenset({SignalSource.HINT, SignalSource.LEXICON, SignalSource.TRADITIONAL})
#: The sources that are columns of ``slice_words``.
FIELD_SIGNALS = frozenset({SignalSource.HEADINGS, SignalSource.TROUBLESHOOTING, SignalSource.APIS, SignalSource.BODY})


class Index:
    """One open index. Only one thread at a time may use it."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, disabled_signals: frozenset[SignalSource] = frozenset()
    ) -> None:
        self._connection = connection
        self.path = path
        self._files = str(path)
        self.disabled_signals = disabled_signals

    def rows(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """All rows of a statement with bound parameters.

        Raises:
            IndexUnreadable: the file is damaged.
        """
        with translate_errors(self._files):
            return self._connection.execute(sql, parameters).fetchall()

    def lists(self, sql: str, parameters: Sequence[Any] = ()) -> dict[Any, list[Any]]:
        """Rows of two columns as a mapping: first column -> the values of the second, in row order.

        Raises:
            IndexUnreadable: the file is damaged.
        """
        grouped: dict[Any, list[Any]] = {}
        for key, value in self.rows(sql, parameters):
            grouped.setdefault(key, []).append(value)
        return grouped

    def computed(self, compute: Callable[[sqlite3.Connection], _Computed]) -> _Computed:
        """The result of a function of the connection.

        Raises:
            IndexUnreadable: the file is damaged.
        """
        with translate_errors(self._files):
            return compute(self._connection)

    def attach(self, other: "Index", schema: str) -> None:
        """Let statements of this index read another one under a schema name; only one can be attached.

        Raises:
            IndexUnreadable: the other file is damaged.
        """
        with translate_errors(other.path):
            self._connection.execute(f"ATTACH ? AS {schema}", (uri_of(other.path),))
        self._files = f"{self.path} or {other.path}"

    @contextlib.contextmanager
    def blame_alterations(self) -> Iterator[None]:
        """Within this block, an exception that altered content has caused becomes ``IndexUnreadable``.

        The hashes of the file decide: if both agree, the fault is in this program, and the exception stays as it is.
        """
        try:
            yield
        except _CORRUPTION_ERRORS as error:
            difference = self.computed(mismatch)
            if not difference:
                raise
            raise IndexUnreadable(f"{self.path}: damaged or altered: {difference}") from error

    @cached_property
    def products(self) -> tuple[str, ...]:
        """The TRTC products, in the order of ``index.yaml``."""
        return tuple(product for (product,) in self.rows("SELECT product_id FROM product ORDER BY id"))

    @cached_property
    def nim_units(self) -> int:
        """The number of units of the NIM base."""
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
        simplified, traditional = self.meta.get("variants_to", ""), self.meta.get("variants_from", "")
        if len(simplified) != len(traditional):
            raise IndexUnreadable(f"{self.path}: its table of variant characters is damaged")
        return str.maketrans(traditional, simplified)


@contextlib.contextmanager
def open_index(path: Path, disabled_signals: frozenset[SignalSource] = frozenset()) -> Iterator[Index]:
    """Open ``path`` for reading; ``disabled_signals`` are not used by searches in it.

    Print outside the block: an error of printing is no fault of the file.

    Raises:
        IndexUnusable: one subclass per cause, also if altered content makes the code fail that reads it.
    """
    connection = connect(path)
    try:
        index = Index(connection, path, disabled_signals)
        with index.blame_alterations():
            yield index
    finally:
        connection.close()


def as_json(values: Iterable[object]) -> str:
    """Values as one bound parameter, for ``IN (SELECT value FROM json_each(?))``."""
    return json.dumps(list(values))


def phrase(term: str) -> str:
    """One term as a quoted full-text phrase. User text never reaches MATCH without these quotes."""
    return '"' + term.replace('"', '""') + '"'


def measured(index: Index, command: str, found_by: str, grade: str) -> dict[str, Any] | None:
    """How often first answers of a grade were correct: counts, and the share from 0 to 1. None if not measured.

    The figures stand beside ``confidence`` in an explanation; they never change it.
    """
    rows = index.rows(_MEASURED, (command, found_by, grade))
    if not rows:
        return None
    ((answers, correct),) = rows
    return {"answers": answers, "correct": correct, "share": round(correct / answers, 3)}

"""Calls of the query half: the real command in a process, the command in this process, or the functions."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from query.index import open_index
from query.trtc.contract import Response
from query.trtc.parse import ParsedQuery, parse_query
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request
from query.trtc.strategies import Search
from query.trtc.terms import QueryTerm
from rtckb import main

#: Variables that change what the command prints or where it looks for the index.
_LEFT_OUT = ("RTCKB_DB", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "LC_ALL", "LANG")

_FIELDS: dict[str, Any] = {"product": None, "platform": None, "intent": None}


def altered_copy(db: Path, path: Path, statements: str) -> Path:
    """A copy of an index in which statements were run."""
    shutil.copy(db, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)
    return path


def environment(**more: str) -> dict[str, str]:
    """The environment of this process without the variables that change the command, and with ``more``."""
    return {name: value for name, value in os.environ.items() if name not in _LEFT_OUT} | more


def ask(
    db: Path | str, *argv: str | bytes, env: Mapping[str, str] | None = None, **run: Any
) -> subprocess.CompletedProcess[bytes]:
    """``rtckb ... --db DB`` in a process of its own; stdin is closed unless ``input`` or ``stdin`` is given."""
    if "input" not in run:
        run.setdefault("stdin", subprocess.DEVNULL)
    line = [sys.executable, "-m", "rtckb", *_with_db(db, argv)]
    return subprocess.run(line, env=environment(**(env or {})), capture_output=True, timeout=60, check=False, **run)


def invoke(db: Path | str, *argv: str, **run: Any) -> Result:
    """The same in this process. An exception that is no exit is raised, so that the test fails."""
    return CliRunner().invoke(main, _with_db(db, argv), catch_exceptions=False, **run)


def _with_db(db: Path | str, argv: tuple[Any, ...]) -> list[Any]:
    """The option directly behind the subcommand, before any ``--``."""
    return [argv[0], "--db", str(db), *argv[1:]]


def document(db: Path | str, *argv: str) -> Any:
    """The JSON document that a command prints; it must exit with 0."""
    result = invoke(db, *argv)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def search(db: Path, query: str, **request: Any) -> tuple[Response, Search]:
    """The answer and the search of a request, without the command; the index is closed then."""
    with open_index(db) as index:
        return search_trtc(index, check_request(index, query, **_FIELDS | request))


def answer(db: Path, query: str, **request: Any) -> dict[str, Any]:
    """The ``response`` of a request."""
    return search(db, query, **request)[0].as_dict()


def found(db: Path, query: str, **request: Any) -> list[tuple[str, str]]:
    """(slice id, strategy) of each match."""
    return [(m.slice_id, m.match_strategy.value) for m in search(db, query, **request)[0].matches]


def parsed_query(db: Path, query: str) -> ParsedQuery:
    """A query, parsed."""
    with open_index(db) as index:
        return parse_query(index, query)


def query_terms(db: Path, query: str) -> tuple[QueryTerm, ...]:
    """The terms of a query."""
    with open_index(db) as index:
        return parse_query(index, query).terms


@contextmanager
def begun(db: Path, query: str, **request: Any) -> Iterator[Search]:
    """A search of which no strategy has run yet; its index is open within the block."""
    with open_index(db) as index:
        yield Search(index, check_request(index, query, **_FIELDS | request))

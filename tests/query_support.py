"""Asking the query half: through the real command in a process, through click in this one, or directly."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from query.index import open_index
from query.trtc.contract import Response
from query.trtc.parse import parse_query
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request
from query.trtc.strategies import Search
from query.trtc.terms import QueryTerm
from rtckb import main

#: Variables that would change what the command prints or where it looks.
_LEFT_OUT = ("RTCKB_DB", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "LC_ALL", "LANG")


def environment(**more: str) -> dict[str, str]:
    """This process's environment without what would sway the command, and with ``more``."""
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
    """The same in this process; an exception that is no exit is raised, so that it fails the test."""
    return CliRunner().invoke(main, _with_db(db, argv), catch_exceptions=False, **run)


def _with_db(db: Path | str, argv: tuple[Any, ...]) -> list[Any]:
    """The option directly behind the subcommand, where no ``--`` can swallow it."""
    return [argv[0], "--db", str(db), *argv[1:]]


def document(db: Path | str, *argv: str) -> Any:
    """The JSON document that a command prints; it must exit with 0."""
    result = invoke(db, *argv)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def search(db: Path, query: str, **request: Any) -> tuple[Response, Search]:
    """A request and its answer without the command; read what you need before the index closes."""
    with open_index(db) as index:
        fields = {"product": None, "platform": None, "intent": None} | request
        return search_trtc(index, check_request(index, query, **fields))


def answer(db: Path, query: str, **request: Any) -> dict[str, Any]:
    """The ``response`` of a request."""
    return search(db, query, **request)[0].as_dict()


def found(db: Path, query: str, **request: Any) -> list[tuple[str, str]]:
    """(slice id, strategy) of each match."""
    return [(m.slice_id, m.match_strategy.value) for m in search(db, query, **request)[0].matches]


def query_terms(db: Path, query: str) -> tuple[QueryTerm, ...]:
    """The spans of a query."""
    with open_index(db) as index:
        return parse_query(index, query).terms


def begun(db: Path, query: str, **request: Any) -> "Begun":
    """A search of which no strategy has run yet, with its index held open."""
    return Begun(db, query, request)


class Begun:
    """Context of one search that no strategy has touched."""

    def __init__(self, db: Path, query: str, request: Mapping[str, Any]) -> None:
        self._open = open_index(db)
        self._query = query
        self._fields = {"product": None, "platform": None, "intent": None} | dict(request)

    def __enter__(self) -> Search:
        index = self._open.__enter__()
        request = check_request(index, self._query, **self._fields)
        return Search(index, request)

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)

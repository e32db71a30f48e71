"""The grammar of the query commands: long options, and everything else is query text.

``rtckb trtc -1002``, ``rtckb trtc 错误码 -1002`` and ``rtckb trtc "-not a flag"`` search; ``--limt`` is an error.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from query import ARCHIVE
from query.analysis.command_line import OnceCommand
from query.errors import EXIT_NO_MATCH, RtckbError, UsageError
from query.limits import sanitize_text
from query.output import Answer, default_format, emit, render

#: The index if neither --db nor RTCKB_DB names one: beside the archive in a bundle, else where a build writes it.
DEFAULT_DB = Path(ARCHIVE).resolve().with_name("rtckb.db") if ARCHIVE else Path("build/rtckb.db")
_OPTION = re.compile(r"--[A-Za-z][A-Za-z_-]*(=.*)?", re.DOTALL)

#: Brings the case base up to date and rebuilds an index; returns why it could not, or None.
Synchronize = Callable[[Path], str | None]


class Command(OnceCommand):
    """Turns our errors into one line on stderr and their exit code; a usage error is click's own, exit 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run, and exit with the code of the error's class."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(sanitize_text(str(error)), ctx) from error
        except RtckbError as error:
            click.echo(sanitize_text(f"rtckb: {error}"), err=True)
            raise SystemExit(error.exit_code) from error


class QueryCommand(Command):
    """A command whose words may begin with a hyphen."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sort the arguments: long options and their values first, then ``--``, then the words of the query."""
        takes_value = {name: not getattr(p, "is_flag", False) for p in self.params for name in p.opts}
        options: list[str] = []
        words: list[str] = []
        rest = list(args)
        while rest:
            token = rest.pop(0)
            if token == "--":
                words += rest
                break
            if not _OPTION.fullmatch(token):
                words.append(token)
                continue
            options.append(token)
            if takes_value.get(token) and rest:
                options.append(rest.pop(0))
        return super().parse_args(ctx, [*options, "--", *words])


def query_text(words: tuple[str, ...], query_file: str | None) -> str:
    """The query: the words, or the text of the file (``-``: standard input).

    Raises:
        UsageError: both or neither are given, the file cannot be read, or the text is blank.
    """
    if bool(words) == bool(query_file):
        raise UsageError("wanted either query words or --query-file FILE")
    try:
        return check_query(" ".join(words) if words else _read(query_file or ""))
    except OSError as error:
        raise UsageError(f"--query-file {query_file}: {error.strerror}") from error


def check_query(text: str) -> str:
    """The text with lone surrogates replaced.

    Raises:
        UsageError: it is blank.
    """
    text = sanitize_text(text)
    if not text.strip():
        raise UsageError("the query is empty; wanted words to search for")
    return text


def _read(name: str) -> str:
    if name == "-" and sys.stdin is None:
        raise UsageError("--query-file -: standard input is closed")
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return data.decode("utf-8", "replace")


def print_answer(answer: Answer, how: str | None, fail_on_no_match: bool) -> None:
    """Print an answer and its notes; exit with ``EXIT_NO_MATCH`` for an empty one, if that is asked for.

    Raises:
        OutputFailed: standard output cannot take the text.
    """
    for note in answer.notes:
        click.echo(f"rtckb: {note}", err=True)
    how = how or default_format()
    emit(render(answer.document, how, answer.as_text() if how == "text" else ""))
    if fail_on_no_match and answer.is_empty:
        sys.exit(EXIT_NO_MATCH)


def synchronizer() -> Synchronize:
    """The function behind ``--sync``. rtckb.py passes it in, since the query half never imports the indexer.

    Raises:
        UsageError: this is a query-only installation.
    """
    function = click.get_current_context().find_root().obj
    if not callable(function):
        raise UsageError("--sync: this installation only answers; run 'rtckb sync' where the index is built")
    synchronize: Synchronize = function
    return synchronize


def db_path(given: str | None) -> Path:
    """The index file: ``--db``, else RTCKB_DB, else ``DEFAULT_DB``."""
    return Path(given or os.environ.get("RTCKB_DB") or DEFAULT_DB)


def format_of(*formats: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--format`` with these values."""
    usual = "[default: text on a terminal, else json]"
    return click.option("--format", "how", type=click.Choice(formats), help=usual)


format_option = format_of("json", "yaml", "text")
db_option = click.option("--db", metavar="FILE", help=f"The index [default: $RTCKB_DB, else {DEFAULT_DB}].")

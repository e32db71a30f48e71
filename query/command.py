"""The command-line grammar of search commands: long options only, everything else is query text.

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
from query.errors import RtckbError, UsageError
from query.limits import sanitize_text

#: Where the index is looked for when neither --db nor RTCKB_DB names one: beside the archive, else the build's.
DEFAULT_DB = Path(ARCHIVE).resolve().with_name("rtckb.db") if ARCHIVE else Path("build/rtckb.db")
_OPTION = re.compile(r"--[A-Za-z][A-Za-z_-]*(=.*)?", re.DOTALL)


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
    """The query: the words, or the file's (``-``: standard input's) text; lone surrogates replaced.

    Raises:
        UsageError: both, neither, or nothing but white space.
    """
    if bool(words) == bool(query_file):
        raise UsageError("wanted either query words or --query-file FILE")
    try:
        text = " ".join(words) if words else _read(query_file or "")
    except OSError as error:
        raise UsageError(f"--query-file {query_file}: {error.strerror}") from error
    text = sanitize_text(text)
    if not text.strip():
        raise UsageError("the query is empty; wanted words to search for")
    return text


#: Brings the case base up to date and rebuilds an index; returns why it could not, or None.
Synchronize = Callable[[Path], str | None]


def synchronizer() -> Synchronize:
    """What the front door handed in for ``--sync``: the query half never imports the half that writes.

    Raises:
        UsageError: this is a query-only installation.
    """
    found = click.get_current_context().find_root().obj
    if not callable(found):
        raise UsageError("--sync: this installation only answers; run 'rtckb sync' where the index is built")
    synchronize: Synchronize = found
    return synchronize


def _read(name: str) -> str:
    if name == "-" and sys.stdin is None:
        raise UsageError("--query-file -: standard input is closed")
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return data.decode("utf-8", "replace")


def db_path(given: str | None) -> Path:
    """The index file: ``--db``, else RTCKB_DB, else ``DEFAULT_DB``."""
    return Path(given or os.environ.get("RTCKB_DB") or DEFAULT_DB)


def db_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--db``."""
    return click.option("--db", metavar="FILE", help=f"The index [default: $RTCKB_DB, else {DEFAULT_DB}].")(function)


def format_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--format``."""
    return format_of("json", "yaml", "text")(function)


def format_of(*formats: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """``--format``, for a command that knows others too."""
    usual = "[default: text on a terminal, else json]"
    return click.option("--format", "how", type=click.Choice(formats), help=usual)

"""The command class and the options that the writing commands share."""

import io
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from indexer.errors import RtckbBuildError
from query.analysis.command_line import OnceCommand

#: Each process holds a tokenizer, some 100 MB of memory.
MOST_JOBS = 64
EXIT_FAILED = 1
#: The exit code that a shell reports for a process ended by SIGTERM.
EXIT_TERMINATED = 128 + signal.SIGTERM


class _Path(click.Path):
    """A path that is not empty: an unset variable gives an empty text, which would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty text."""
        if value == "":
            self.fail("found an empty text; wanted a path", param, ctx)
        return super().convert(value, param, ctx)


#: The type of an option that is a path, as ``pathlib.Path``.
PATH = _Path(path_type=Path)
#: The index file of the commands that are given none.
DEFAULT_INDEX = Path("build/rtckb.db")


class Command(OnceCommand):
    """Prints UTF-8 in any locale, and prints an expected error as one line on stderr, with exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. SIGTERM raises SystemExit, so that a build removes its temporary files."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="replace")
        if sys.getfilesystemencoding() != "utf-8":
            found = sys.getfilesystemencoding()
            click.echo(f"rtckb: file names are read as {found} here; wanted UTF-8: set PYTHONUTF8=1", err=True)
            raise SystemExit(EXIT_FAILED)
        previous = signal.signal(signal.SIGTERM, _terminate)
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise SystemExit(0) from error
        except (RtckbBuildError, OSError) as error:
            click.echo(f"rtckb: {error}", err=True)
            raise SystemExit(EXIT_FAILED) from error
        finally:
            signal.signal(signal.SIGTERM, previous)


def _terminate(*_: object) -> None:
    raise SystemExit(EXIT_TERMINATED)


def sources_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--trtc`` and ``--nim``."""
    for name, base in (("--nim", "NIM case base"), ("--trtc", "TRTC knowledge base")):
        function = click.option(name, type=PATH, metavar="DIR", help=f"The folder of the {base}.")(function)
    return function


def build_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--output`` and ``--jobs``."""
    number = click.IntRange(1, MOST_JOBS)
    jobs = click.option("--jobs", type=number, default=1, show_default=True, help="Processes to use.")
    help_text = f"The index file to write [default: {DEFAULT_INDEX}]."
    output = click.option("-o", "--output", type=PATH, default=DEFAULT_INDEX, metavar="FILE", help=help_text)
    return output(jobs(function))

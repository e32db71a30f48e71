"""What the writing commands share: how paths are read, how sources are named, what our errors become."""

import io
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from indexer.errors import RtckbBuildError
from query.analysis.command_line import OnceCommand

EXIT_FAILED = 1
#: What a shell reports of a process that SIGTERM ended.
EXIT_TERMINATED = 128 + signal.SIGTERM


class Folder(click.Path):
    """The path of a folder or file; an empty one, as an unset variable gives, is not the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty text."""
        if value == "":
            self.fail("found an empty text; wanted a path", param, ctx)
        return super().convert(value, param, ctx)


class Command(OnceCommand):
    """Prints UTF-8 whatever the locale; turns our errors into one line on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run; an interrupted build says so and leaves the old file."""
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
    """Leave by the way of exceptions, so that the temporary file goes."""
    raise SystemExit(EXIT_TERMINATED)


def sources_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--trtc`` and ``--nim``."""
    folder = Folder(path_type=Path)
    for name, base in (("--nim", "NIM case base"), ("--trtc", "TRTC knowledge base")):
        function = click.option(name, type=folder, metavar="DIR", help=f"The {base}.")(function)
    return function

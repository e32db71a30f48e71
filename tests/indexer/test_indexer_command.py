"""What the writing commands share: paths, sources, and what errors and signals become."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from indexer.command import EXIT_FAILED, EXIT_TERMINATED, Command, Folder, sources_options
from indexer.errors import PublishFailed


@click.command(cls=Command)
@sources_options
@click.option("--output", type=Folder(path_type=Path))
def told(**given: Path | None) -> None:
    """Print what was given."""
    click.echo(repr(sorted((name, str(path)) for name, path in given.items() if path is not None)))


def test_sources() -> None:
    """Both bases are named by folders."""
    result = CliRunner().invoke(told, ["--nim", "a", "--trtc", "b c"])
    assert (result.exit_code, result.stdout) == (0, "[('nim', 'a'), ('trtc', 'b c')]\n")


USAGE = {
    "an empty path": (["--output="], "found an empty text; wanted a path"),
    "a base without a folder": (["--nim", ""], "found an empty text; wanted a path"),
    "an option given twice": (["--trtc", "a", "--trtc=b"], "Option '--trtc' is given 2 times; wanted it once."),
}


@pytest.mark.parametrize(("argv", "message"), USAGE.values(), ids=USAGE)
def test_usage(argv: list[str], message: str) -> None:
    """What an unset variable or a slip of the hand leaves is a usage error."""
    result = CliRunner().invoke(told, argv)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def _raise(error: BaseException) -> None:
    raise error


ENDS: dict[str, tuple[Callable[[], None], int, str]] = {
    "one of ours": (lambda: _raise(PublishFailed("x.db: cannot be written")), EXIT_FAILED, "x.db: cannot be written"),
    "the system's": (lambda: _raise(OSError(28, "No space left")), EXIT_FAILED, "[Errno 28] No space left"),
    "a closed pipe": (lambda: _raise(BrokenPipeError()), 0, ""),
    "a polite kill": (lambda: os.kill(os.getpid(), signal.SIGTERM), EXIT_TERMINATED, ""),
}


@pytest.mark.parametrize(("end", "code", "message"), ENDS.values(), ids=ENDS)
def test_ends(end: Callable[[], None], code: int, message: str) -> None:
    """An error is one line on stderr and its exit code; the signal's handler is afterwards what it was."""

    @click.command(cls=Command)
    def ending() -> None:
        """End."""
        end()

    before = signal.getsignal(signal.SIGTERM)
    result = CliRunner().invoke(ending, [])
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr == (f"rtckb: {message}\n" if message else "")
    assert signal.getsignal(signal.SIGTERM) is before

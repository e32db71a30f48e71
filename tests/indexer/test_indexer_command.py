"""The command class and options of the writing commands: paths, errors and signals."""

import os
import signal
from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner

from indexer.command import EXIT_FAILED, EXIT_TERMINATED, PATH, Command, build_options, sources_options
from indexer.errors import PublishFailed


@click.command(cls=Command)
@sources_options
@build_options
@click.option("--other", type=PATH)
def echo(**given: object) -> None:
    """Print the values of the options."""
    click.echo(repr(sorted((name, str(value)) for name, value in given.items() if value is not None)))


def test_options() -> None:
    """Both bases are given as folders; the output is build/rtckb.db by default."""
    result = CliRunner().invoke(echo, ["--nim", "a", "--trtc", "b c"])
    wanted = [("jobs", "1"), ("nim", "a"), ("output", "build/rtckb.db"), ("trtc", "b c")]
    assert (result.exit_code, result.stdout) == (0, f"{wanted}\n")


USAGE = {
    "an empty output": (["-o", ""], "found an empty text; wanted a path"),
    "an empty folder": (["--nim="], "found an empty text; wanted a path"),
    "an empty path": (["--other", ""], "found an empty text; wanted a path"),
    "an option given twice": (["--trtc", "a", "--trtc=b"], "Option '--trtc' is given 2 times; wanted it once."),
}


@pytest.mark.parametrize(("argv", "message"), USAGE.values(), ids=USAGE)
def test_usage(argv: list[str], message: str) -> None:
    """An empty path, as an unset variable gives, and a repeated option are usage errors."""
    result = CliRunner().invoke(echo, argv)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def _raise(error: BaseException) -> None:
    raise error


ENDS: dict[str, tuple[Callable[[], None], int, str]] = {
    "a build error": (lambda: _raise(PublishFailed("x.db: cannot be written")), EXIT_FAILED, "x.db: cannot be written"),
    "an error of the system": (lambda: _raise(OSError(28, "No space left")), EXIT_FAILED, "[Errno 28] No space left"),
    "a closed pipe": (lambda: _raise(BrokenPipeError()), 0, ""),
    "SIGTERM": (lambda: os.kill(os.getpid(), signal.SIGTERM), EXIT_TERMINATED, ""),
}


@pytest.mark.parametrize(("end", "code", "message"), ENDS.values(), ids=ENDS)
def test_ends(end: Callable[[], None], code: int, message: str) -> None:
    """An error is one line on stderr and an exit code; the signal handler of before is restored."""

    @click.command(cls=Command)
    def ending() -> None:
        """End."""
        end()

    before = signal.getsignal(signal.SIGTERM)
    result = CliRunner().invoke(ending, [])
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr == (f"rtckb: {message}\n" if message else "")
    assert signal.getsignal(signal.SIGTERM) is before

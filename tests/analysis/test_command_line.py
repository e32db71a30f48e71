"""An option of one value is given once, however a command is called; everything else is as in click."""

from collections.abc import Sequence
from typing import Any

import click
import pytest
from click.testing import CliRunner

from query.analysis.command_line import OnceCommand


@click.command(cls=OnceCommand)
@click.argument("words", nargs=-1)
@click.option("-o", "--output")
@click.option("--pair", nargs=2)
@click.option("--tag", multiple=True)
@click.option("--loud/--quiet")
@click.option("-v", "--verbose", count=True)
def parsing(**parsed: Any) -> None:
    """Print what was parsed."""
    click.echo(repr(tuple(parsed[name] for name in ("words", "output", "pair", "tag", "loud", "verbose"))))


TWICE = {
    "-o": ["-o", "a", "-o", "a"],
    "-o, written differently": ["-oa", "word", "--output=b"],
    "--pair": ["--pair", "a", "b", "--pair", "c", "d"],
}


@pytest.mark.parametrize("argv", TWICE.values(), ids=TWICE)
def test_twice(argv: Sequence[str]) -> None:
    """One of two values would be dropped silently, so both are refused."""
    result = CliRunner().invoke(parsing, argv)
    assert (result.exit_code, result.stdout) == (2, "")
    name = "--pair" if "--pair" in argv else "-o"
    assert result.stderr.splitlines()[-1] == f"Error: Option '{name}' is given 2 times; wanted it once."
    assert CliRunner().invoke(parsing, [*argv, "-o", "x", "--pair", "x", "y"]).stderr.count("3 times") == 1


ONCE = {
    "nothing": ([], ((), None, None, (), False, 0)),
    "repeatable": (["--tag", "a", "--tag", "a"], ((), None, None, ("a", "a"), False, 0)),
    "flags": (["--loud", "--quiet", "--loud", "-v", "-v"], ((), None, None, (), True, 2)),
    "values": (["-o", "-o", "--pair", "-o", "--output"], ((), "-o", ("-o", "--output"), (), False, 0)),
    "words": (["-o", "a", "--", "-o", "b"], (("-o", "b"), "a", None, (), False, 0)),
}


@pytest.mark.parametrize(("argv", "parsed"), ONCE.values(), ids=ONCE)
def test_once(argv: Sequence[str], parsed: tuple[Any, ...]) -> None:
    """Options that may be repeated, values and words are parsed as click parses them."""
    result = CliRunner().invoke(parsing, argv)
    assert (result.exit_code, result.stdout) == (0, f"{parsed!r}\n")


def test_completion_is_never_refused() -> None:
    """A shell that asks for completions of a line with a repeated option gets no error."""
    context = parsing.make_context("parsing", ["-o", "a", "--tag"], resilient_parsing=True)
    assert context.params["output"] == "a"

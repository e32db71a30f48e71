"""The grammar of the command line: long options anywhere, everything else is query text."""

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from query.command import DEFAULT_DB, Command, QueryCommand, db_path, query_text
from query.errors import IndexMissing, UsageError


@click.command(cls=QueryCommand)
@click.argument("words", nargs=-1)
@click.option("--limit", type=int, default=5)
@click.option("--product")
@click.option("--content", is_flag=True)
def searching(**parsed: Any) -> None:
    """Print what was parsed."""
    click.echo(repr((parsed["words"], parsed["limit"], parsed["product"], parsed["content"])))


@pytest.mark.parametrize(
    ("argv", "parsed"),
    [
        (["弹幕"], (("弹幕",), 5, None, False)),
        (["-1002"], (("-1002",), 5, None, False)),
        (["错误码", "-1002"], (("错误码", "-1002"), 5, None, False)),
        (["-1100", "~", "-1109", "--limit", "3"], (("-1100", "~", "-1109"), 3, None, False)),
        (["--limit", "3", "-not", "-n", "ot"], (("-not", "-n", "ot"), 3, None, False)),
        (["--limit=3", "a", "--content", "b"], (("a", "b"), 3, None, True)),
        (["a", "--product", "-x"], (("a",), 5, "-x", False)),
        (["a", "--product", "--content"], (("a",), 5, "--content", False)),
        (["--", "--limit", "3"], (("--limit", "3"), 5, None, False)),
        (["a", "--", "-2", "--"], (("a", "-2", "--"), 5, None, False)),
        (
            ["--5", "---", "-", "--弹幕", "--title:login"],
            (("--5", "---", "-", "--弹幕", "--title:login"), 5, None, False),
        ),
        (["-h", "-?"], (("-h", "-?"), 5, None, False)),
        (["--product=a=b", ""], (("",), 5, "a=b", False)),
        ([], ((), 5, None, False)),
    ],
)
def test_arguments(argv: list[str], parsed: tuple[Any, ...]) -> None:
    """Options are read at any position; the rest are words in their order."""
    result = CliRunner().invoke(searching, argv)
    assert (result.exit_code, result.stdout.rstrip()) == (0, repr(parsed))


@pytest.mark.parametrize(
    "argv",
    [["a", "--limt", "3"], ["--Limit", "3", "a"], ["--lim=3"], ["a", "--con_tent"], ["a", "--limit"], ["--limit", "x"]],
)
def test_mistyped_options(argv: list[str]) -> None:
    """A mistyped option, and one without its value, are usage errors."""
    result = CliRunner().invoke(searching, argv)
    assert result.exit_code == 2
    assert "Error: " in result.stderr


@pytest.mark.parametrize("argv", [["a", "--limit", "3", "--limit=3"], ["--product", "x", "--", "--product", "--limit"]])
def test_an_option_given_twice(argv: list[str]) -> None:
    """An option given twice is refused, also in a command that rtckb.py did not call; words are no options."""
    result = CliRunner().invoke(searching, argv)
    refused = argv[0] == "a"
    assert result.exit_code == (2 if refused else 0)
    assert ("Option '--limit' is given 2 times; wanted it once." in result.stderr) is refused


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [(UsageError("wanted x"), 2, "Error: wanted x"), (IndexMissing("x: no such file"), 3, "rtckb: x: no such file")],
)
def test_errors_become_exit_codes(error: Exception, code: int, message: str) -> None:
    """An error of this project is one line on stderr and the exit code of its class."""

    @click.command(cls=Command)
    def failing() -> None:
        """Fail."""
        raise error

    result = CliRunner().invoke(failing, [])
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.splitlines()[-1] == message


def test_words_are_joined() -> None:
    """The words of the command line are one query."""
    assert query_text(("错误码", "-1002"), None) == "错误码 -1002"


def test_a_file_is_the_query(tmp_path: Path) -> None:
    """The text of a file is the query; bytes that are no UTF-8 are replaced."""
    (tmp_path / "q").write_bytes("弹幕\n".encode() + b"\xff")
    assert query_text((), str(tmp_path / "q")) == "弹幕\n\ufffd"


@pytest.mark.parametrize(
    ("words", "query_file"), [((), None), ((), ""), (("a",), "-"), (("",), None), ((" ", "\t"), None)]
)
def test_no_query(words: tuple[str, ...], query_file: str | None) -> None:
    """No query, two queries and a blank one are usage errors."""
    with pytest.raises(UsageError, match="wanted"):
        query_text(words, query_file)


@pytest.mark.parametrize(
    ("given", "variable", "path"),
    [
        ("a.db", "b.db", Path("a.db")),
        (None, "b.db", Path("b.db")),
        ("", "b.db", Path("b.db")),
        (None, "", DEFAULT_DB),
        (None, None, DEFAULT_DB),
    ],
)
def test_db_path(given: str | None, variable: str | None, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option has precedence over the variable, and the variable over the default path."""
    monkeypatch.delenv("RTCKB_DB", raising=False)
    if variable is not None:
        monkeypatch.setenv("RTCKB_DB", variable)
    assert db_path(given) == path

"""The front door: names every command and imports none before it is called."""

import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import rtckb

Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.mark.parametrize("name", rtckb.MODULES)
def test_every_command_is_answered(name: str) -> None:
    """The module that the table names has the command under that name."""
    command = import_module(rtckb.MODULES[name]).COMMANDS[name]
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.get_short_help_str()


def test_every_command_is_named() -> None:
    """No module has a command that the front door lacks."""
    modules = set(rtckb.MODULES.values())
    assert {name for module in modules for name in import_module(module).COMMANDS} == set(rtckb.MODULES)


def test_help_lists_them() -> None:
    """``--help`` lists every command in the order of the table and exits 0 (E6)."""
    result = CliRunner().invoke(rtckb.main, ["--help"])
    assert result.exit_code == 0
    listed = [line.split()[0] for line in result.stdout.partition("Commands:")[2].splitlines() if line.strip()]
    assert [name for name in listed if name in rtckb.MODULES] == list(rtckb.MODULES)


def test_version() -> None:
    """``--version`` tells name and version."""
    result = CliRunner().invoke(rtckb.main, ["--version"], prog_name="rtckb")
    assert (result.exit_code, result.stdout.split()[0]) == (0, "rtckb")
    assert result.stdout.split()[1][0].isdigit()


def test_unknown_command() -> None:
    """A mistyped command is a usage error."""
    result = CliRunner().invoke(rtckb.main, ["serach"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "serach" in result.stderr


TWICE = [
    ["build", "--nim", "a", "--nim", "b"],
    ["build", "-o", "a", "--output=b"],
    ["check", "--format", "json", "--format", "text"],
    ["trtc", "弹幕", "--product", "live", "--product=call"],
    ["trtc", "--db", "a", "弹幕", "--db", "b"],
    ["nim", "弹幕", "--title", "a", "b", "--title", "c"],
    ["show", "live/gift-combo", "--platform", "ios", "--platform", "web"],
]


@pytest.mark.parametrize("argv", TWICE, ids=lambda argv: argv[0])
def test_an_option_given_twice(argv: list[str]) -> None:
    """Of two values one would be dropped without a word, so neither is taken."""
    result = CliRunner().invoke(rtckb.main, argv)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is given 2 times; wanted it once." in result.stderr


ONCE = [
    ["nim", "弹幕", "--tag", "a", "--tag", "b", "--literal", "--literal"],
    ["nim", "弹幕", "--title", "--title", "--tag", "--title"],
    ["nim", "--title", "a", "--", "--title", "b"],
    ["trtc", "弹幕", "--product", "live", "--platform=--product"],
]


@pytest.mark.parametrize("argv", ONCE, ids=" ".join)
def test_what_is_not_given_twice(argv: list[str]) -> None:
    """Repeatable options, flags, and what is the value of another option or a word of the query."""
    result = CliRunner().invoke(rtckb.main, [argv[0], "--db", "no/such.db", *argv[1:]])
    assert "times" not in result.stderr
    assert result.exit_code == 3


def test_no_arguments() -> None:
    """Without a command the help is shown, and nothing was answered (E6)."""
    result = CliRunner().invoke(rtckb.main, [])
    assert result.exit_code in {0, 2}  # click's own choice, which changed in 8.2
    assert "Usage:" in result.output


def test_imports_nothing_until_called(python: Run, tmp_path: Path) -> None:
    """Importing the front door and asking for its version loads neither half."""
    code = "import sys, rtckb; rtckb.main(['--version'], standalone_mode=False);"
    code += "print([name for name in sys.modules if name.startswith(('indexer', 'query.'))])"
    done = python("-c", code, cwd=tmp_path)
    assert done.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", ["rtckb tr", "rtckb trtc --pro", "rtckb build --"])
def test_completion_loads_little(python: Run, tmp_path: Path, words: str) -> None:
    """A shell that asks for completions gets them alone: no tokenizer loaded, no word on stderr (E13)."""
    code = "import sys, rtckb\ntry:\n    rtckb.main(prog_name='rtckb')\n"
    code += "finally:\n    sys.stderr.write('jieba' if 'jieba' in sys.modules else '')"
    env = {"_RTCKB_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = python("-c", code, cwd=tmp_path, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert all(line.startswith(b"plain,") for line in done.stdout.split())
    assert done.stdout
    assert list(tmp_path.iterdir()) == []

"""rtckb.py lists every command, and imports the module of a command when it is called."""

import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

import rtckb
from query.analysis.command_line import OnceCommand

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def test_every_command() -> None:
    """The modules of the table have exactly the commands of the table, and all refuse a repeated option."""
    commands = {name: cmd for path in set(rtckb.MODULES.values()) for name, cmd in import_module(path).COMMANDS.items()}
    assert commands.keys() == rtckb.MODULES.keys()
    for name, command in commands.items():
        assert import_module(rtckb.MODULES[name]).COMMANDS[name] is command
        assert isinstance(command, OnceCommand)
        assert command.name == name
        assert command.get_short_help_str()


def test_help_lists_them() -> None:
    """``--help`` lists every command in the order of the table and exits 0."""
    result = CliRunner().invoke(rtckb.main, ["--help"])
    assert result.exit_code == 0
    listed = [line.split()[0] for line in result.stdout.partition("Commands:")[2].splitlines() if line.strip()]
    assert [name for name in listed if name in rtckb.MODULES] == list(rtckb.MODULES)


def test_version() -> None:
    """``--version`` prints name and version."""
    result = CliRunner().invoke(rtckb.main, ["--version"], prog_name="rtckb")
    assert (result.exit_code, result.stdout.split()[0]) == (0, "rtckb")
    assert result.stdout.split()[1][0].isdigit()


def test_unknown_command() -> None:
    """A mistyped command is a usage error."""
    result = CliRunner().invoke(rtckb.main, ["serach"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "serach" in result.stderr


def test_no_arguments() -> None:
    """Without a command the help is printed."""
    result = CliRunner().invoke(rtckb.main, [])
    assert result.exit_code in {0, 2}  # click's own choice, which changed in 8.2
    assert "Usage:" in result.output


def test_imports_nothing_until_called(python: Run, tmp_path: Path) -> None:
    """The import of rtckb.py and its ``--version`` load neither half."""
    code = "import sys, rtckb; rtckb.main(['--version'], standalone_mode=False);"
    code += "print([name for name in sys.modules if name.startswith(('indexer', 'query.'))])"
    done = python("-c", code, cwd=tmp_path)
    assert done.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.parametrize("words", ["rtckb tr", "rtckb trtc --pro", "rtckb build --"])
def test_completion_loads_little(python: Run, tmp_path: Path, words: str) -> None:
    """The completion of a shell prints completions alone, and loads no tokenizer."""
    code = "import sys, rtckb\ntry:\n    rtckb.main(prog_name='rtckb')\n"
    code += "finally:\n    sys.stderr.write('jieba' if 'jieba' in sys.modules else '')"
    env = {"_RTCKB_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    done = python("-c", code, cwd=tmp_path, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert all(line.startswith(b"plain,") for line in done.stdout.split())
    assert done.stdout
    assert list(tmp_path.iterdir()) == []

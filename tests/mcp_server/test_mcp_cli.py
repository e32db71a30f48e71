"""The command ``rtckb mcp``: what it needs, how it starts and ends."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from query_support import ask

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def test_it_ends_with_its_input(sample_db: Path) -> None:
    """Without a client the server ends at once, exit code 0."""
    done = ask(sample_db, "mcp")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_missing_index(tmp_path: Path) -> None:
    """A server without an index does not start: exit code 3."""
    done = ask(tmp_path / "missing.db", "mcp")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (3, b"", 1)
    assert b"missing.db: no such file" in done.stderr


def test_without_the_extra(sample_db: Path, python: Run) -> None:
    """Without the SDK, one line names what to install; exit code 1."""
    code = f"import sys; sys.modules['mcp'] = None; import rtckb; rtckb.main(['mcp', '--db', {str(sample_db)!r}])"
    done = python("-c", code)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert b"pip install 'rtckb[mcp]'" in done.stderr


def test_no_other_command_needs_the_sdk(python: Run) -> None:
    """The other commands, and the help of this one, import nothing of it."""
    code = "import sys, rtckb; from importlib import import_module\n"
    code += "for name in rtckb.MODULES.values(): import_module(name)\n"
    code += "rtckb.main(['mcp', '--help'], standalone_mode=False); print('anyio' in sys.modules, 'mcp' in sys.modules)"
    assert python("-c", code).stdout.decode().splitlines()[-1] == "False False"

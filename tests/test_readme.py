"""The README is correct: every command works on the embedded sample, and its tables list what the code defines."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLE

from query import errors
from query.trtc.contract import Status

Run = Callable[..., subprocess.CompletedProcess[bytes]]

README = (ROOT / "README.md").read_text("utf-8")
#: The two commands for a fresh clone: .ci/run runs them unchanged.
FRESH = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
#: The beginning of a command that runs a bundle's archive.
ARCHIVE = "python3 build/"
#: The JSON blocks: a response, and the configuration of an MCP server.
RESPONSE, SERVERS = map(json.loads, re.findall(r"^```json\n(.*?)^```", README, re.MULTILINE | re.DOTALL))


def _commands() -> list[str]:
    """The commands of rtckb and its archive in shell blocks; tests/test_ci_workflow.py has those of the workflow."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith(("rtckb ", ARCHIVE))]


def _argv(command: str) -> list[str]:
    """The interpreter's arguments for a command, with the sample's folders in place of DIR."""
    words = shlex.split(command, comments=True)[1:]
    folders = {"--trtc": SAMPLE / "trtc", "--nim": SAMPLE / "nim"}
    filled = [str(folders.get(words[i - 1], word)) if i else word for i, word in enumerate(words)]
    return filled if command.startswith(ARCHIVE) else ["-m", "rtckb", *filled]


def _first_cells(heading: str) -> list[str]:
    """The first cell of each row of the table with these headings."""
    table = README.partition(f"\n{heading}\n")[2].partition("\n\n")[0]
    return [row.split("|")[1].strip(" `") for row in table.splitlines()[1:]]


@pytest.fixture(scope="module")
def workdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One working directory for all commands, because later ones use the files of earlier ones."""
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("command", _commands())
def test_a_command_of_the_readme_works(command: str, workdir: Path, python: Run) -> None:
    """It exits 0 and prints something, but no traceback."""
    done = python(*_argv(command), cwd=workdir)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or done.stderr
    assert b"Traceback" not in done.stderr


def test_the_fresh_machine_commands_are_what_ci_runs() -> None:
    """There are two, in this order, and .ci/run reads both from the README."""
    assert [line.rpartition(" && ")[2] for line in FRESH] == [".venv/bin/rtckb demo", ".venv/bin/pytest -q"]
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "rtckb demo$' README.md" in ci
    assert "pytest -q$' README.md" in ci


def test_statuses_and_exit_codes_are_complete() -> None:
    """The tables list every status of a response and every exit code."""
    codes = {value for name, value in vars(errors).items() if name.startswith("EXIT_")}
    assert set(_first_cells("| status | meaning |")) == {*Status}
    assert _first_cells("| code | meaning |") == [str(code) for code in sorted({0, *codes})]


def test_the_readme_is_short() -> None:
    """It has at most 170 lines: measurements and references are in docs/."""
    assert len(README.splitlines()) <= 170


def test_the_response_shown_is_a_real_one(workdir: Path, sample_db: Path, python: Run) -> None:
    """The example has the keys of the command's own answer."""
    done = python("-m", "rtckb", "trtc", "live/voice-monitor", "--db", sample_db, cwd=workdir)
    real = json.loads(done.stdout)
    assert list(RESPONSE["response"]) == list(real["response"])
    assert list(RESPONSE["response"]["matches"][0]) == list(real["response"]["matches"][0])


def test_the_server_shown_starts(tmp_path: Path, sample_db: Path, python: Run) -> None:
    """The configured command opens the index that it names, and ends when its input does."""
    server = SERVERS["mcpServers"]["rtckb"]
    shutil.copyfile(sample_db, tmp_path / "rtckb.db")
    done = python("-m", server["command"], *server["args"], cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

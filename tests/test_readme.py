"""Every command of the README works as printed, on the embedded sample."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
SAMPLE = ROOT / "indexer" / "data" / "sample"
#: The two commands for a fresh machine: .ci/run runs them as they stand, from nothing.
FRESH = [line for line in README.splitlines() if line.startswith("python3 -m venv")]
#: How the line of a bundle's archive begins.
ARCHIVE = "python3 build/"


def _commands() -> list[str]:
    """Lines for rtckb and its archive in blocks for a shell; tests/test_ci_workflow.py has the workflow's."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [part.strip() for line in lines if line.startswith(("rtckb ", ARCHIVE)) for part in line.split(" && ")]


def _argv(command: str) -> list[str]:
    """The interpreter's arguments for the line, with its placeholders for folders filled in."""
    words = shlex.split(command, comments=True)[1:]
    folders = {"--trtc": SAMPLE / "trtc", "--nim": SAMPLE / "nim"}
    filled = [str(folders.get(words[i - 1], word)) if i else word for i, word in enumerate(words)]
    return filled if command.startswith(ARCHIVE) else ["-m", "rtckb", *filled]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory in which the commands follow each other, as a reader would type them."""
    return tmp_path_factory.mktemp("readme")


#: The JSON that is shown: a response, and what an agent is told of the server.
RESPONSE, SERVERS = map(json.loads, re.findall(r"^```json\n(.*?)^```", README, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("command", _commands())
def test_a_command_of_the_readme_works(command: str, place: Path) -> None:
    """It exits 0, says what it has to say, and nothing looks like a traceback."""
    argv = [sys.executable, *_argv(command)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(argv, cwd=place, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout or done.stderr
    assert b"Traceback" not in done.stderr


def test_the_fresh_machine_commands_are_what_ci_runs() -> None:
    """Two self-contained lines, and .ci/run takes each from this README."""
    assert [line.rpartition(" && ")[2] for line in FRESH] == [".venv/bin/rtckb demo", ".venv/bin/pytest -q"]
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "rtckb demo$' README.md" in ci
    assert "pytest -q$' README.md" in ci


def test_the_response_shown_is_a_real_one(place: Path, sample_db: Path) -> None:
    """The JSON of the README has the shape of the command's own answer."""
    argv = [sys.executable, "-m", "rtckb", "trtc", "live/voice-monitor", "--db", str(sample_db)]
    done = subprocess.run(argv, cwd=place, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=True)
    real = json.loads(done.stdout)
    assert list(RESPONSE["response"]) == list(real["response"])
    assert list(RESPONSE["response"]["matches"][0]) == list(real["response"]["matches"][0])


def test_the_server_shown_starts(tmp_path: Path, sample_db: Path) -> None:
    """What an agent is told to start is a command that serves the index of that name, and ends with its input."""
    shown = SERVERS["mcpServers"]["rtckb"]
    shutil.copyfile(sample_db, tmp_path / "rtckb.db")
    argv = [sys.executable, "-m", shown["command"], *shown["args"]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        argv, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

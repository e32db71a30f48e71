"""The demonstration: builds the embedded sample and runs its questions through the command line."""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from indexer.build import Sources, build
from indexer.yaml_text import load_strings


def run_demo(write: Callable[[str], None]) -> None:
    """Build the sample into a temporary folder and write each question's purpose, command and answer.

    ``write`` receives one text at a time, without a line break at its end.
    """
    with tempfile.TemporaryDirectory() as folder, as_file(files("indexer").joinpath("data", "sample")) as sample:
        target = Path(folder) / "sample.db"
        summary = build(Sources(sample / "trtc", sample / "nim"), target)
        write(f"built the sample: {summary.counts['trtc.slices']} slices, {summary.counts['nim.units']} NIM units")
        for question in load_strings((sample / "questions.yaml").read_text("utf-8")):
            write(f"\n# {question['why']}\n$ rtckb {shlex.join(question['command'])}")
            write(_answer(question["command"], target))


def _answer(command: list[str], target: Path) -> str:
    argv = [sys.executable, "-m", "rtckb", *command, "--db", str(target), "--format", "text"]
    done = subprocess.run(argv, capture_output=True, check=False)
    return (done.stdout or done.stderr).decode("utf-8", "replace").rstrip()

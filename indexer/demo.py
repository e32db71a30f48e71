"""The demonstration: build the embedded sample, then ask it through the command itself, as any caller would."""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from indexer.build import Sources, build
from indexer.reading.front_matter import load_strings


def run_demo(say: Callable[[str], None]) -> None:
    """Build into a temporary folder and say each question, why it is asked, its command and its answer."""
    with tempfile.TemporaryDirectory() as folder, as_file(files("indexer").joinpath("data", "sample")) as sample:
        target = Path(folder) / "sample.db"
        summary = build(Sources(sample / "trtc", sample / "nim"), target)
        say(f"built the sample: {summary.counts['trtc.slices']} slices, {summary.counts['nim.units']} NIM units")
        for question in _questions(sample):
            say(f"\n# {question['why']}\n$ rtckb {shlex.join(question['command'])}")
            say(_ask(question["command"], target))


def _questions(sample: Path) -> list[Mapping[str, Any]]:
    loaded = load_strings((sample / "questions.yaml").read_text("utf-8"))
    return loaded if isinstance(loaded, list) else []


def _ask(command: list[str], target: Path) -> str:
    argv = [sys.executable, "-m", "rtckb", *command, "--db", str(target), "--format", "text"]
    done = subprocess.run(argv, capture_output=True, check=False)
    return (done.stdout or done.stderr).decode("utf-8", "replace").rstrip()

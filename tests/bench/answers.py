"""The golden answers and unusual streams, under this interpreter, with click and no other package.

    PYTHONPATH=. python tests/bench/answers.py INDEX-OF-THE-SAMPLE ANSWERS.json

ANSWERS.json is a list of golden cases with name, argv, and the text that the interpreter of tests/bench/versions.py has
printed. Prints one JSON line: versions, how many answers were tried, and the wrong ones. It imports nothing else, so
that it also runs where a build cannot; tests/bench/versions.py runs it under every version.
"""

import contextlib
import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rtckb import main

QUERY = ("trtc", "弹幕 📚", "--content", "--explain")
#: Environments under which the same bytes must come out.
LOCALES: dict[str, dict[str, str]] = {
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "GBK stdout": {"PYTHONIOENCODING": "gbk"},
}
#: Shell endings of the command -> its exit code.
STREAMS = {"| head -c 0; exit ${PIPESTATUS[0]}": 0, ">&-": 1, ">/dev/full": 1}


def printed(db: Path, argv: list[str]) -> str:
    """What a command prints, in this process."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    with contextlib.redirect_stdout(stream):
        main.main([argv[0], "--db", str(db), *argv[1:]], prog_name="rtckb", standalone_mode=False)
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]  # a BytesIO


def golden(db: Path, answers: Path) -> Iterator[str]:
    """For each recorded answer its name if another came, else nothing."""
    for case in json.loads(answers.read_text("utf-8")):
        try:
            yield "" if printed(db, case["argv"]) == case["printed"] else case["name"]
        except Exception as error:  # any fault of another version is a row of the result
            yield f"{case['name']}: {error!r}"


def process(db: Path, env: dict[str, str], ending: str = "") -> "subprocess.CompletedProcess[bytes]":
    """The command in a process of its own, through a shell that does something to its stdout."""
    line = [sys.executable, "-W", "error", "-m", "rtckb", QUERY[0], "--db", str(db), *QUERY[1:]]
    shell = ["/bin/bash", "-c", f'"$@" {ending}', "bash", *line]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    return subprocess.run(shell, env=kept | env, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def streams(db: Path) -> Iterator[str]:
    """For each locale and each odd stdout what was wrong, or nothing."""
    usual = process(db, {"LC_ALL": "C.UTF-8"}).stdout
    for name, env in LOCALES.items():
        got = process(db, env)
        right = (got.returncode, got.stderr, got.stdout) == (0, b"", usual) and "弹幕".encode() in usual
        yield "" if right else f"{name}: exit {got.returncode}, {got.stderr[-200:]!r}"
    for ending, code in STREAMS.items():
        got = process(db, {}, ending)
        right = got.returncode == code and got.stderr.count(b"\n") == bool(code)
        yield "" if right else f"{ending}: exit {got.returncode}, {got.stderr[-200:]!r}"


def report(db: Path, answers: Path) -> dict[str, Any]:
    """Versions and figures."""
    found = [*golden(db, answers), *streams(db)]
    return {
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "click": version("click"),
        "tried": len(found),
        "wrong": [line for line in found if line],
    }


if __name__ == "__main__":
    print(json.dumps(report(*(Path(name).resolve() for name in sys.argv[1:])), ensure_ascii=False))

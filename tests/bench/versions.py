"""The query half under old and new versions: every given Python, click and SQLite, without jieba.

    python tests/bench/versions.py --python python3.11 --python python3.13 --click 8.1.8 --click 8.5.1 \
        --sqlite FOLDER-OF-AN-OLD-libsqlite3.so.0

For each pair of Python and click it makes an environment with click alone. In it, for each SQLite, answers.py checks
every golden answer, the C locale, a GBK stdout, and a closed or full one. A SQLite is a folder with a libsqlite3.so.0,
which the interpreter is made to load; '-' is its own. ``--suite`` also installs the project whole
(that needs click 8.3.1, for sqlite-utils) and runs the tests of the query half.
Exits 1 if anything was wrong. Interpreters and libraries are found on the machine, never fetched; see README.md.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml
from answers import printed
from measure import ROOT, table

#: The tests of the reading half, and of what both halves agree on.
SUITE = ("trtc", "nim", "test_golden.py", "test_index.py", "test_query_cli.py", "test_hostile_queries.py")
SUITE += ("test_inspect.py", "test_output.py", "test_options.py", "test_request.py", "test_segment.py", "test_fold.py")


def environment(python: str, folder: Path, packages: Sequence[str]) -> Path:
    """A new environment of an interpreter with these packages; its interpreter."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    made = folder / "bin" / "python"
    install = [str(made), "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages]
    subprocess.run(install, check=True, capture_output=True, cwd=ROOT)
    return made


def with_sqlite(folder: str) -> dict[str, str]:
    """The environment variables under which an interpreter loads the SQLite of a folder; '-': its own."""
    found = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return found if folder == "-" else found | {"LD_LIBRARY_PATH": folder}


def record(db: Path, target: Path) -> None:
    """Write what this interpreter prints for every golden case."""
    cases = sorted((ROOT / "tests" / "golden").rglob("*.yaml"))
    commands = {case.stem: shlex.split(yaml.safe_load(case.read_text("utf-8"))["command"]) for case in cases}
    recorded = [{"name": name, "argv": argv, "printed": printed(db, argv)} for name, argv in commands.items()]
    target.write_text(json.dumps(recorded, ensure_ascii=False), "utf-8")


def answers(python: Path, sqlite: str, db: Path, recorded: Path) -> tuple[list[str], list[str]]:
    """One row of the table, and what was wrong."""
    line = [str(python), "-W", "error", str(ROOT / "tests" / "bench" / "answers.py"), str(db), str(recorded)]
    done = subprocess.run(line, env=with_sqlite(sqlite), capture_output=True, text=True, check=False, cwd=db.parent)
    if done.returncode:
        return [str(python), sqlite, "?", "0", "1"], [done.stderr[-500:]]
    found = json.loads(done.stdout)
    row = [found["python"], found["click"], found["sqlite"], str(found["tried"]), str(len(found["wrong"]))]
    return row, [f"{' '.join(row[:3])}: {wrong}" for wrong in found["wrong"]]


def suite(python: Path, sqlite: str) -> tuple[list[str], list[str]]:
    """The same of the tests."""
    line = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in SUITE)]
    done = subprocess.run(line, env=with_sqlite(sqlite), capture_output=True, text=True, check=False, cwd=ROOT)
    code = "import sys, sqlite3, importlib.metadata as m; print(sys.version.split()[0], m.version('click'), "
    command = [str(python), "-c", f"{code}sqlite3.sqlite_version)"]
    versions = subprocess.run(
        command, env=with_sqlite(sqlite), capture_output=True, text=True, check=True
    ).stdout.split()
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-300:]
    return [*versions, last, str(int(bool(done.returncode)))], done.stdout.splitlines()[-15:] * bool(done.returncode)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--python", action="append", metavar="INTERPRETER", help="[this one]")
    parser.add_argument("--click", action="append", metavar="VERSION", help="[8.1.0 and the newest]")
    parser.add_argument("--sqlite", action="append", metavar="FOLDER", help="[the interpreter's own]")
    parser.add_argument("--db", type=Path, help="an index of the sample [built by this interpreter]")
    parser.add_argument("--suite", action="store_true", help="also run the tests of the query half")
    return parser.parse_args()


def _rows(options: argparse.Namespace, folder: Path, db: Path) -> Iterator[tuple[list[str], list[str]]]:
    for number, python in enumerate(options.python or [sys.executable]):
        for click in options.click or ["8.1.0", ""]:
            package = f"click=={click}" if click else "click"
            made = environment(python, folder / f"{number}-{click}", [package])
            for sqlite in options.sqlite or ["-"]:
                yield answers(made, sqlite, db, folder / "answers.json")
        if options.suite:
            made = environment(python, folder / f"{number}-whole", ["-e", ".[dev]"])
            for sqlite in options.sqlite or ["-"]:
                yield suite(made, sqlite)


def main() -> None:
    """Run every combination and print the table."""
    options = _options()
    with tempfile.TemporaryDirectory() as name:
        db = options.db or Path(name) / "sample.db"
        if not options.db:
            subprocess.run([sys.executable, "-m", "rtckb", "build", "-o", str(db)], check=True, cwd=ROOT)
        record(db.resolve(), Path(name) / "answers.json")
        rows = list(_rows(options, Path(name), db.resolve()))
    table("The reading half", ["Python", "click", "SQLite", "tried", "wrong"], [row for row, _ in rows])
    every = [line for _, wrong in rows for line in wrong]
    print("\n".join(every[:20]))
    sys.exit(bool(every))


if __name__ == "__main__":
    main()

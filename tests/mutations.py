"""Mutation soak: small faults in the ranking, one at a time, each of which the shipped tests must notice.

    python tests/mutations.py                 # every mutation of mutations.yaml
    python tests/mutations.py scoring tag     # those whose file or name contains one of the words
    python tests/mutations.py --jobs 2

Each mutation replaces one piece of text in a copy of the checkout that has no ``../shared`` beside it, and runs the
tests named for its file until one fails. Prints a table and the survivors; exits with 1 if more than a tenth survive,
or if a piece of text no longer occurs exactly once. Not part of the test suite: it takes a quarter of an hour.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_name("mutations.yaml")
#: What a copy needs; everything else of a checkout is left behind.
COPIED = ("indexer", "query", "tests", "docs", "schema.sql", "rtckb.py", "pyproject.toml", "README.md")
#: The largest share of mutations that may survive.
MOST_SURVIVORS = 0.1
#: Seconds after which a run counts as noticed: a mutation can make a loop endless.
TIME_LIMIT = 300


class Mutation(NamedTuple):
    """One fault: ``find`` occurs once in ``file`` and becomes ``replace``; ``tests`` are pytest arguments."""

    name: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...]


def load(path: Path = TABLE) -> list[Mutation]:
    """The table, checked against the checkout.

    Raises:
        SystemExit: a piece of text does not occur exactly once; names it.
    """
    table: Mapping[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    mutations = [
        Mutation(row["name"], group["file"], row["find"], row["replace"], tuple(group["tests"]))
        for group in table["groups"]
        for row in group["mutations"]
    ]
    for mutation in mutations:
        times = (ROOT / mutation.file).read_text("utf-8").count(mutation.find)
        if times != 1:
            sys.exit(f"{mutation.name}: {mutation.find!r} occurs {times} times in {mutation.file}; wanted it once")
    return mutations


def is_noticed(mutation: Mutation) -> bool:
    """Whether a related test fails in a copy with the mutation."""
    with tempfile.TemporaryDirectory(prefix="rtckb-mutation-") as folder:
        copy = Path(folder) / "rtckb"
        copy.mkdir()
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, copy / name)
        target = copy / mutation.file
        target.write_text(target.read_text("utf-8").replace(mutation.find, mutation.replace), "utf-8")
        line = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:cacheprovider", *mutation.tests]
        try:
            done = subprocess.run(
                line, cwd=copy, env={"PYTHONPATH": str(copy), "PATH": "/usr/bin:/bin"}, timeout=TIME_LIMIT,
                capture_output=True, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return True
        if done.returncode not in {0, 1}:
            sys.exit(f"{mutation.name}: pytest exited with {done.returncode}\n{done.stdout.decode()[-2000:]}")
        return done.returncode == 1


def _chosen(mutations: Iterable[Mutation], words: list[str]) -> list[Mutation]:
    return [m for m in mutations if not words or any(word in f"{m.file} {m.name}" for word in words)]


def main() -> None:
    """Run the chosen mutations and print what became of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only mutations whose file or name contains one of these")
    parser.add_argument("--jobs", type=int, default=1, help="mutations tried at the same time")
    given = parser.parse_args()
    mutations = _chosen(load(), given.words)
    survivors = []
    with ThreadPoolExecutor(given.jobs) as pool:
        for mutation, noticed in zip(mutations, pool.map(is_noticed, mutations), strict=True):
            print(f"{'noticed ' if noticed else 'SURVIVED'}  {mutation.file}: {mutation.name}", flush=True)
            if not noticed:
                survivors.append(mutation.name)
    print(f"{len(mutations)} mutations, {len(survivors)} survived")
    sys.exit(len(survivors) > MOST_SURVIVORS * len(mutations))


if __name__ == "__main__":
    main()

"""A long robustness run: what tests/test_faults.py tries a few times, as often as the options ask for.

    python tests/bench/faults.py --kills 200 --queries 1000000 --jobs 2 --minutes 30
    python tests/bench/faults.py --only questions,readers

Prints a table of what was tried, how often, and what was wrong; exits 1 if anything was. A query depends only on its
seed, so the same number repeats it. Each kind that can stop early runs until the limit in minutes.
"""

import argparse
import itertools
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from measure import ROOT, SHARED, table

sys.path.insert(1, str(ROOT / "tests"))
from hostile import builds, files, questions, readers

from indexer.build import Sources, build

SAMPLE = ROOT / "indexer" / "data" / "sample"
REAL = SHARED / "kb"
REAL_QUESTIONS = (SHARED / "eval" / "trtc-dev.jsonl", SHARED / "eval" / "nim-dev.jsonl")
#: Queries that a process runs before it reads the clock.
_BATCH = 500
#: How many were tried, and what was wrong.
Result = tuple[int, list[str]]


class Soak:
    """One run: its folder, its options, and when it ends."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.end = time.monotonic() + 60 * options.minutes
        self.sample = folder / "sample.db"
        build(Sources(SAMPLE / "trtc", SAMPLE / "nim"), self.sample)
        self.big = self.sample
        if REAL.is_dir():
            self.big = folder / "real.db"
            build(Sources(REAL / "trtc", REAL / "nim"), self.big, jobs=2)

    def kills(self) -> Result:
        """Builds killed at random moments."""
        times = self.options.kills
        return times, builds.killed(self._room("kills"), self.sample.read_bytes(), times, self.options.seed)

    def at_once(self) -> Result:
        """Builds of one target at the same time."""
        rounds = self.options.rounds
        return rounds, builds.at_once(self._room("once"), self.sample.read_bytes(), rounds, builds=3)

    def limit(self) -> Result:
        """Builds under a limit on the size of files (RLIMIT_FSIZE)."""
        return self._full(None)

    def small_disk(self) -> Result:
        """Builds on a small disk of their own (tmpfs, as root)."""
        room = self._room("disk")
        try:
            with builds.mounted(room, 4096):
                pass
        except OSError as error:
            print(f"skip: no small disk can be mounted here ({error})")
            return 0, []
        return self._full(room)

    def _full(self, room: Path | None) -> Result:
        data = self.sample.read_bytes()
        sizes = [len(data) * part // self.options.rounds // 4096 * 4096 for part in range(self.options.rounds)]
        # a mounted disk of size 0 would have no end
        return len(sizes), builds.disk_full(self._room("full"), data, [s + 4096 * bool(room) for s in sizes], room)

    def changing(self) -> Result:
        """Builds of sources that change while they are read."""
        rounds = self.options.rounds
        return rounds, builds.changing(self._room("changing"), SAMPLE, rounds, self.options.seed)

    def readers(self) -> Result:
        """Answers of 20 readers through 50 replacements."""
        shutil.copytree(SAMPLE / "nim", self.folder / "nim")
        next((self.folder / "nim").rglob("排查-*.md")).unlink()
        other = self.folder / "other.db"
        build(Sources(SAMPLE / "trtc", self.folder / "nim"), other)
        return readers.replaced(self._room("readers") / "x.db", [self.sample, other], 50, readers=20)

    def cut(self) -> Result:
        """Index files cut at each page, and in the middle of it."""
        pages = self.big.stat().st_size // files.PAGE
        return 2 * pages, files.found(files.cut(self.big, self.folder / "x.db"))

    def headers(self) -> Result:
        """Calls on files with hostile headers."""
        times = len(files.HEADERS) * len(files.CALLS)
        return times, files.found(files.headers(self.sample, self.folder / "x.db"))

    def altered(self) -> Result:
        """Files with a table emptied, dropped or made a view, or a column overwritten."""
        return len(files.statements(self.sample)), files.found(files.altered(self.sample, self.folder / "x.db"))

    def questions(self) -> Result:
        """Mutated questions, to each half in turn."""
        seeds = iter(range(self.options.seed, self.options.seed + self.options.queries, _BATCH))
        wrong: list[str] = []
        done = 0
        with ProcessPoolExecutor(self.options.jobs) as pool:
            while time.monotonic() < self.end and (batch := list(itertools.islice(seeds, self.options.jobs))):
                for found in pool.map(ask_batch, itertools.repeat(self.big), batch):
                    done += _BATCH
                    wrong += found
        return done, wrong

    def _room(self, name: str) -> Path:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        return folder


def ask_batch(db: Path, first: int) -> list[str]:
    """What was wrong with one batch of questions."""
    found = questions.ask_many(db, questions.originals(*REAL_QUESTIONS), iter(range(first, first + _BATCH)))
    return [f"seed {seed}: {wrong}" for seed, wrong in found if wrong]


#: What is tried, in this order; the questions last, since they take the time that is left.
KINDS: dict[str, Callable[[Soak], Result]] = {
    "kills": Soak.kills,
    "at-once": Soak.at_once,
    "limit": Soak.limit,
    "small-disk": Soak.small_disk,
    "changing": Soak.changing,
    "readers": Soak.readers,
    "cut": Soak.cut,
    "headers": Soak.headers,
    "altered": Soak.altered,
    "questions": Soak.questions,
}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default=",".join(KINDS), help="kinds to try, with commas between [%(default)s]")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=20, help="builds of each other kind [%(default)s]")
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes for queries [%(default)s]")
    parser.add_argument("--minutes", type=float, default=30, help="the questions stop then [%(default)s]")
    return parser.parse_args()


def _rows(soak: Soak, only: str) -> Iterator[tuple[list[str], list[str]]]:
    for name in only.split(","):
        begin = time.monotonic()
        times, wrong = KINDS[name](soak)
        what = (KINDS[name].__doc__ or "").rstrip(".")
        yield [what, f"{times:,}", str(len(wrong)), f"{time.monotonic() - begin:.0f}"], wrong
        print(f"{name}: {times:,} tried, {len(wrong)} wrong", flush=True)


def main() -> None:
    """Try everything and print the table."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(_rows(Soak(options, Path(folder)), options.only))
    table("Faults", ["what", "tried", "wrong", "seconds"], [row for row, _ in rows])
    every = [line for _, wrong in rows for line in wrong]
    print("\n".join(every[:50]))
    sys.exit(bool(every))


if __name__ == "__main__":
    main()

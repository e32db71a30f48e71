"""Time of a full, an incremental and an unchanged build, compared with jieba alone over the same files.

jieba has its best case: no other imports, a warm dictionary cache, whole files, and nothing stored.
"""

import argparse
import json
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

from measure import RTCKB, Run, base, complain, run, source_files, spread, table

from indexer.store.previous import unpack_segmentation

CUT_OFF, CUT_ON = "jieba, HMM off: cutting only", "jieba, HMM on: cutting only"
WHOLE_OFF, WHOLE_ON = "jieba, HMM off: whole process", "jieba, HMM on: whole process"
FULL_1, FULL_2 = "full build, --jobs 1", "full build, --jobs 2"
ADDED = "\n压测时追加的一句新话：大象在操场上弹钢琴，观众席掌声雷动。\n"
Runs = dict[str, list[Run]]


class Bench:
    """Copies of both bases in a temporary folder, and one index file that is rebuilt."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.trtc, self.nim = folder, folder / "trtc", folder / "nim"
        for name in ("trtc", "nim"):
            shutil.copytree(base(name), folder / name, copy_function=shutil.copyfile)
        self.target = folder / "index.db"
        self.edited = max(self.nim.rglob("*.md"), key=lambda path: (path.stat().st_size, str(path)))

    def build(self, name: str, jobs: int = 1, fresh: bool = False) -> Run:
        """One build by the command. Prints a line if it failed."""
        if fresh:
            self.target.unlink(missing_ok=True)
        places = ["--trtc", str(self.trtc), "--nim", str(self.nim), "-o", str(self.target)]
        done = run([*RTCKB, "build", *places, "--jobs", str(jobs)], self.folder / "bytecode")
        complain(name, done)
        return done

    def jieba(self, *options: str) -> Run:
        """jieba alone, in a process of its own."""
        script = str(Path(__file__).with_name("jieba_alone.py"))
        places = (str(self.trtc), str(self.nim), "--cache", str(self.folder))
        done = run([sys.executable, script, *places, *options], self.folder / "bytecode")
        complain("jieba", done)
        return done

    def round(self) -> dict[str, Run]:
        """Every measurement once, in an order that leaves the sources and the index as they were."""
        off, on = self.jieba(), self.jieba("--hmm")
        runs = {WHOLE_OFF: off, WHOLE_ON: on, CUT_OFF: _cutting(off), CUT_ON: _cutting(on)}
        runs[FULL_2] = self.build(FULL_2, jobs=2, fresh=True)
        runs[FULL_1] = self.build(FULL_1, fresh=True)
        runs["nothing changed"] = self.build("nothing changed")
        text = self.edited.read_bytes()
        self.edited.write_bytes(text + ADDED.encode())
        runs["one file edited"] = self.build("one file edited")
        self.edited.write_bytes(text)
        runs["edited back"] = self.build("edited back")
        return runs


def _cutting(whole: Run) -> Run:
    seconds = json.loads(whole.output.splitlines()[-1])["cut"]
    return Run(seconds, seconds, whole.code, whole.output)


def times(runs: Runs) -> None:
    """Seconds, and their ratios to jieba and to a full build by one process."""
    marks = [median(r.wall for r in runs[name]) for name in (CUT_OFF, WHOLE_OFF, FULL_1)]
    rows = []
    for name, found in runs.items():
        walls = [r.wall for r in found]
        ratios = [f"{median(walls) / mark:.2f}" for mark in marks]
        rows.append((name, *spread(walls), f"{median(r.cpu for r in found):.2f}", *ratios))
    head = ("seconds", "median", "lowest", "p90", "cpu", "/ jieba cut", "/ jieba whole", "/ full jobs 1")
    table(f"Build time, {len(runs[FULL_1])} rounds", head, rows)


def sizes(bench: Bench, jieba: Run) -> None:
    """Bytes of the file beside bytes of the sources, and how much text each side had to cut."""
    paths = list(source_files(bench.trtc, bench.nim))
    source, target = sum(path.stat().st_size for path in paths), bench.target.stat().st_size
    with closing(sqlite3.connect(bench.target)) as index:
        ((packed,),) = index.execute("SELECT runs FROM segmentation").fetchall()
    cut = sum(map(len, unpack_segmentation(packed)))
    whole = sum(_is_han(c) for path in paths for c in path.read_text("utf-8", "replace"))
    given = json.loads(jieba.output.splitlines()[-1])["characters"]
    rows = [
        (f"bytes of {len(paths)} source files", f"{source:,}", ""),
        ("bytes of the index file", f"{target:,}", f"{target / source:.2f} of the sources"),
        ("characters that jieba alone is given", f"{given:,}", ""),
        ("Han characters among them", f"{whole:,}", f"{whole / given:.2f} of what jieba is given"),
        ("Han characters that a full build cuts", f"{cut:,}", f"{cut / whole:.2f} of the Han characters"),
    ]
    table("Size", ("", "number", "share"), rows)


def _is_han(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


def mistakes(runs: Runs) -> Iterator[str]:
    """Builds that were not of the kind that their row is named for, or that differ where they must not."""
    wrong = {"nothing changed": "built,", "one file edited": "up to date", "edited back": "up to date"}
    for name, words in wrong.items():
        if any(words in r.output for r in runs[name]):
            yield f"{name!r} was a build that says {words!r}"
    if len({r.output for name in (FULL_1, FULL_2, "edited back") for r in runs[name]}) > 1:
        yield "builds of equal sources differ (or the code was edited meanwhile: its hash is in the digest)"


def main() -> None:
    """Measure, then print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        bench.round()  # unmeasured: compiles every module, writes jieba's cache, fills the disk cache
        measured = [bench.round() for _ in range(rounds)]
        runs: Runs = {name: [one[name] for one in measured] for name in measured[0]}
        times(runs)
        sizes(bench, runs[WHOLE_OFF][0])
        for mistake in mistakes(runs):
            print(f"WRONG: {mistake}")


if __name__ == "__main__":
    main()

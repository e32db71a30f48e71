"""NIM bases of any size, whose texts are drawn word by word with the word frequencies of a real base.

As a program it builds the index of one such base and prints, as one JSON line, the seconds that it took.
"""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import jieba
from measure import base as source

from indexer import build as indexer_build
from indexer.compile import metadata
from indexer.compile.rows import nim_rows
from indexer.compile.token_sets import compared_texts, origin_rows, token_set_rows
from indexer.lexicon import load_variants
from indexer.reading.nim.reader import read_nim
from indexer.records import NimBase, Unit
from indexer.store.database import Writer

#: Fields of which words are drawn. A placeholder has few words, so it is drawn about as often as it is in the base.
PROSE = ("title", "description", "root_cause", "solution", "details")


class Words:
    """The words of each field of a real base, as often as they stand there, and how long its texts are."""

    def __init__(self, units: Sequence[Unit], seed: int = 1) -> None:
        jieba.setLogLevel(60)
        self.units = units
        self.random = random.Random(seed)  # noqa: S311  # equal bases in every run
        texts = {name: [list(jieba.cut(getattr(unit, name), HMM=False)) for unit in units] for name in PROSE}
        self.lengths = {name: [len(words) for words in found] for name, found in texts.items()}
        self.bags = {name: [word for words in found for word in words] for name, found in texts.items()}
        self.tags = [tag for unit in units for tag in unit.tags]

    def unit(self, number: int) -> Unit:
        """One more unit: place, type and dates of a real one; the lengths of its texts; words of any."""
        of = self.random.randrange(len(self.units))
        prose = {
            name: "".join(self.random.choices(self.bags[name], k=self.lengths[name][of])) if self.bags[name] else ""
            for name in PROSE
        }
        like = self.units[of]
        tags = tuple(dict.fromkeys(self.random.choices(self.tags, k=len(like.tags)))) if self.tags else ()
        path = f"knowledge/{like.product_folder}/{like.feature_folder}/{number}.md"
        return replace(like, path=path, entry=0, display_title=prose["title"], tags=tags, **prose)

    def base(self, size: int) -> NimBase:
        """A base of ``size`` units, in path order."""
        return NimBase(units=tuple(sorted((self.unit(n) for n in range(size)), key=lambda unit: unit.path)))


def build_of(base: NimBase, target: Path, trtc: Path | None = None) -> None:
    """Build an index of records that no file holds: everything but the reading is the build's own."""
    reader: Callable[[Path], NimBase] = indexer_build.load_nim
    indexer_build.load_nim = lambda _: base
    try:
        with tempfile.TemporaryDirectory() as nowhere:
            indexer_build.build(indexer_build.Sources(trtc, Path(nowhere)), target, jobs=2)
    finally:
        indexer_build.load_nim = reader


def matching_of(base: NimBase, target: Path) -> float:
    """An index of the units and the tables of exact matching alone; the seconds that those tables took."""
    with closing(Writer(target)) as writer:
        writer.rows(nim_rows(base, {number: number for number in range(1, len(base.units) + 1)}, {}))
        begin = time.perf_counter()
        writer.rows(
            token_set_rows([compared_texts(unit) for unit in base.units], load_variants()) | origin_rows(base.units)
        )
        spent = time.perf_counter() - begin
        writer.finish(metadata.build_inputs(None, None))
    return spent


def main() -> None:
    """Draw a base, build it, print the seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", type=int, metavar="UNITS")
    parser.add_argument("target", type=Path)
    parser.add_argument("--matching", action="store_true", help="Only what exact matching needs, and no TRTC base.")
    given = parser.parse_args()
    drawn = Words(read_nim(source("nim")).units).base(given.size)
    begin = time.perf_counter()
    seconds = {}
    if given.matching:
        seconds["matching"] = matching_of(drawn, given.target)
    else:
        build_of(drawn, given.target, source("trtc"))
    print(json.dumps(seconds | {"whole": time.perf_counter() - begin}))


if __name__ == "__main__":
    main()

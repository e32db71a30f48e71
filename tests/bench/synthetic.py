"""NIM bases of any size whose texts are drawn, word by word, from the word statistics of a real base."""

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import jieba

from indexer import build as indexer_build
from indexer.records import NimBase, Unit

#: Fields of which words are drawn; a placeholder, having few words, is drawn about as often as it stands there.
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


def build_of(base: NimBase, target: Path) -> None:
    """Build an index of records that no file holds: everything but the reading is the build's own."""
    reader: Callable[[Path], NimBase] = indexer_build.read_nim
    indexer_build.read_nim = lambda _: base
    try:
        with tempfile.TemporaryDirectory() as nowhere:
            indexer_build.build(indexer_build.Sources(None, Path(nowhere)), target, jobs=2)
    finally:
        indexer_build.read_nim = reader

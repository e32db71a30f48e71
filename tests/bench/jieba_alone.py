"""jieba's own ``cut_for_search`` over the files that a build reads; prints its seconds as one JSON line.

A program of its own, so that build_time.py can time it as a whole process too.
"""

import argparse
import json
import time
from pathlib import Path

from measure import source_files


def main() -> None:
    """Load, read, cut; nothing is kept of the words but their number."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trtc", type=Path)
    parser.add_argument("nim", type=Path)
    parser.add_argument("--hmm", action="store_true")
    parser.add_argument("--cache", required=True, help="Folder of jieba's own dictionary cache.")
    given = parser.parse_args()
    begin = time.perf_counter()
    load(given.cache)
    loaded = time.perf_counter()
    texts = [path.read_text("utf-8", "replace") for path in source_files(given.trtc, given.nim)]
    read = time.perf_counter()
    words = count_words(texts, given.hmm)
    seconds = {"load": loaded - begin, "cut": time.perf_counter() - read}
    print(json.dumps({**seconds, "words": words, "characters": sum(map(len, texts))}))


def load(cache: str) -> None:
    """Import jieba and load its dictionary, from its cache file where an earlier run has left one."""
    import jieba  # noqa: PLC0415  # part of what is measured

    jieba.setLogLevel("WARNING")
    jieba.dt.tmp_dir = cache
    jieba.initialize()


def count_words(texts: list[str], hmm: bool) -> int:
    """Cut every text whole, as its author wrote it."""
    import jieba  # noqa: PLC0415

    return sum(sum(1 for _ in jieba.cut_for_search(text, HMM=hmm)) for text in texts)


if __name__ == "__main__":
    main()

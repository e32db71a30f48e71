"""Han runs -> words, by jieba. The only module that imports it.

Identifiers, versions and codes are cut out by rule first (fileformat/fold.py), so the tokenizer sees Han
characters alone; each distinct run is cut once, and never again once a file remembers it.
"""

import bz2
import hashlib
import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from indexer.compile.workers import Future, Workers

#: Without the hidden Markov model nothing is invented on one side that the other does not know (cases.md B9, B10).
HMM = False
_BATCH = 1500


@cache
def _tokenizer() -> Any:
    """jieba's own tokenizer over its own dictionary, without its cache file in the shared temp folder (B1-B3)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old setuptools deprecations are not our users' concern (B5, B6)
        import jieba  # noqa: PLC0415  # 0.3 s that a build without new text does not owe
    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


@cache
def identity() -> str:
    """Tokenizer, its version, its settings and its dictionary's hash: what a stored segmentation depends on."""
    from importlib.metadata import distribution  # noqa: PLC0415  # only a build asks

    jieba = distribution("jieba")
    dictionary = hashlib.sha256(jieba.locate_file("jieba/dict.txt").read_bytes()).hexdigest()  # type: ignore[attr-defined]  # a Path in truth
    return f"jieba {jieba.version} cut_for_search HMM={HMM} dict={dictionary[:16]}"


def cut_runs(runs: Iterable[str]) -> dict[str, str]:
    """Each Han run -> its words, each behind the parts of it that are words too.

    A space follows a word, a tab a part, so the words tell the run: the pieces behind the tabs make it up.
    """
    tokenizer = _tokenizer()
    return {run: _marked(list(tokenizer.tokenize(run, mode="search", HMM=HMM)), len(run)) for run in runs}


def _marked(pieces: Sequence[tuple[str, int, int]], end: int) -> str:
    """Pieces as (text, start, end) in jieba's order, joined: read backwards, a word ends where the last one began."""
    marked: list[str] = []
    for text, start, stop in reversed(pieces):
        marked += (" " if stop == end else "\t", text)
        end = start if stop == end else end
    return "".join(reversed(marked)).rstrip(" ")


def warm_up() -> None:
    """Load the dictionary ahead of the first run, in a process that will surely cut some."""
    _tokenizer()


class Segmenter:
    """Cuts the runs it is asked for: known ones from memory, new ones by jieba, by other processes if there are.

    ``want`` as early as the text is there; ``words`` waits for what is still under way.
    """

    def __init__(self, known: Mapping[str, str], workers: Workers) -> None:
        self._known = known
        self._workers = workers
        self._seen: set[str] = set()
        self._waiting: list[str] = []
        self._under_way: list[Future[dict[str, str]]] = []

    def want(self, runs: Iterable[str]) -> None:
        """Take note of runs; a full batch is handed over at once."""
        for run in runs:
            if run not in self._seen:
                self._seen.add(run)
                if run not in self._known:
                    self._waiting.append(run)
        if self._workers.are_others and len(self._waiting) >= _BATCH:
            self._hand_over()

    def words(self) -> Mapping[str, str]:
        """Every run wanted so far -> its words, joined by spaces."""
        if self._waiting:
            self._hand_over()
        words = {run: self._known[run] for run in self._seen if run in self._known}
        for cut in self._under_way:
            words.update(cut.result())
        return words

    def _hand_over(self) -> None:
        self._under_way.append(self._workers.submit(cut_runs, self._waiting))
        self._waiting = []


def pack(words: Mapping[str, str]) -> bytes:
    """The words of all runs as one compressed text, sorted, so that equal sources give equal bytes."""
    return bz2.compress("\n".join(sorted(words.values())).encode())


def unpack(blob: bytes) -> dict[str, str]:
    """The inverse of ``pack``; raises ValueError on anything else."""
    try:
        text = bz2.decompress(blob).decode()
    except (OSError, ValueError) as error:
        raise ValueError(f"no packed segmentation: {error}") from error
    if not blob:
        raise ValueError("no packed segmentation: it is empty")
    return {"".join(word.rpartition("\t")[2] for word in line.split(" ")): line for line in text.split("\n") if line}

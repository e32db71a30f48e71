"""Segments runs of Han characters into words with jieba. The only module that imports it.

Identifiers, versions and codes are separated before (query/analysis/normalize.py), so jieba only sees Han characters.
Each distinct run is segmented once, and not at all if the previous index file contains it.
"""

import hashlib
import logging
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from indexer.compile.workers import Workers

#: Whether jieba's hidden Markov model finds words outside its dictionary. It would find other ones in a document than
#: the query half, which segments a query with the vocabulary of the index alone.
HMM = False
_BATCH = 1500


@cache
def _tokenizer() -> Any:
    """jieba with its own dictionary. Its cache file in the shared temporary folder is neither read nor written."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # jieba's own sources cause deprecation warnings
        import jieba  # noqa: PLC0415  # takes 0.3 s, which a build without new text saves
    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


@cache
def identity() -> str:
    """Name, version, settings and dictionary hash of the tokenizer: equal identities give equal words."""
    from importlib.metadata import distribution  # noqa: PLC0415  # needed by builds only

    jieba = distribution("jieba")
    dictionary = hashlib.sha256(jieba.locate_file("jieba/dict.txt").read_bytes()).hexdigest()  # type: ignore[attr-defined]  # a Path in truth
    return f"jieba {jieba.version} cut_for_search HMM={HMM} dict={dictionary[:16]}"


def cut_runs(runs: Iterable[str]) -> dict[str, str]:
    """Each Han run -> its words, in order. The parts of a word that are words too precede it.

    A space follows a word, a tab follows a part. So the run can be restored: it is the words without their parts.
    """
    tokenizer = _tokenizer()
    return {run: _joined(list(tokenizer.tokenize(run, mode="search", HMM=HMM)), len(run)) for run in runs}


def _joined(pieces: Sequence[tuple[str, int, int]], end: int) -> str:
    """Join jieba's (text, start, end) pieces. Read backwards, a piece is a word if it ends where the last one began."""
    joined: list[str] = []
    for text, start, stop in reversed(pieces):
        joined += (" " if stop == end else "\t", text)
        end = start if stop == end else end
    return "".join(reversed(joined)).rstrip(" ")


def warm_up() -> None:
    """Load the dictionary of a worker process before its first run."""
    _tokenizer()


class Segmenter:
    """Segments the runs that are added: known ones from memory, new ones with jieba, in worker processes if any.

    Add runs as early as possible: workers segment them while this process reads on.
    """

    def __init__(self, known: Mapping[str, str], workers: Workers) -> None:
        self._known = known
        self._workers = workers
        self._added: set[str] = set()
        self._waiting: list[str] = []
        self._submitted: list[Callable[[], dict[str, str]]] = []

    def add(self, runs: Iterable[str]) -> None:
        """Add runs; a full batch is submitted to the workers at once."""
        for run in runs:
            if run not in self._added:
                self._added.add(run)
                if run not in self._known:
                    self._waiting.append(run)
        if self._workers.parallel and len(self._waiting) >= _BATCH:
            self._submit()

    def words(self) -> Mapping[str, str]:
        """Every run added so far -> its words, as ``cut_runs`` joins them."""
        if self._waiting:
            self._submit()
        words = {run: self._known[run] for run in self._added if run in self._known}
        for wait_for_words in self._submitted:
            words.update(wait_for_words())
        return words

    def _submit(self) -> None:
        self._submitted.append(self._workers.submit(cut_runs, self._waiting))
        self._waiting = []

"""Where in a text could a known word stand? Atoms, and the runs of atoms that are looked up.

Both halves spot concepts by these rules: the build in the pages of a slice, the query layer in a question.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from query.analysis.normalize import ARTICLES, Chunk, chunks, stem

T = TypeVar("T")

#: Longest surface, in atoms: twelve Han characters, or words.
MAX_TOKENS = 12
_JOINERS = frozenset(" \t-_/.'’")
_WORD = re.compile(r"\w+")


class Token(NamedTuple):
    """One Han character, or one part of a word, with its stem and its offsets in the text."""

    text: str
    stem: str
    start: int
    end: int
    is_han: bool


class CandidateSpan(NamedTuple):
    """A run of atoms that may be a known word: the keys to look it up under, and where it stands."""

    keys: tuple[str, ...]
    start: int
    end: int


def read_tokens(normalised: str) -> list[Token]:
    """The atoms of a normalised text, English articles left out (``kick a user`` is looked up as ``kick user``)."""
    found: list[Token] = []
    for chunk in chunks(normalised):
        if chunk.text not in ARTICLES:
            found.extend(_atoms_of(chunk, normalised))
    return found


def token_groups(normalised: str) -> Iterator[list[str]]:
    """The atoms' texts alone, in groups of which any run is a surface: what a build of whole pages can afford."""
    group: list[str] = []
    end = 0
    for chunk in chunks(normalised):
        if group and not _joins(normalised[end : chunk.start]):
            yield group
            group = []
        if chunk.is_han:
            group.extend(chunk.text)
        elif chunk.text not in ARTICLES:
            group.extend(chunk.parts or (chunk.text,))
        end = chunk.end
    if group:
        yield group


def _joins(gap: str) -> bool:
    return all(character in _JOINERS for character in gap)


def _atoms_of(chunk: Chunk, text: str) -> Iterator[Token]:
    if chunk.is_han:
        for offset, character in enumerate(chunk.text, chunk.start):
            yield Token(character, character, offset, offset + 1, True)
        return
    cursor = chunk.start
    folded = text[chunk.start : chunk.end].lower()
    parts = chunk.parts or (chunk.text,)
    for number, part in enumerate(parts, 1):
        start = chunk.start + max(folded.find(part, cursor - chunk.start), cursor - chunk.start)
        cursor = start + len(part) if number < len(parts) else chunk.end
        yield Token(part, stem(part), min(start, chunk.end), min(cursor, chunk.end), False)


def candidate_spans(found: Sequence[Token], text: str) -> Iterator[CandidateSpan]:
    """Every run of adjoining atoms, up to ``MAX_ATOMS`` of them."""
    for first, atom in enumerate(found):
        whole = stems = ""
        for last in range(first, min(first + MAX_TOKENS, len(found))):
            if last > first and not _adjoin(found[last - 1], found[last], text):
                break
            whole += found[last].text
            stems += found[last].stem
            keys = (whole,) if whole == stems else (whole, stems)
            yield CandidateSpan(keys, atom.start, found[last].end)


def _adjoin(left: Token, right: Token, text: str) -> bool:
    return _joins(_WORD.sub("", text[left.end : right.start]))  # no word stands between two atoms but articles


class SpanMask:
    """Which characters of a text are spoken for."""

    def __init__(self, text: str, spans: Iterable[tuple[int, int]] = ()) -> None:
        self._marks = bytearray(len(text))
        for start, end in spans:
            self.take(start, end)

    def take(self, start: int, end: int) -> None:
        """Speak for a stretch."""
        self._marks[start:end] = b"\1" * (end - start)

    def leaves(self, start: int, end: int) -> bool:
        """Whether a stretch is free."""
        return not any(self._marks[start:end])


def longest_match(text: str, found: Iterable[CandidateSpan], read: Callable[[CandidateSpan], T | None]) -> list[T]:
    """What ``read`` makes of non-overlapping surfaces, the longest first, the leftmost of equals.

    A surface of which it makes nothing (None) leaves its place to shorter ones.
    """
    chosen: list[T] = []
    taken = SpanMask(text)
    for surface in sorted(found, key=lambda s: (s.start - s.end, s.start)):
        result = read(surface) if taken.leaves(surface.start, surface.end) else None
        if result is not None:
            chosen.append(result)
            taken.take(surface.start, surface.end)
    return chosen

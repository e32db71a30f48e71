"""Candidate spans of a text: every run of tokens that may be a known name, with the keys to look it up under.

The build finds concepts in the pages of a slice by these rules, and a search finds them in a query.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from query.analysis.normalize import ARTICLES, Chunk, chunks, stem

T = TypeVar("T")

#: Length of the longest candidate span in tokens: twelve Han characters, or twelve words.
MAX_TOKENS = 12
_JOINERS = frozenset(" \t-_/.'’、")
_WORD = re.compile(r"\w+")


class Token(NamedTuple):
    """One Han character, or one part of a word, with its stem and its offsets in the text."""

    text: str
    stem: str
    start: int
    end: int
    is_han: bool


class CandidateSpan(NamedTuple):
    """A run of tokens that may be a known name: its lookup keys, and its offsets in the text."""

    keys: tuple[str, ...]
    start: int
    end: int


def read_tokens(normalized: str) -> list[Token]:
    """The tokens of a normalized text without English articles: ``kick a user`` is looked up as ``kick user``."""
    found: list[Token] = []
    for chunk in chunks(normalized):
        if chunk.text not in ARTICLES:
            found.extend(_tokens_of(chunk, normalized))
    return found


def _tokens_of(chunk: Chunk, text: str) -> Iterator[Token]:
    if chunk.is_han:
        for offset, character in enumerate(chunk.text, chunk.start):
            yield Token(character, character, offset, offset + 1, True)
        return
    cursor = chunk.start
    lowered = text[chunk.start : chunk.end].lower()
    parts = chunk.parts or (chunk.text,)
    for number, part in enumerate(parts, 1):
        start = chunk.start + max(lowered.find(part, cursor - chunk.start), cursor - chunk.start)
        cursor = start + len(part) if number < len(parts) else chunk.end
        yield Token(part, stem(part), min(start, chunk.end), min(cursor, chunk.end), False)


def token_groups(normalized: str) -> Iterator[list[str]]:
    """The texts of the tokens in groups, of which every run is a candidate span: a fast form for whole pages."""
    group: list[str] = []
    end = 0
    for chunk in chunks(normalized):
        if group and not _joins(normalized[end : chunk.start]):
            yield group
            group = []
        if chunk.is_han:
            group.extend(chunk.text)
        elif chunk.text not in ARTICLES:
            group.extend(chunk.parts or (chunk.text,))
        end = chunk.end
    if group:
        yield group


def candidate_spans(tokens: Sequence[Token], text: str) -> Iterator[CandidateSpan]:
    """Every run of up to ``MAX_TOKENS`` tokens with nothing but joiners and articles between them."""
    for first, token in enumerate(tokens):
        whole = stems = ""
        for last in range(first, min(first + MAX_TOKENS, len(tokens))):
            if last > first and not _joins(_WORD.sub("", text[tokens[last - 1].end : tokens[last].start])):
                break
            whole += tokens[last].text
            stems += tokens[last].stem
            yield CandidateSpan((whole,) if whole == stems else (whole, stems), token.start, tokens[last].end)


def _joins(gap: str) -> bool:
    return all(character in _JOINERS for character in gap)


class SpanMask:
    """The characters of a text that chosen spans cover."""

    def __init__(self, text: str, spans: Iterable[tuple[int, int]] = ()) -> None:
        self._covered = bytearray(len(text))
        for start, end in spans:
            self.cover(start, end)

    def cover(self, start: int, end: int) -> None:
        """Mark the characters of a span."""
        self._covered[start:end] = b"\1" * (end - start)

    def is_free(self, start: int, end: int) -> bool:
        """Whether no character of a span is covered."""
        return not any(self._covered[start:end])


def longest_match(text: str, spans: Iterable[CandidateSpan], read: Callable[[CandidateSpan], T | None]) -> list[T]:
    """The results of ``read`` for spans that do not overlap: the longest first, of equal length the leftmost first.

    A span for which ``read`` returns None covers nothing, so that shorter spans within it are read.
    """
    chosen: list[T] = []
    mask = SpanMask(text)
    for span in sorted(spans, key=lambda s: (s.start - s.end, s.start)):
        result = read(span) if mask.is_free(span.start, span.end) else None
        if result is not None:
            chosen.append(result)
            mask.cover(span.start, span.end)
    return chosen

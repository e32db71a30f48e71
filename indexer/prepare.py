"""Texts of records -> the words that go into the full-text tables, Han runs asked for ahead of time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from fileformat.fold import Variants, normalise, runs
from fileformat.words import han_bigrams, word_tokens
from indexer.segment import Segmenter

#: One text as Han runs (keys of a segmentation) and words that are ready, in order.
Pieces = Sequence[str]
Prepared = Mapping[str, Pieces]


def prepare(fields: Iterable[Mapping[str, str]], segmenter: Segmenter, variants: Variants) -> list[Prepared]:
    """Normalise and cut each record's fields; their Han runs are wanted from the segmenter on the way."""
    prepared: list[Prepared] = []
    for texts in fields:
        wanted: list[str] = []
        prepared.append({field: _pieces(text, variants, wanted) for field, text in texts.items()})
        segmenter.want(wanted)
    return prepared


def _pieces(text: str, variants: Variants, wanted: list[str]) -> list[str]:
    pieces: list[str] = []
    for is_han, run, _ in runs(normalise(text, variants)):
        if is_han:
            wanted.append(run)
            pieces.append(run)
        else:
            pieces.extend(word_tokens(run))
    return pieces


def word_rows(
    prepared: Iterable[Prepared], words: Mapping[str, str], extra: Mapping[str, Sequence[str]] | None = None
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of a word table: (rowid, {column: words joined by spaces}); ``extra`` columns hold terms ready-made."""
    for number, fields in enumerate(prepared, 1):
        row = {field: " ".join(words.get(piece, piece) for piece in pieces) for field, pieces in fields.items()}
        yield number, row | {field: texts[number - 1] for field, texts in (extra or {}).items()}


def bigram_rows(prepared: Iterable[Prepared], words: Mapping[str, str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of a bigram table: the pairs of every Han run of a record."""
    for number, fields in enumerate(prepared, 1):
        han = (piece for pieces in fields.values() for piece in pieces if piece in words)
        yield number, {"text": " ".join(map(_joined_bigrams, han))}


@cache
def _joined_bigrams(run: str) -> str:
    return " ".join(han_bigrams(run))

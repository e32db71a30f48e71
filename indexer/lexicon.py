"""The vocabulary for TRTC: the hint table, the bilingual lexicon, generic tags, stop words, character variants.

Why a lexicon: docs/decisions/trtc.md#lexicon.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

from indexer.data import VOCABULARY, load_vocabulary
from indexer.records import Concept
from indexer.yaml_text import load_strings
from query.analysis.normalize import keys

#: Lexicon field -> strength of its words.
_STRENGTH = {"zh": "name", "en": "name", "evokes": "evokes", "typos": "typo"}


class LexiconError(ValueError):
    """A vocabulary file does not have the documented form; the message names the file and the entry."""


@cache
def load_concepts() -> tuple[Concept, ...]:
    """The concepts of the hint table, then those of the files of ``vocabulary/lexicon/`` in name order.

    Raises:
        LexiconError: an entry of a file does not have the documented form.
    """
    hints = [
        Concept(row["phrase"], "hint", (("name", row["phrase"]),), tuple(row["tags"]))
        for row in load_vocabulary("trtc_hints.yaml")
    ]
    pages = sorted(VOCABULARY.joinpath("lexicon").iterdir(), key=lambda page: page.name)
    merged: dict[str, Concept] = {}
    for page in (page for page in pages if page.name.endswith(".yaml")):
        for row in _rows(page):
            concept = _concept(row, page)
            merged[concept.name] = _union(merged[concept.name], concept) if concept.name in merged else concept
    return (*hints, *merged.values())


def _concept(row: Mapping[str, Any], page: Traversable) -> Concept:
    unknown = row.keys() - {"concept", "tags", "context", "only", *_STRENGTH}
    if unknown or not row.get("concept"):
        wanted = "concept, tags, context, only, zh, en, evokes, typos"
        raise LexiconError(f"{page.name}: {row.get('concept') or row}: found {sorted(unknown)}; wanted {wanted}")
    words = tuple((strength, word) for field, strength in _STRENGTH.items() for word in row.get(field) or ())
    role = "case" if row.get("only") == "nim" else "context" if row.get("context") == "true" else "subject"
    return Concept(row["concept"], "lexicon", words, tuple(row.get("tags") or ()), role)


def _union(one: Concept, other: Concept) -> Concept:
    """One concept from two files, each of which may give a part of it."""
    words = tuple(dict.fromkeys((*one.words, *other.words)))
    return Concept(one.name, one.source, words, tuple(dict.fromkeys((*one.tags, *other.tags))), one.role)


def _rows(page: Traversable) -> Iterator[Mapping[str, Any]]:
    rows = load_strings(page.read_text("utf-8"))
    if not isinstance(rows, list):
        raise LexiconError(f"{page.name}: found {type(rows).__name__}; wanted a list")
    yield from rows


@cache
def load_generic_tags() -> frozenset[str]:
    """The keys of tags that name no capability by themselves (docs/decisions/trtc.md#generic-tags)."""
    return frozenset(_keys(load_vocabulary("generic_tags.yaml")))


@cache
def load_stop_words() -> frozenset[str]:
    """The keys of words that do not describe a subject."""
    return frozenset(_keys(word for words in load_vocabulary("stop_words.yaml").values() for word in words))


@cache
def load_product_words() -> tuple[tuple[str, str], ...]:
    """(key, product id) pairs of the names that people use for each product, sorted."""
    rows = load_vocabulary("product_words.yaml")
    return tuple(sorted({(key, row["product"]) for row in rows for key in _keys(row["words"])}))


def _keys(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        yield from keys(word, load_variants())


@cache
def load_variants() -> Mapping[int, str]:
    """Traditional and variant characters -> simplified, as a ``str.translate`` table."""
    lines = VOCABULARY.joinpath("traditional.tsv").read_text("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if not line.startswith("#"))
    return {ord(traditional): simplified for traditional, simplified in pairs}

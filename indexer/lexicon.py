"""The vocabulary for TRTC: the eight hint rows, the bilingual lexicon, traditional characters."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from indexer.reading.front_matter import load_strings
from indexer.records import Concept
from query.analysis.normalize import keys

_FOLDER = files("indexer").joinpath("data", "vocabulary")
#: Lexicon field -> strength of its words.
_STRENGTH = {"zh": "name", "en": "name", "evokes": "evokes", "typos": "typo"}


class LexiconError(ValueError):
    """A vocabulary file that is not of the documented form; names the file and the entry."""


@cache
def load_concepts() -> tuple[Concept, ...]:
    """The hint table first, then every file of ``vocabulary/lexicon/`` in name order."""
    hints = [
        Concept(row["phrase"], "hint", (("name", row["phrase"]),), tuple(row["tags"]))
        for row in _rows(_FOLDER.joinpath("trtc_hints.yaml"))
    ]
    pages = sorted(_FOLDER.joinpath("lexicon").iterdir(), key=lambda page: page.name)
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
    """Two files may each say their part of one concept."""
    words = tuple(dict.fromkeys((*one.words, *other.words)))
    return Concept(one.name, one.source, words, tuple(dict.fromkeys((*one.tags, *other.tags))), one.role)


def _rows(page: Traversable) -> Iterator[Mapping[str, Any]]:
    rows = load_strings(page.read_text("utf-8"))
    if not isinstance(rows, list):
        raise LexiconError(f"{page.name}: wanted a list")
    yield from rows


@cache
def load_generic_tags() -> frozenset[str]:
    """The keys of tags that name no capability of their own (decision 17)."""
    return frozenset(_keys(tag for tag in _strings("generic_tags.yaml")))


@cache
def load_stop_words() -> frozenset[str]:
    """The keys of words that carry no subject."""
    words = load_strings(_FOLDER.joinpath("stop_words.yaml").read_text("utf-8"))
    assert isinstance(words, dict)  # noqa: S101  # our own data file
    return frozenset(_keys(word for listed in words.values() for word in listed))


@cache
def load_product_words() -> tuple[tuple[str, str], ...]:
    """(key, product id) pairs: what people call each product."""
    rows = _rows(_FOLDER.joinpath("product_words.yaml"))
    return tuple(sorted({(key, row["product"]) for row in rows for key in _keys(row["words"])}))


def _keys(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        yield from keys(word, load_variants())


def _strings(name: str) -> list[str]:
    listed = load_strings(_FOLDER.joinpath(name).read_text("utf-8"))
    return [str(item) for item in listed] if isinstance(listed, list) else []


@cache
def load_variants() -> Mapping[int, str]:
    """Traditional and variant characters -> simplified, as a ``str.translate`` table."""
    lines = _FOLDER.joinpath("traditional.tsv").read_text("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if not line.startswith("#"))
    return {ord(traditional): simplified for traditional, simplified in pairs}

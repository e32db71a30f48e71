"""Rows of the dictionary, of the concept tables and of the slice postings.

A base contributes its tags and synonyms; the vocabulary files contribute concepts, product names, stop words and the
syllables of characters. Input methods offer characters of the same syllable, so a mistyped Chinese word usually sounds
like the right one: concept names are stored under their syllables, without tones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from indexer import lexicon
from indexer.compile.concepts import (
    concept_keys,
    concept_tags,
    concepts_named,
    product_names,
    slice_postings,
    with_aliases,
)
from indexer.compile.rows import Row, Rows, dictionary_row
from indexer.records import Alias, Concept
from query.analysis.normalize import LONGEST_NAME, SHORTEST_NAME, is_han, keys, syllables_of
from query.analysis.tokens import concept_character


def dictionary_rows(slices: Sequence[Mapping[str, str]], tags: Iterable[str], aliases: Sequence[Alias] = ()) -> Rows:
    """The rows that translate words of a query into concepts, tags and products of one TRTC base.

    Args:
        slices: the fields of each slice, in the order of their numbers.
        tags: every tag of the base, from the index or from a page.
        aliases: the synonyms that the base itself defines.
    """
    variants = lexicon.load_variants()
    generic = lexicon.load_generic_tags()
    tag_keys = {key: key in generic for tag in tags for key in keys(tag, variants)[:1]}
    concepts = with_aliases(lexicon.load_concepts(), aliases, tag_keys, variants)
    words = concept_keys(concepts, variants, lexicon.load_stop_words()) if aliases else _lexicon_keys()
    trtc_words = [row for row in words if concepts[row["concept"] - 1].role != "case"]
    products = sorted({*lexicon.load_product_words(), *product_names(aliases, variants)})
    common, sounds = sound_rows(trtc_words)
    leads = concept_tags(concepts, words, tag_keys, variants)
    return {
        "concept": [{"id": n, "name": c.name, "source": c.source, "role": c.role} for n, c in enumerate(concepts, 1)],
        "dictionary": [
            *(_concept_entry(row, concepts[row["concept"] - 1]) for row in words),
            *(dictionary_row(key, "tag", key) for key in sorted(tag_keys)),
            *(dictionary_row(key, "product", product) for key, product in products),
            *(dictionary_row(key, "stop word") for key in sorted(lexicon.load_stop_words())),
            *(dictionary_row(key, "common word") for key in common),
        ],
        **sounds,
        "concept_tag": leads,
        "slice_posting": slice_postings(trtc_words, slices, {row["concept"] for row in leads}, variants),
    }


def _concept_entry(row: Row, concept: Concept) -> Row:
    """The entry of one key of a concept, with its spelling where ``--explain`` may print it and the key differs."""
    is_name = row["strength"] == "name"
    is_printed = is_name and concept.role != "case" and row["word"] != row["key"]
    strength = None if is_name else row["strength"]
    return dictionary_row(row["key"], "concept", row["concept"], strength, word=row["word"] if is_printed else None)


@cache
def _lexicon_keys() -> list[Row]:
    """The keys of the lexicon's own concepts: needed for slices and for NIM units, computed once per process."""
    return concept_keys(lexicon.load_concepts(), lexicon.load_variants(), lexicon.load_stop_words())


def nim_concepts(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The numbers of the concepts that each text names."""
    return concepts_named(_lexicon_keys(), texts, lexicon.load_variants())


def concept_set_rows(named: Iterable[Sequence[int]]) -> list[Row]:
    """Rows of ``nim_concept``: the concepts of each unit as one character each."""
    return [{"unit": n, "concepts": "".join(map(concept_character, concepts))} for n, concepts in enumerate(named, 1)]


@cache
def load_sounds() -> Mapping[str, str]:
    """Syllable -> the characters with that reading. Each character has one syllable only."""
    return dict(_pairs("sounds.tsv"))


@cache
def load_common_words() -> frozenset[str]:
    """Everyday words of two characters: a user who types one has not mistyped another word."""
    return frozenset(first + second for first, seconds in _pairs("common_words.tsv") for second in seconds)


def _pairs(name: str) -> Iterator[list[str]]:
    lines = files("indexer").joinpath("data", "vocabulary", name).read_text("utf-8").splitlines()
    return (line.split("\t") for line in lines if not line.startswith("#"))


def sound_rows(words: Iterable[Row]) -> tuple[list[str], Rows]:
    """The everyday words that sound like a concept name, and the rows of ``han_sound`` and ``concept_sound``."""
    sound_of = {character: syllable for syllable, characters in load_sounds().items() for character in characters}
    named = sorted(
        (syllables_of(row["key"], sound_of), row["key"], row["concept"])
        for row in words
        if row["strength"] == "name" and _can_be_mistyped(row["key"])
    )
    sounds = {syllables for syllables, _, _ in named}
    names = {key for _, key, _ in named}
    common = [w for w in sorted(load_common_words() - names) if syllables_of(w, sound_of) in sounds]
    return common, {
        "han_sound": [{"sound": syllable, "characters": every} for syllable, every in sorted(load_sounds().items())],
        "concept_sound": [{"sound": syllables, "key": key, "concept": concept} for syllables, key, concept in named],
    }


def _can_be_mistyped(key: str) -> bool:
    return SHORTEST_NAME <= len(key) <= LONGEST_NAME and all(map(is_han, key))

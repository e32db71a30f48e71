"""The rows of every table that tells of concepts: what they are called, where they lead, who names them.

How words sound: the tables by which a question's mistyped Chinese finds the name that was meant.

Input methods offer characters of the same syllables, so a mistyped word sounds like the right one. Tones are left
out, and each character has one sound only: the same on both sides, so another reading cannot tear a pair apart.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from indexer import lexicon
from indexer.compile import concepts as compiled
from indexer.compile.concepts import product_words, with_aliases
from indexer.compile.rows import Row, Rows
from indexer.records import Alias
from query.analysis.normalize import LONGEST, SHORTEST, Variants, is_han, keys, syllables_of
from query.analysis.tokens import concept_character


def bridge_rows(slices: Sequence[Mapping[str, str]], tags: Iterable[str], aliases: Sequence[Alias] = ()) -> Rows:
    """The rows of the vocabulary tables, compiled against these slices and tags, with the base's own synonyms."""
    variants = lexicon.load_variants()
    tag_keys = _tag_keys(tags, variants)
    concepts = with_aliases(lexicon.load_concepts(), aliases, tag_keys, variants)
    words = compiled.concept_words(concepts, variants, lexicon.load_stop_words()) if aliases else _concept_words()
    products = sorted({*lexicon.load_product_words(), *product_words(aliases, variants)})
    spoken = [row for row in words if concepts[row["concept"] - 1].role != "case"]
    return {
        "concept": [{"id": n, "name": c.name, "source": c.source, "role": c.role} for n, c in enumerate(concepts, 1)],
        "concept_word": [row | {"word": _spelling(row, concepts[row["concept"] - 1])} for row in words],
        **sound_rows(spoken),
        "concept_tag": compiled.concept_tags(concepts, words, tag_keys, variants),
        "product_word": [{"key": key, "product_id": product} for key, product in products],
        "stop_word": [{"key": key} for key in sorted(lexicon.load_stop_words())],
        "concept_field": compiled.concept_fields(spoken, slices, variants),
    }


def _tag_keys(tags: Iterable[str], variants: Variants) -> dict[str, bool]:
    """The key of every tag, and whether it is generic."""
    generic = lexicon.load_generic_tags()
    return {key: key in generic for tag in tags for key in keys(tag, variants)[:1]}


def _spelling(row: Row, concept: compiled.Concept) -> str | None:
    """A word as the data file writes it, where ``--explain`` may show it and its key tells less."""
    return row["word"] if row["strength"] == "name" and concept.role != "case" and row["word"] != row["key"] else None


def nim_concepts(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The concepts that each text names."""
    return compiled.concepts_named(_concept_words(), texts, lexicon.load_variants())


def concept_set_rows(named: Iterable[Sequence[int]]) -> list[Row]:
    """Rows of ``nim_concept``: each unit's concepts as one character each."""
    return [{"unit": n, "concepts": "".join(map(concept_character, concepts))} for n, concepts in enumerate(named, 1)]


@cache
def _concept_words() -> list[Row]:
    """The keys of every concept; both halves of a build need them."""
    return compiled.concept_words(lexicon.load_concepts(), lexicon.load_variants(), lexicon.load_stop_words())


@cache
def load_sounds() -> Mapping[str, str]:
    """Syllable -> the characters that are read so."""
    return dict(_pairs("sounds.tsv"))


@cache
def load_common_words() -> frozenset[str]:
    """Words of two characters in everyday use: whoever types one has not mistyped another."""
    return frozenset(first + second for first, seconds in _pairs("common_words.tsv") for second in seconds)


def _pairs(name: str) -> Iterator[list[str]]:
    lines = files("indexer").joinpath("data", "vocabulary", name).read_text("utf-8").splitlines()
    return (line.split("\t") for line in lines if not line.startswith("#"))


def sound_rows(concept_words: Iterable[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Rows of ``han_sound``, ``concept_sound`` and ``common_word``: what sounds like a Chinese name of a concept."""
    sound_of = {character: syllable for syllable, characters in load_sounds().items() for character in characters}

    spoken = sorted(
        (syllables_of(row["key"], sound_of), row["key"], row["concept"])
        for row in concept_words
        if row["strength"] == "name" and _may_be_mistyped(row["key"])
    )
    sounds = {syllables for syllables, _, _ in spoken}
    names = {key for _, key, _ in spoken}
    return {
        "han_sound": [{"sound": syllable, "characters": every} for syllable, every in sorted(load_sounds().items())],
        "concept_sound": [{"sound": syllables, "key": key, "concept": concept} for syllables, key, concept in spoken],
        "common_word": [{"key": w} for w in sorted(load_common_words() - names) if syllables_of(w, sound_of) in sounds],
    }


def _may_be_mistyped(key: str) -> bool:
    return SHORTEST <= len(key) <= LONGEST and all(map(is_han, key))

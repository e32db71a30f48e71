"""How words sound: the tables by which a question's mistyped Chinese finds the name that was meant.

Input methods offer characters of the same syllables, so a mistyped word sounds like the right one. Tones are left
out, and each character has one sound only: the same on both sides, so another reading cannot tear a pair apart.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from fileformat.fold import is_han
from fileformat.sounds import LONGEST, SHORTEST, sound


@cache
def load_sounds() -> Mapping[str, str]:
    """Syllable -> the characters that are read so."""
    return dict(_pairs("sounds.tsv"))


@cache
def load_common_words() -> frozenset[str]:
    """Words of two characters in everyday use: whoever types one has not mistyped another."""
    return frozenset(first + second for first, seconds in _pairs("common_words.tsv") for second in seconds)


def _pairs(name: str) -> Iterator[list[str]]:
    lines = files("indexer").joinpath("vocabulary", name).read_text("utf-8").splitlines()
    return (line.split("\t") for line in lines if not line.startswith("#"))


def sound_rows(concept_words: Iterable[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Rows of ``han_sound``, ``concept_sound`` and ``common_word``: what sounds like a Chinese name of a concept."""
    sound_of = {character: syllable for syllable, characters in load_sounds().items() for character in characters}

    spoken = sorted(
        (sound(row["key"], sound_of), row["key"], row["concept"])
        for row in concept_words
        if row["strength"] == "name" and _may_be_mistyped(row["key"])
    )
    sounds = {syllables for syllables, _, _ in spoken}
    names = {key for _, key, _ in spoken}
    return {
        "han_sound": [{"sound": syllable, "characters": every} for syllable, every in sorted(load_sounds().items())],
        "concept_sound": [{"sound": syllables, "key": key, "concept": concept} for syllables, key, concept in spoken],
        "common_word": [{"key": w} for w in sorted(load_common_words() - names) if sound(w, sound_of) in sounds],
    }


def _may_be_mistyped(key: str) -> bool:
    return SHORTEST <= len(key) <= LONGEST and all(map(is_han, key))

"""A mistyped word -> the name that was meant: Chinese that sounds alike, English one slip of the finger away.

Only words that nothing in the index knows are respelt, and only where one meaning fits; a wrong guess would answer
a question that nobody asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from query.analysis.normalize import LONGEST, SHORTEST, syllables_of
from query.analysis.spans import CandidateSpan, candidate_spans, longest_match, read_tokens
from query.index import Index, SignalSource, as_json

#: Shorter English words have too many neighbours: sharp is no misspelt share.
SHORTEST_WORD = 6

_CHARACTERS = "SELECT sound, characters FROM han_sound"
_SOUND_ALIKE = """
SELECT sound, key, concept FROM concept_sound WHERE sound IN (SELECT value FROM json_each(?)) ORDER BY sound, key
"""
_COMMON = "SELECT key FROM common_word WHERE key IN (SELECT value FROM json_each(?))"
_SPELT_ALIKE = """
SELECT key, concept FROM concept_word JOIN concept ON concept.id = concept_word.concept
WHERE key >= ? AND key < ? AND strength = 'name' AND abs(length(key) - ?) <= 1 AND role <> 'case'
ORDER BY key
"""


class Correction(NamedTuple):
    """A stretch of a text that was mistyped, and the name that was meant."""

    start: int
    end: int
    said: str
    meant: str


def correct_spelling(index: Index, text: str, free: Iterable[tuple[int, int]]) -> list[Correction]:
    """What was meant by the stretches of a normalised text that nothing knows, in order; the longest names win."""
    if SignalSource.SPELLING in index.disabled_signals:
        return []
    every = [
        CandidateSpan(surface.keys, start + surface.start, start + surface.end)
        for start, end in free
        for surface in candidate_spans(read_tokens(text[start:end]), text[start:end])
    ]
    runs = [s for s in every if SHORTEST <= len(s.keys[0]) <= LONGEST and not s.keys[0].isascii()]
    words = [s for s in every if s.keys[0].isascii() and s.keys[0].isalpha() and len(s.keys[0]) >= SHORTEST_WORD]
    meant = {**_by_sound(index, {s.keys[0] for s in runs}), **_by_spelling(index, {s.keys[0] for s in words})}

    def read(surface: CandidateSpan) -> Correction | None:
        name = meant.get(surface.keys[0])
        if name is None or name in surface.keys:
            return None
        return Correction(surface.start, surface.end, text[surface.start : surface.end], name)

    return sorted(longest_match(text, [*runs, *words], read))


def apply_corrections(text: str, found: Sequence[Correction]) -> str:
    """The text as it was meant."""
    for piece in reversed(found):
        text = text[: piece.start] + piece.meant + text[piece.end :]
    return text


def _by_sound(index: Index, runs: set[str]) -> dict[str, str]:
    if not runs:
        return {}
    runs = runs - {key for (key,) in index.rows(_COMMON, (as_json(sorted(runs)),))}
    wanted = set().union(*runs)
    sound_of = {c: syllable for syllable, every in index.rows(_CHARACTERS) for c in wanted.intersection(every)}
    sounds = {run: syllables_of(run, sound_of) for run in runs}
    names: dict[str, dict[str, set[int]]] = {}
    for syllables, key, concept in index.rows(_SOUND_ALIKE, (as_json(sorted(set(sounds.values()))),)):
        names.setdefault(syllables, {}).setdefault(key, set()).add(concept)
    return _of_one_meaning({run: names.get(syllables, {}) for run, syllables in sounds.items()})


def _by_spelling(index: Index, words: set[str]) -> dict[str, str]:
    found: dict[str, dict[str, set[int]]] = {}
    for word in words:
        near = found.setdefault(word, {})
        for key, concept in index.rows(_SPELT_ALIKE, (word[0], chr(ord(word[0]) + 1), len(word))):
            if is_one_slip(word, key):
                near.setdefault(key, set()).add(concept)
    return _of_one_meaning(found)


def _of_one_meaning(found: Mapping[str, Mapping[str, set[int]]]) -> dict[str, str]:
    """The first name of each, where all its names share a concept."""
    return {said: next(iter(names)) for said, names in found.items() if names and set.intersection(*names.values())}


def is_one_slip(one: str, other: str) -> bool:
    """Whether two words differ by one letter too many or too few, or by two neighbours swapped.

    A letter in place of another makes too many real words of each other: sitting is no misspelt setting.
    """
    if one == other:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    left, right = one[start:], other[start:]
    if left[1:] == right or left == right[1:]:
        return True
    return left[:2] == right[:2][::-1] and left[2:] == right[2:]

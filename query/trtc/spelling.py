"""Correction of mistyped words: Chinese names that sound like the query, Latin names that are one slip away.

Only text that the file does not contain is corrected, and only if all candidates mean the same: a wrong correction
would answer another question than the user's. Of 150 slice names with one character replaced by another of the same
syllable, 112 find their slice first with this correction, and 42 without it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from query.analysis.normalize import LONGEST_NAME, SHORTEST_NAME, syllables_of
from query.analysis.spans import CandidateSpan, candidate_spans, longest_match, read_tokens
from query.dictionary import Kind, look_up
from query.index import Index, SignalSource, as_json

#: Shorter Latin words have too many neighbors: sharp is not a misspelled share.
SHORTEST_WORD = 6

_SYLLABLES = "SELECT sound, characters FROM han_sound"
_SAME_SOUND = """
SELECT sound, key, concept FROM concept_sound WHERE sound IN (SELECT value FROM json_each(?)) ORDER BY sound, key
"""
_SAME_FIRST_LETTER = """
SELECT key, ref FROM dictionary JOIN concept ON concept.id = ref
WHERE key >= ? AND key < ? AND kind = 'concept' AND strength IS NULL AND abs(length(key) - ?) <= 1 AND role <> 'case'
ORDER BY key
"""


class Correction(NamedTuple):
    """A mistyped piece of the query, and the name that replaces it."""

    start: int
    end: int
    typed: str
    name: str


def correct_spelling(index: Index, text: str, unknown: Iterable[tuple[int, int]]) -> list[Correction]:
    """The corrections of a normalized text, in order, the longest names first; ``unknown`` are (start, end) offsets."""
    if SignalSource.SPELLING in index.disabled_signals:
        return []
    spans = [
        CandidateSpan(span.keys, start + span.start, start + span.end)
        for start, end in unknown
        for span in candidate_spans(read_tokens(text[start:end]), text[start:end])
    ]
    han = [s for s in spans if SHORTEST_NAME <= len(s.keys[0]) <= LONGEST_NAME and not s.keys[0].isascii()]
    latin = [s for s in spans if s.keys[0].isascii() and s.keys[0].isalpha() and len(s.keys[0]) >= SHORTEST_WORD]
    names = {**_same_sound(index, {s.keys[0] for s in han}), **_one_slip_away(index, {s.keys[0] for s in latin})}

    def read(span: CandidateSpan) -> Correction | None:
        name = names.get(span.keys[0])
        if name is None or name in span.keys:
            return None
        return Correction(span.start, span.end, text[span.start : span.end], name)

    return sorted(longest_match(text, [*han, *latin], read))


def apply_corrections(text: str, corrections: Sequence[Correction]) -> str:
    """The text with each mistyped piece replaced."""
    for correction in reversed(corrections):
        text = text[: correction.start] + correction.name + text[correction.end :]
    return text


def _same_sound(index: Index, runs: set[str]) -> dict[str, str]:
    """Han run -> the name with the same syllables; an everyday word is no misspelling."""
    if not runs:
        return {}
    runs = runs - look_up(index, runs, [Kind.COMMON_WORD])[Kind.COMMON_WORD].keys()
    wanted = set().union(*runs)
    sound_of = {c: syllable for syllable, every in index.rows(_SYLLABLES) for c in wanted.intersection(every)}
    sounds = {run: syllables_of(run, sound_of) for run in runs}
    names: dict[str, dict[str, set[int]]] = {}
    for sound, key, concept in index.rows(_SAME_SOUND, (as_json(sorted(set(sounds.values()))),)):
        names.setdefault(sound, {}).setdefault(key, set()).add(concept)
    return _unambiguous({run: names.get(sound, {}) for run, sound in sounds.items()})


def _one_slip_away(index: Index, words: set[str]) -> dict[str, str]:
    """Latin word -> the name that differs from it by one slip; the first letter is taken to be right."""
    names: dict[str, dict[str, set[int]]] = {}
    for word in words:
        near = names.setdefault(word, {})
        for key, concept in index.rows(_SAME_FIRST_LETTER, (word[0], chr(ord(word[0]) + 1), len(word))):
            if is_one_slip(word, key):
                near.setdefault(key, set()).add(concept)
    return _unambiguous(names)


def _unambiguous(candidates: Mapping[str, Mapping[str, set[int]]]) -> dict[str, str]:
    """The first name of each word, where all its candidates share a concept."""
    return {
        word: next(iter(names)) for word, names in candidates.items() if names and set.intersection(*names.values())
    }


def is_one_slip(word: str, name: str) -> bool:
    """Whether two words differ by one letter too many or too few, or by two neighboring letters swapped.

    One letter in place of another does not count: it turns too many words into others (sitting, setting).
    """
    if word == name:
        return False
    shorter = min(len(word), len(name))
    start = next((i for i in range(shorter) if word[i] != name[i]), shorter)
    left, right = word[start:], name[start:]
    if left[1:] == right or left == right[1:]:
        return True
    return left[:2] == right[:2][::-1] and left[2:] == right[2:]

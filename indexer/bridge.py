"""The specification's hints and the bilingual lexicon, compiled against one index (decision 24).

What comes out is rows: concepts, the keys they are spoken of under, the tags they lead to here, and how often
their words stand in each field of each slice.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fileformat.fold import Variants, keys, normalise, stem
from fileformat.surfaces import adjoining

#: Where one key belongs to several strengths of one concept, the strongest counts.
STRENGTHS = ("name", "typo", "evokes")


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of the vocabulary: ``words`` are (strength, word) pairs, ``tags`` all spellings it may have.

    ``role`` is ``context`` where it names a platform, a framework or a kind of document: no subject by itself.
    """

    name: str
    source: str
    words: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    role: str = "subject"


def concept_words(concepts: Sequence[Concept], variants: Variants) -> list[dict[str, object]]:
    """Rows of ``concept_word``: every key of every word, each once per concept at its greatest strength."""
    rows: dict[tuple[str, int], dict[str, object]] = {}
    for number, concept in enumerate(concepts, 1):
        for strength, word in sorted(concept.words, key=lambda pair: STRENGTHS.index(pair[0])):
            for key in keys(word, variants):
                row = {"key": key, "concept": number, "strength": strength, "word": word}
                rows.setdefault((key, number), row)
    return [rows[place] for place in sorted(rows)]


def concept_tags(
    concepts: Sequence[Concept], words: Iterable[Mapping[str, object]], tag_keys: set[str], variants: Variants
) -> list[dict[str, object]]:
    """Rows of ``concept_tag``: the tags of each concept that this index has.

    A tag that names another concept is broader: 扣费 leads to the tag gift, but whoever says it has not said gift.
    """
    own = [set(keys(concept.name, variants)) for concept in concepts]
    for row in words:
        if row["strength"] == "name":
            own[int(str(row["concept"])) - 1].add(str(row["key"]))
    named = Counter(key for names in own for key in names)
    rows: dict[tuple[int, str], dict[str, object]] = {}
    for number, concept in enumerate(concepts, 1):
        mine = own[number - 1]
        for key in (key for tag in concept.tags for key in keys(tag, variants)[:1]):
            if key in tag_keys:
                broader = concept.source == "lexicon" and key not in mine and named[key] > 0
                rows[number, key] = {"concept": number, "key": key, "broader": int(broader)}
    return [rows[place] for place in sorted(rows)]


def concept_fields(
    words: Iterable[Mapping[str, object]], slices: Sequence[Mapping[str, str]], variants: Variants
) -> list[dict[str, object]]:
    """Rows of ``concept_field``: occurrences of each concept's names in each field, the longest word winning."""
    known = _known(words)
    rows: dict[tuple[int, int, str], int] = {}
    for number, fields in enumerate(slices, 1):
        for field, text in fields.items():
            counts = _counts(text, known, variants)
            rows.update({(concept, number, field): hits for concept, hits in counts.items()})
    return [{"concept": c, "slice": n, "field": field, "hits": rows[c, n, field]} for c, n, field in sorted(rows)]


def concept_terms(words: Iterable[Mapping[str, object]], texts: Iterable[str], variants: Variants) -> list[str]:
    """For each text, the concepts that it names, as terms of a full-text column: ``c12 c77``."""
    known = _known(words)
    return [" ".join(f"c{concept}" for concept in sorted(_counts(text, known, variants))) for text in texts]


def _counts(text: str, known: "_Known", variants: Variants) -> Counter[int]:
    counts: Counter[int] = Counter()
    for group in adjoining(normalise(text, variants)):
        counts.update(_concepts_in(group, known))
    return counts


@dataclass(frozen=True, slots=True)
class _Known:
    """Keys -> concepts, and for each first atom how many atoms the longest key that begins with it has."""

    concepts: Mapping[str, tuple[int, ...]]
    longest: Mapping[str, int]


def _known(words: Iterable[Mapping[str, object]]) -> _Known:
    concepts: dict[str, tuple[int, ...]] = {}
    longest: dict[str, int] = {}
    for row in words:
        if row["strength"] == "name":
            concept = int(str(row["concept"]))
            concepts[str(row["key"])] = (*concepts.get(str(row["key"]), ()), concept)
            for group in adjoining(normalise(str(row["word"]), {})):
                for first in {group[0], stem(group[0])}:
                    longest[first] = max(longest.get(first, 0), len(group))
    return _Known(concepts, longest)


def _concepts_in(group: Sequence[str], known: _Known) -> Iterator[int]:
    """The concepts of a group of adjoining atoms, leftmost first, the longest word at each place."""
    place = 0
    while place < len(group):
        first = group[place]
        longest = known.longest.get(first, 0) or known.longest.get(stem(first), 0)
        for length in range(min(longest, len(group) - place), 0, -1):
            piece = group[place : place + length]
            found = known.concepts.get("".join(piece)) or known.concepts.get("".join(map(stem, piece)))
            if found:
                yield from found
                place += length
                break
        else:
            place += 1

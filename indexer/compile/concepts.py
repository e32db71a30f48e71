"""The specification's hints and the bilingual lexicon, compiled against one index (decision 24).

What comes out is rows: concepts, the keys they are spoken of under, the tags they lead to here, and how often
their words stand in each field of each slice.

The synonyms that a TRTC base brings along, joined to the vocabulary (decision 24).
"""

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from indexer.records import Alias
from query.analysis.normalize import Variants, keys, normalize, stem
from query.analysis.spans import token_groups

#: Where one key belongs to several strengths of one concept, the strongest counts.
STRENGTHS = ("name", "typo", "evokes")


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of the vocabulary: ``words`` are (strength, word) pairs, ``tags`` all spellings it may have.

    ``role`` is ``context`` where it names a platform, a framework or a kind of document: no subject by itself;
    ``case`` where it only helps to find NIM cases.
    """

    name: str
    source: str
    words: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    role: str = "subject"


def concept_words(
    concepts: Sequence[Concept], variants: Variants, stop_words: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Rows of ``concept_word``: every key of every word, each once per concept at its greatest strength.

    A stem that is a stop word is no key (``using`` is no form of a name), nor is a single character.
    """
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for number, concept in enumerate(concepts, 1):
        for strength, word in sorted(concept.words, key=lambda pair: STRENGTHS.index(pair[0])):
            whole, *stems = keys(word, variants) or ("",)
            for key in (whole, *(key for key in stems if key not in stop_words)):
                if len(key) < 2:
                    continue
                row = {"key": key, "concept": number, "strength": strength, "word": word}
                rows.setdefault((key, number), row)
    return [rows[place] for place in sorted(rows)]


def concept_tags(
    concepts: Sequence[Concept],
    words: Iterable[Mapping[str, Any]],
    tag_keys: Mapping[str, bool],
    variants: Variants,
) -> list[dict[str, Any]]:
    """Rows of ``concept_tag``: the tags of each concept that this index has; ``tag_keys`` say which are generic.

    A tag that names another concept is broader (扣费 leads to gift, but whoever says it has not said gift), and so
    is a generic one that is not the concept's own name (好友列表 is no list, decision 17).
    """
    own = [set(keys(concept.name, variants)) for concept in concepts]
    for row in words:
        if row["strength"] == "name":
            own[row["concept"] - 1].add(row["key"])
    named = Counter(key for names in own for key in names)
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for number, concept in enumerate(concepts, 1):
        mine = own[number - 1]
        for key in (key for tag in concept.tags for key in keys(tag, variants)[:1]):
            if key in tag_keys:
                broader = concept.source == "lexicon" and key not in mine and (named[key] > 0 or tag_keys[key])
                rows[number, key] = {"concept": number, "key": key, "broader": int(broader)}
    return [rows[place] for place in sorted(rows)]


def concept_fields(
    words: Iterable[Mapping[str, Any]], slices: Sequence[Mapping[str, str]], variants: Variants
) -> list[dict[str, Any]]:
    """Rows of ``concept_field``: occurrences of each concept's names in each field, the longest word winning."""
    known = _known(words)
    rows: dict[tuple[int, int, str], int] = {}
    for number, fields in enumerate(slices, 1):
        for field, text in fields.items():
            counts = _counts(text, known, variants)
            rows.update({(concept, number, field): hits for concept, hits in counts.items()})
    return [{"concept": c, "slice": n, "field": field, "hits": rows[c, n, field]} for c, n, field in sorted(rows)]


def concepts_named(
    words: Iterable[Mapping[str, Any]], texts: Iterable[str], variants: Variants
) -> list[tuple[int, ...]]:
    """For each text, the concepts that it names, ascending."""
    known = _known(words)
    return [tuple(sorted(_counts(text, known, variants))) for text in texts]


def _counts(text: str, known: "_Known", variants: Variants) -> Counter[int]:
    counts: Counter[int] = Counter()
    for group in token_groups(normalize(text, variants)):
        counts.update(_concepts_in(group, known))
    return counts


@dataclass(frozen=True, slots=True)
class _Known:
    """Keys -> concepts, and for each first atom how many atoms the words that begin with it have, longest first."""

    concepts: Mapping[str, tuple[int, ...]]
    lengths: Mapping[str, Sequence[int]]


def _known(words: Iterable[Mapping[str, Any]]) -> _Known:
    concepts: dict[str, tuple[int, ...]] = {}
    lengths: dict[str, set[int]] = {}
    for row in words:
        if row["strength"] == "name":
            concepts[row["key"]] = (*concepts.get(row["key"], ()), row["concept"])
            for group in token_groups(normalize(row["word"], {})):
                for first in {group[0], stem(group[0])}:
                    lengths.setdefault(first, set()).add(len(group))
    return _Known(concepts, {first: sorted(found, reverse=True) for first, found in lengths.items()})


def _concepts_in(group: Sequence[str], known: _Known) -> Iterator[int]:
    """The concepts of a group of adjoining atoms, leftmost first, the longest word at each place."""
    place = 0
    while place < len(group):
        length, found = _longest_at(group, place, known)
        yield from found
        place += length


def _longest_at(group: Sequence[str], place: int, known: _Known) -> tuple[int, tuple[int, ...]]:
    """How many atoms the longest known word at a place has, and its concepts; else one atom and none.

    Only a piece with a word in it has another stem: one of Han characters is as long as it has atoms.
    """
    first = group[place]
    lengths = known.lengths.get(first) or (known.lengths.get(stem(first), ()) if first.isascii() else ())
    for length in lengths:
        piece = group[place : place + length]
        whole = "".join(piece)
        found = known.concepts.get(whole) or (
            known.concepts.get("".join(map(stem, piece))) if len(whole) > length else None
        )
        if found and len(piece) == length:
            return length, found
    return 1, ()


def with_aliases(
    concepts: Sequence[Concept], aliases: Iterable[Alias], tag_keys: Container[str], variants: Variants
) -> tuple[Concept, ...]:
    """The concepts with the words of each group that does not name a product; they keep their numbers.

    A group joins the concepts that its term names. One whose term no concept has is a concept of its own, at the
    end, if any of its names is a tag: one without would tell that the base has nothing on the subject.
    """
    joined = list(concepts)
    for alias in (alias for alias in aliases if not _names_product(alias, variants)):
        own = set(keys(alias.term, variants)[:1])
        places = [n for n, concept in enumerate(concepts) if concept.role != "case" and own & _names(concept, variants)]
        for place in places:
            joined[place] = replace(joined[place], words=tuple(dict.fromkeys((*joined[place].words, *alias.words))))
        names = (alias.term, *(word for strength, word in alias.words if strength == "name"))
        if not places and any(key in tag_keys for name in names for key in keys(name, variants)[:1]):
            joined.append(Concept(alias.term, "lexicon", (("name", alias.term), *alias.words), names))
    return tuple(joined)


def product_words(aliases: Iterable[Alias], variants: Variants) -> list[tuple[str, str]]:
    """(key, product id) of the groups whose term is a product; a word that only suggests one does not name it."""
    return [
        (key, alias.product)
        for alias in aliases
        if _names_product(alias, variants)
        for strength, word in alias.words
        if strength == "name"
        for key in keys(word, variants)
    ]


def _names_product(alias: Alias, variants: Variants) -> bool:
    return bool(alias.product) and keys(alias.term, variants)[:1] == keys(alias.product, variants)[:1]


def _names(concept: Concept, variants: Variants) -> set[str]:
    words = (concept.name, *(word for strength, word in concept.words if strength == "name"))
    return {key for word in words for key in keys(word, variants)[:1]}

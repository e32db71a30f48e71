"""Concepts of the hint table and the bilingual lexicon, compiled against one base.

The results are rows: the lookup keys of each concept, the tags of this base that express it, and how often its names
occur in each field of each slice. Why a lexicon: docs/decisions/trtc.md#lexicon.
"""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from indexer.records import Alias, Concept
from query.analysis.normalize import Variants, keys, normalize, stem
from query.analysis.spans import token_groups

#: An identifier of source code: camel case, an underscore or a dot between letters.
_IDENTIFIER = re.compile(r"[A-Za-z0-9_.]*(?:[a-z0-9][A-Z]|[A-Za-z]_[A-Za-z]|[A-Za-z]\.[A-Za-z])[A-Za-z0-9_.]*")
#: If one key has several strengths for one concept, the first of these counts.
STRENGTHS = ("name", "typo", "evokes")


def concept_keys(
    concepts: Sequence[Concept], variants: Variants, stop_words: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Every lookup key of every word: rows of key, concept (its number), strength and word, sorted.

    Each key occurs once per concept, with its greatest strength. A stem that is a stop word is no key (``using`` is
    not a form of a name), nor is a single character.
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
    """Rows of ``concept_tag``: the tags of this base that express each concept.

    ``tag_keys`` maps the key of each tag to whether it is generic. A tag that names another concept is broader
    (扣费 is about gifts, but a query with 扣费 does not name the gift feature), and so is a generic tag that is not
    the concept's own name (好友列表 is not just any list; docs/decisions/trtc.md#generic-tags).
    """
    names = [set(keys(concept.name, variants)) for concept in concepts]
    for row in words:
        if row["strength"] == "name":
            names[row["concept"] - 1].add(row["key"])
    named = Counter(key for keys_of_one in names for key in keys_of_one)
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for number, concept in enumerate(concepts, 1):
        for key in (key for tag in concept.tags for key in keys(tag, variants)[:1]):
            if key in tag_keys:
                broader = (
                    concept.source == "lexicon" and key not in names[number - 1] and (named[key] > 0 or tag_keys[key])
                )
                rows[number, key] = {"concept": number, "key": key, "broader": int(broader)}
    return [rows[place] for place in sorted(rows)]


def slice_postings(
    words: Iterable[Mapping[str, Any]],
    slices: Sequence[Mapping[str, str]],
    tagged: Collection[int],
    variants: Variants,
) -> list[dict[str, Any]]:
    """Rows of ``slice_posting``: how often each concept's names occur in each field (longest name first)."""
    known = _known(words)
    rows: dict[tuple[int, int, str], int] = {}
    for number, fields in enumerate(slices, 1):
        for field, text in fields.items():
            counts = _counts(text, known, variants)
            plain = _counts(_IDENTIFIER.sub(" ", text), known, variants) if counts.keys() - tagged else counts
            counts = Counter({c: hits for c, n in counts.items() if (hits := n if c in tagged else plain[c])})
            rows.update({(concept, number, field): hits for concept, hits in counts.items()})
    return [{"concept": c, "slice": n, "field": field, "hits": rows[c, n, field]} for c, n, field in sorted(rows)]


def concepts_named(
    words: Iterable[Mapping[str, Any]], texts: Iterable[str], variants: Variants
) -> list[tuple[int, ...]]:
    """The numbers of the concepts that each text names, ascending."""
    known = _known(words)
    return [tuple(sorted(_counts(text, known, variants))) for text in texts]


def _counts(text: str, known: "_Known", variants: Variants) -> Counter[int]:
    counts: Counter[int] = Counter()
    for group in token_groups(normalize(text, variants)):
        counts.update(_concepts_in(group, known))
    return counts


@dataclass(frozen=True, slots=True)
class _Known:
    """Key -> concepts, and first token -> the lengths, in tokens, of the names that begin with it, longest first."""

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
    """The concepts named in a group of adjoining tokens, from the left, with the longest name at each position."""
    position = 0
    while position < len(group):
        length, found = _longest_at(group, position, known)
        yield from found
        position += length


def _longest_at(group: Sequence[str], position: int, known: _Known) -> tuple[int, tuple[int, ...]]:
    """The length in tokens of the longest name at a position, and its concepts; one token and none if there is none.

    Only a piece with a Latin word has a stem of its own: a piece of Han characters is as long as its tokens.
    """
    first = group[position]
    lengths = known.lengths.get(first) or (known.lengths.get(stem(first), ()) if first.isascii() else ())
    for length in lengths:
        piece = group[position : position + length]
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
    """The concepts with the synonyms of the base added; their numbers stay as they are.

    A group of synonyms is added to the concepts that its term names. If there is none, the group becomes a concept of
    its own, at the end, provided that one of its names is a tag: a concept without a tag would mean that the base has
    nothing on the subject. Groups that name a product are left to ``product_names``.
    """
    joined = list(concepts)
    for alias in (alias for alias in aliases if not _names_product(alias, variants)):
        term = set(keys(alias.term, variants)[:1])
        named = [n for n, concept in enumerate(concepts) if concept.role != "case" and term & _names(concept, variants)]
        for n in named:
            joined[n] = replace(joined[n], words=tuple(dict.fromkeys((*joined[n].words, *alias.words))))
        names = (alias.term, *(word for strength, word in alias.words if strength == "name"))
        if not named and any(key in tag_keys for name in names for key in keys(name, variants)[:1]):
            joined.append(Concept(alias.term, "lexicon", (("name", alias.term), *alias.words), names))
    return tuple(joined)


def product_names(aliases: Iterable[Alias], variants: Variants) -> list[tuple[str, str]]:
    """(key, product id) of each strong word of the groups whose term is a product."""
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

"""What each slice says of each span of the question: field by field, and weighed."""

import math
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from operator import mul
from typing import NamedTuple

from query.index import FIELD_SIGNALS, Index, as_json
from query.trtc.parse import ParsedQuery
from query.trtc.terms import QueryTerm, TermKind

_CONCEPT_FIELDS = """
SELECT concept, slice, field, hits FROM concept_field WHERE concept IN (SELECT value FROM json_each(?))
"""
_OCCURRENCES = "SELECT doc, col, count(*) FROM slice_occurrence WHERE term = ? GROUP BY doc, col"
_TAG_HITS = """
SELECT key, slice, origin, generic, tag FROM slice_tag
WHERE key IN (SELECT value FROM json_each(?)) ORDER BY slice, position
"""
_CONCEPT_TAGS = "SELECT concept, key, broader FROM concept_tag WHERE concept IN (SELECT value FROM json_each(?))"
_SLICE_COUNT = "SELECT count(*) FROM slice"

#: What a hit in each field is worth. Name and tags say what a slice is; its body only what it mentions.
FIELD_WEIGHT = {
    "tags": 5.0,
    "name": 4.0,
    "description": 3.0,
    "headings": 1.6,
    "troubleshooting": 1.2,
    "apis": 2.0,
    "body": 1.0,
}
#: Fields in which a word counts as covered; a mere mention in the body does not make it the subject.
STRONG_FIELDS = frozenset({"tags", "name", "description", "headings", "troubleshooting", "apis"})
_STRENGTH = {"name": 1.0, "typo": 0.9, "evokes": 0.7}
#: A role or a verb that only generic tags carry (观众, join) says less than a capability does.
_GENERIC_WEIGHT = 0.7
#: What a span carries that no tag or name of a concept stands for: a lone character, a plain word.
_LONE_CHARACTER, _PLAIN_WORD = 0.3, 0.5
#: What a word carries that nothing here knows: an unknown Han run is mostly a subject, an English word seldom.
_UNKNOWN_HAN, _UNKNOWN_WORD = 2.0, 0.3
#: How far a span is covered by a slice that only mentions it.
_MENTIONED = 0.25
#: What a generic tag, and one that is only evoked, count for beside a specific one that is named.
_GENERIC_TAG, _EVOKED_TAG = 0.4, 0.6
_FIELD_SATURATION = 1.0
_SPAN_SATURATION = 6.0


class TagHit(NamedTuple):
    """One tag of one slice that a span leads to; ``named``: by its name, not by a word that only suggests it."""

    span: int
    slice: int
    tag: str
    key: str
    origin: str
    generic: bool
    named: bool


class FieldMatches:
    """For each content span of a question, what every slice says of it.

    ``fields[i][slice]`` is {field: hits} of span i; ``tag_hits`` every tag that any span leads to.
    """

    def __init__(
        self,
        spans: tuple[QueryTerm, ...],
        fields: tuple[Mapping[int, Mapping[str, float]], ...],
        tag_hits: tuple[TagHit, ...],
        slice_count: int,
    ) -> None:
        self.spans = spans
        self.fields = fields
        self.tag_hits = tag_hits
        self.slice_count = slice_count

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """How much each span carries: rare words more than common ones, weak bridges and generic tags less."""
        generic = {hit.span for hit in self.tag_hits} - {hit.span for hit in self.tag_hits if not hit.generic}
        plain = (self._weight(span, found) for span, found in zip(self.spans, self.fields, strict=True))
        return tuple(w * (_GENERIC_WEIGHT if i in generic else 1.0) for i, w in enumerate(plain))

    def _weight(self, span: QueryTerm, found: Mapping[int, Mapping[str, float]]) -> float:
        known_in = sum(1 for fields in found.values() if STRONG_FIELDS & fields.keys())
        rarity = math.log(1 + self.slice_count / (known_in + 0.5))
        if span.kind is TermKind.UNKNOWN:
            return _LONE_CHARACTER if len(span.text) == 1 else _UNKNOWN_WORD if span.text.isascii() else _UNKNOWN_HAN
        return rarity * max(
            (_STRENGTH[c.strength] for c in span.concepts), default=_PLAIN_WORD if not span.tag_keys else 1.0
        )

    def span_score(self, position: int, slice_number: int) -> float:
        """How much one slice says of one span, times what the span carries.

        Saturates twice, as BM25 does: in the count within a field, and over fields, so that two words of a
        question that a slice speaks of count for more than one that it is full of.
        """
        fields = self.fields[position].get(slice_number, {})
        said = sum(FIELD_WEIGHT[name] * hits / (hits + _FIELD_SATURATION) for name, hits in fields.items())
        return self.weights[position] * said / (said + _SPAN_SATURATION)

    def score(self, slice_number: int) -> float:
        """The evidence for one slice, summed over the question."""
        return sum(self.span_score(position, slice_number) for position in range(len(self.spans)))

    def coverage(self, *slices: int) -> float:
        """The share of the question's weight that slices cover between them, 0 to 1; a body mention is a third."""
        total = sum(self.weights)
        if not total or not slices:
            return 0.0
        covered = (max(self._covered(i, number) for number in slices) for i in range(len(self.spans)))
        return float(sum(map(mul, self.weights, covered))) / total

    def _covered(self, position: int, slice_number: int) -> float:
        fields = self.fields[position].get(slice_number)
        if not fields:
            return 0.0
        return 1.0 if STRONG_FIELDS & fields.keys() else _MENTIONED

    def missing(self, slice_number: int) -> tuple[int, ...]:
        """Positions of the spans of which a slice says nothing, or only mentions them."""
        return tuple(i for i in range(len(self.spans)) if self._covered(i, slice_number) < 1.0)

    def slices(self) -> set[int]:
        """Every slice that says anything of any span."""
        return {number for found in self.fields for number in found}

    def off_topic_share(self, slice_number: int) -> float:
        """The share of the query, 0 to 1, that names features which no tag has and this slice hardly mentions."""
        total = sum(self.weights)
        open_weight = sum(self.weights[i] for i in self.unsupported_features if self._covered(i, slice_number) < 1.0)
        return open_weight / total if total else 0.0

    @cached_property
    def unsupported_features(self) -> tuple[int, ...]:
        """Positions of spans that name a feature which no tag of this index carries."""
        led = {hit.span for hit in self.tag_hits}
        return tuple(
            position
            for position, span in enumerate(self.spans)
            if position not in led and any(c.is_named and c.role == "subject" for c in span.concepts)
        )


def collect_matches(index: Index, question: ParsedQuery) -> FieldMatches:
    """Ask the index about every content span, with a handful of statements."""
    spans = question.content
    concepts = sorted({c.concept for span in spans for c in span.concepts})
    by_concept: dict[int, dict[int, dict[str, float]]] = {}
    for concept, number, field, hits in index.rows(_CONCEPT_FIELDS, (as_json(concepts),)):
        by_concept.setdefault(concept, {}).setdefault(number, {})[field] = hits
    fields = []
    for span in spans:
        found = _term_fields(index, span.terms)
        for concept in span.concepts:
            _merge(found, by_concept.get(concept.concept, {}))
        fields.append(_without(found, index.disabled_signals & FIELD_SIGNALS) if index.disabled_signals else found)
    tag_hits = tuple(_in_name(hit, spans[hit.span], fields[hit.span]) for hit in _tag_hits(index, spans))
    for hit in tag_hits:
        _merge(fields[hit.span], {hit.slice: {"tags": _tag_strength(hit)}})
    ((slice_count,),) = index.rows(_SLICE_COUNT)
    return FieldMatches(spans, tuple(fields), tag_hits, slice_count)


def _without(found: Mapping[int, Mapping[str, float]], left_out: frozenset[str]) -> dict[int, dict[str, float]]:
    """What is left of the evidence without some fields."""
    kept = {number: {f: hits for f, hits in fields.items() if f not in left_out} for number, fields in found.items()}
    return {number: fields for number, fields in kept.items() if fields}


def _in_name(hit: TagHit, span: QueryTerm, found: Mapping[int, Mapping[str, float]]) -> TagHit:
    """A generic tag counts as named where the slice's own name says the span: 直播列表, but not 好友列表."""
    said = any(c.is_named for c in span.concepts) and "name" in found.get(hit.slice, {})
    return hit._replace(named=True) if hit.generic and said else hit


def _term_fields(index: Index, terms: Sequence[str]) -> dict[int, dict[str, float]]:
    """Fields in which all the words of a span stand, with the rarest one's count."""
    merged: dict[int, dict[str, float]] | None = None
    for term in dict.fromkeys(terms):
        found: dict[int, dict[str, float]] = {}
        for number, field, hits in index.rows(_OCCURRENCES, (term,)):
            found.setdefault(number, {})[field] = hits
        if merged is None:
            merged = found
        else:
            merged = {
                number: common
                for number, fields in merged.items()
                if (common := {f: min(n, found[number][f]) for f, n in fields.items() if f in found.get(number, {})})
            }
    return merged or {}


def _tag_strength(hit: TagHit) -> float:
    """A tag as a count of hits: a specific one that is named is worth one, others less."""
    return (_GENERIC_TAG if hit.generic else 1.0) * (1.0 if hit.named else _EVOKED_TAG)


def _merge(into: dict[int, dict[str, float]], more: Mapping[int, Mapping[str, float]]) -> None:
    for number, fields in more.items():
        mine = into.setdefault(number, {})
        for field, hits in fields.items():
            mine[field] = max(mine.get(field, 0), hits)


def _tag_hits(index: Index, spans: Sequence[QueryTerm]) -> tuple[TagHit, ...]:
    leads = _leads(index, spans)
    rows = index.rows(_TAG_HITS, (as_json(sorted(leads)),))
    return tuple(
        TagHit(
            position,
            number,
            tag,
            key,
            origin,
            bool(generic),
            bool(said) and not (generic and said is MatchStrength.WITHIN),
        )
        for key, number, origin, generic, tag in rows
        for position, said in sorted(leads[key].items())
    )


def _leading_inner(span: QueryTerm) -> Sequence[QueryTerm]:
    """Words within a span lead to tags only where the span itself names something that tags carry."""
    if span.text.isascii():  # an English phrase is more than its words: picture in picture
        return ()
    return span.inner if span.tag_keys or any(c.is_named and c.led for c in span.concepts) else ()


class MatchStrength(IntEnum):
    """How a span says a tag: only suggests it, names it by a word within it, or names it."""

    HINTED = 0
    WITHIN = 1
    NAMED = 2


def _leads(index: Index, spans: Sequence[QueryTerm]) -> dict[str, dict[int, MatchStrength]]:
    """Tag key -> {position of a span that leads to it: how}. A word within names no generic tag: 名单 in 黑名单."""
    every = [(position, span, MatchStrength.NAMED) for position, span in enumerate(spans)]
    every += [
        (position, part, MatchStrength.WITHIN) for position, span in enumerate(spans) for part in _leading_inner(span)
    ]
    concepts = sorted({c.concept for _, part, _ in every for c in part.concepts})
    keys_of: dict[int, list[tuple[str, bool]]] = {}
    for concept, key, broader in index.rows(_CONCEPT_TAGS, (as_json(concepts),)):
        keys_of.setdefault(concept, []).append((key, not broader))
    leads: dict[str, dict[int, MatchStrength]] = {}
    for position, part, how in every:
        led = [(key, how) for key in part.tag_keys]
        for c in part.concepts:
            led += [
                (key, how if own and c.is_named else MatchStrength.HINTED) for key, own in keys_of.get(c.concept, ())
            ]
        for key, said in led:
            places = leads.setdefault(key, {})
            places[position] = max(places.get(position, MatchStrength.HINTED), said)
    return leads

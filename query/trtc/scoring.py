"""Field matches of a query: which fields of which slices each query term matches, and the scores made of them.

The file answers with two statements: occurrences by field, and tags. Weights and saturation follow BM25 (Robertson and
Zaragoza, "The Probabilistic Relevance Framework", 2009): rare terms weigh more, and repetition adds less and less.
"""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import mul
from typing import NamedTuple, TypeAlias

from query.dictionary import Entry
from query.index import FIELD_SIGNALS, Index, as_json
from query.trtc.terms import QueryTerm, TermKind

#: Occurrences of each term by slice and field: of a concept's names, and of the term's words. All words of a term must
#: occur in the field; the rarest one counts. Where both are found, the greater number counts.
_OCCURRENCES = """
WITH concept (term, concept) AS (
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)
), word (term, word, words) AS (
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)
), word_hit (term, word, words, slice, field, hits) AS (
  SELECT word.term, word, words, doc, col, count(*)
  FROM word JOIN slice_occurrence ON slice_occurrence.term = word GROUP BY word.term, word, doc, col
)
SELECT term, slice, field, max(hits) FROM (
  SELECT term, slice, field, hits FROM concept JOIN slice_posting USING (concept)
  UNION ALL
  SELECT term, slice, field, min(hits) FROM word_hit GROUP BY term, slice, field HAVING count(*) = words
) WHERE field NOT IN (SELECT value FROM json_each(?)) GROUP BY term, slice, field
"""
#: Tags of slices that each term leads to, directly or by its concepts, with the greatest strength (see _STRENGTHS).
_TAGS = """
WITH reference (term, strength, concept, key) AS (
  SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
    json_extract(value, '$[3]') FROM json_each(?)
), lead (term, strength, key) AS (
  SELECT term, strength, key FROM reference WHERE key IS NOT NULL
  UNION ALL
  SELECT term, CASE broader WHEN 0 THEN strength ELSE 0 END, concept_tag.key
  FROM reference JOIN concept_tag USING (concept)
)
SELECT term, slice, tag, key, origin, generic, max(strength)
FROM lead JOIN slice_tag USING (key) GROUP BY term, slice, key ORDER BY slice, position, term
"""
_SLICE_COUNT = "SELECT count(*) FROM slice"
#: How a term leads to a tag: it only suggests it, it names it by a nested name, or it names it.
_SUGGESTED, _NESTED, _NAMED = 0, 1, 2

#: Weight of a match by field. Name and tags state what a slice is about; its body only what it mentions.
FIELD_WEIGHT = {
    "tags": 5.0,
    "name": 4.0,
    "description": 3.0,
    "apis": 2.0,
    "headings": 1.6,
    "troubleshooting": 1.0,
    "body": 1.0,
}
#: Weight of the troubleshooting sections for a query that describes a symptom.
_SYMPTOM_WEIGHT = 2.0
#: A match in any other field covers a term; a mention in the body does not make the term the subject of the slice.
BODY = "body"
_COVERED_BY_BODY = 0.25
#: A word that only suggests a concept or a tag weighs less than a name.
_SUGGESTION_WEIGHT = 0.7
#: A generic tag (list, join) weighs less than the name of a feature, as a term and as a match.
_GENERIC_TERM_WEIGHT, _GENERIC_TAG_HITS = 0.7, 0.4
#: Weight of a plain word of the pages, and of text that the file does not contain: a run of Han characters is mostly
#: the subject of the query, a Latin word seldom is, a single character never.
_PLAIN_WORD, _UNKNOWN_HAN, _UNKNOWN_WORD, _UNKNOWN_CHARACTER = 0.5, 2.0, 0.3, 0.3
_HITS_SATURATION = 1.0
_FIELDS_SATURATION = 6.0

#: Slice number -> field -> hits.
Matches: TypeAlias = dict[int, dict[str, float]]


class TagHit(NamedTuple):
    """One tag of one slice that a query term leads to; ``named``: the term names the tag, and does not only suggest it.

    ``term`` is the position of the query term; ``origin`` is ``index`` or ``page``.
    """

    term: int
    slice: int
    tag: str
    key: str
    origin: str
    generic: bool
    named: bool


class FieldMatches:
    """The matches of every content term of a query in every slice.

    ``matches[i][slice]`` maps the fields that term i matches to its hits; ``tag_hits`` are the tags that terms lead to.
    """

    def __init__(
        self,
        terms: Sequence[QueryTerm],
        matches: Sequence[Mapping[int, Mapping[str, float]]],
        tag_hits: Sequence[TagHit],
        slice_count: int,
        is_symptom: bool = False,
    ) -> None:
        self.terms = terms
        self.matches = matches
        self.tag_hits = tag_hits
        self.slice_count = slice_count
        self.field_weight = FIELD_WEIGHT | ({"troubleshooting": _SYMPTOM_WEIGHT} if is_symptom else {})

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """The weight of each term: rare terms more than common ones, suggestions and generic tags less than names."""
        tagged = {hit.term for hit in self.tag_hits}
        generic = tagged - {hit.term for hit in self.tag_hits if not hit.generic}
        weights = map(self._weight, self.terms, self.matches)
        return tuple(w * (_GENERIC_TERM_WEIGHT if i in generic else 1.0) for i, w in enumerate(weights))

    def _weight(self, term: QueryTerm, matches: Mapping[int, Mapping[str, float]]) -> float:
        if term.kind is TermKind.UNKNOWN:
            if len(term.text) == 1:
                return _UNKNOWN_CHARACTER
            return _UNKNOWN_WORD if term.text.isascii() else _UNKNOWN_HAN
        slices = sum(1 for fields in matches.values() if fields.keys() - {BODY})
        rarity = math.log(1 + self.slice_count / (slices + 0.5))
        if term.kind is TermKind.IDENTIFIER or term.names_concept or (term.tag_keys and not term.concepts):
            return rarity
        return rarity * (_SUGGESTION_WEIGHT if term.concepts else _PLAIN_WORD)

    def term_score(self, term: int, slice_number: int) -> float:
        """The score of one slice for one term.

        It saturates twice: in the hits within a field, and over the fields, so that a slice that matches two terms of
        the query scores more than one with many matches of a single term.
        """
        fields = self.matches[term].get(slice_number, {})
        score = sum(self.field_weight[field] * hits / (hits + _HITS_SATURATION) for field, hits in fields.items())
        return self.weights[term] * score / (score + _FIELDS_SATURATION)

    def score(self, slice_number: int) -> float:
        """The score of one slice, summed over the terms."""
        return sum(self.term_score(term, slice_number) for term in range(len(self.terms)))

    def coverage(self, *slices: int) -> float:
        """The share of the query's weight, 0 to 1, that slices cover together; a match in a body covers a quarter."""
        total = sum(self.weights)
        if not total or not slices:
            return 0.0
        covered = (max(self._covered(term, number) for number in slices) for term in range(len(self.terms)))
        return float(sum(map(mul, self.weights, covered))) / total

    def _covered(self, term: int, slice_number: int) -> float:
        fields = self.matches[term].get(slice_number)
        if not fields:
            return 0.0
        is_exact = self.terms[term].kind is TermKind.IDENTIFIER
        return 1.0 if is_exact or fields.keys() - {BODY} else _COVERED_BY_BODY

    def uncovered_terms(self, *slices: int) -> tuple[int, ...]:
        """Positions of the terms that none of the slices matches outside its body."""
        return tuple(
            term for term in range(len(self.terms)) if all(self._covered(term, number) < 1.0 for number in slices)
        )

    def cover_query(self, *slices: int) -> bool:
        """Whether the slices match every term of more than one character outside their bodies."""
        return all(len(self.terms[term].text) == 1 for term in self.uncovered_terms(*slices))

    def slices(self) -> set[int]:
        """Every slice that matches any term."""
        return {number for matches in self.matches for number in matches}

    def off_topic_share(self, slice_number: int) -> float:
        """The share of the query's weight, 0 to 1, of unsupported features that the slice does not cover either."""
        total = sum(self.weights)
        uncovered = sum(self.weights[i] for i in self.unsupported_features if self._covered(i, slice_number) < 1.0)
        return uncovered / total if total else 0.0

    @cached_property
    def unsupported_features(self) -> tuple[int, ...]:
        """Positions of the terms that name a feature for which no slice of this base has a tag."""
        tagged = {hit.term for hit in self.tag_hits}
        return tuple(
            position
            for position, term in enumerate(self.terms)
            if position not in tagged and any(c.is_named and c.role == "subject" for c in term.concepts)
        )


def collect_matches(index: Index, terms: Sequence[QueryTerm], is_symptom: bool = False) -> FieldMatches:
    """Look up the matches of terms; ``is_symptom``: the query describes a problem, not a feature."""
    concepts = [(i, concept.ref) for i, term in enumerate(terms) for concept in term.concepts]
    words = [(i, word, len(set(term.words))) for i, term in enumerate(terms) for word in dict.fromkeys(term.words)]
    matches: list[Matches] = [{} for _ in terms]
    disabled = as_json(sorted(index.disabled_signals & FIELD_SIGNALS))
    for i, number, field, hits in index.rows(_OCCURRENCES, (as_json(concepts), as_json(words), disabled)):
        matches[i].setdefault(number, {})[field] = hits
    tag_hits = tuple(_tag_hits(index, terms, matches))
    for hit in tag_hits:
        fields = matches[hit.term].setdefault(hit.slice, {})
        hits = (_GENERIC_TAG_HITS if hit.generic else 1.0) * (1.0 if hit.named else _SUGGESTION_WEIGHT)
        fields["tags"] = max(fields.get("tags", 0.0), hits)
    ((slice_count,),) = index.rows(_SLICE_COUNT)
    return FieldMatches(terms, matches, tag_hits, slice_count, is_symptom)


def _tag_hits(index: Index, terms: Sequence[QueryTerm], matches: Sequence[Matches]) -> list[TagHit]:
    """The tags that each term leads to.

    A nested name does not name a generic tag (名单 in 黑名单). A generic tag is named where the slice's own name
    contains the term (直播列表, but not 好友列表).
    """
    references = as_json([reference for i, term in enumerate(terms) for reference in _references(i, term)])
    hits = []
    for i, number, tag, key, origin, generic, strength in index.rows(_TAGS, (references,)):
        named = strength == _NAMED or (strength == _NESTED and not generic)
        if generic and terms[i].names_concept and "name" in matches[i].get(number, {}):
            named = True
        hits.append(TagHit(i, number, tag, key, origin, bool(generic), named))
    return hits


def _references(position: int, term: QueryTerm) -> list[tuple[int, int, int | str | None, str | None]]:
    """(term, strength, concept, tag key) of a term and of the names nested in it; one of the last two is None.

    Nested names lead to tags only where the term itself leads to some: an English phrase means more than its words
    (picture in picture), and so does a name for which this base has no tag.
    """
    references = _leads(position, term, _NAMED)
    if term.names_feature and not term.text.isascii():
        references += [reference for nested in term.nested for reference in _leads(position, nested, _NESTED)]
    return references


def _leads(position: int, term: QueryTerm, strength: int) -> list[tuple[int, int, int | str | None, str | None]]:
    def of_concept(concept: Entry) -> int:
        return strength if concept.is_named else _SUGGESTED

    return [
        *((position, strength, None, key) for key in term.tag_keys),
        *((position, of_concept(concept), concept.ref, None) for concept in term.concepts),
    ]

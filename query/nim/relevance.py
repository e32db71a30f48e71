"""Full-text and concept evidence for the nearest cases. None of it makes a match.

BM25 over words and concepts; pairs of Han characters, which find text across word borders; and shared concepts.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from query.analysis.normalize import han_bigrams
from query.analysis.spans import CandidateSpan, longest_match
from query.analysis.tokens import concept_character, concept_term
from query.dictionary import Kind
from query.index import Index, as_json, phrase
from query.nim.request_text import AnalyzedText, term_counts

#: The concepts that one span of a text names: alternatives that count once.
Concepts: TypeAlias = tuple[int, ...]

#: The number of best units that BM25, and the pairs, give.
MAX_CANDIDATES = 100
#: Columns of nim_words: title, tags, description, root_cause, solution, details, place, concepts.
COLUMN_WEIGHTS = (3.0, 2.5, 3.0, 1.2, 1.2, 0.7, 0.7, 3.0)
# Only the rarest terms and pairs are searched: common ones take time and separate no unit from another.
_MAX_TERMS = 28
_MAX_PAIRS = 16

_BM25 = f"""
SELECT rowid, -bm25(nim_words, {", ".join(map(str, COLUMN_WEIGHTS))}) AS score
FROM nim_words WHERE nim_words MATCH ? ORDER BY score DESC, rowid LIMIT {MAX_CANDIDATES}
"""  # noqa: S608  # constants of this file
_PAIR_COUNTS = """
SELECT term, count(*) FROM nim_bigram_occurrence WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term
"""
_UNITS_OF_PAIRS = "SELECT doc, term FROM nim_bigram_occurrence WHERE term IN (SELECT value FROM json_each(?))"
_CONCEPTS_OF_UNITS = "SELECT unit, concepts FROM nim_concept WHERE unit IN (SELECT value FROM json_each(?))"


def text_relevance(index: Index, text: AnalyzedText) -> dict[int, tuple[float, float, float]]:
    """Unit -> its scores by words, by pairs and by concepts, each from 0 to 1, for units that words or pairs find."""
    concepts = find_concepts(text)
    concept_counts = term_counts(index, {concept_term(number) for numbers in concepts for number in numbers})
    word_counts = {word: text.counts[word] for word in text.words if word in text.counts}
    words, pairs = bm25_scores(index, word_counts | concept_counts), bigram_scores(index, text)
    units = sorted({*words, *pairs})
    overlap = concept_overlap(index, concepts, concept_counts, units)
    return {unit: (words.get(unit, 0.0), pairs.get(unit, 0.0), overlap.get(unit, 0.0)) for unit in units}


def find_concepts(text: AnalyzedText) -> list[Concepts]:
    """The concepts that a text names, once per span; the longest span is chosen first."""
    entries = text.entries[Kind.CONCEPT]

    def concepts(span: CandidateSpan) -> Concepts | None:
        return tuple(dict.fromkeys(int(entry.ref) for key in span.keys for entry in entries.get(key, ()))) or None

    return longest_match(text.text, text.spans, concepts)


def bm25_scores(index: Index, counts: Mapping[str, int]) -> dict[int, float]:
    """The best units by BM25 over the rarest of some terms, scaled to 1. ``counts``: term -> number of units."""
    rarest = sorted(counts, key=lambda term: (counts[term], term))[:_MAX_TERMS]
    return _scaled(dict(index.rows(_BM25, (" OR ".join(map(phrase, rarest)),)))) if rarest else {}


def bigram_scores(index: Index, text: AnalyzedText) -> dict[int, float]:
    """The best units by the rarest pairs of the text, each weighted by its rarity, scaled to 1."""
    pairs = sorted({pair for run in text.han_runs for pair in han_bigrams(run)})
    counts: dict[str, int] = dict(index.rows(_PAIR_COUNTS, (as_json(pairs),)))
    rarest = sorted(counts, key=lambda pair: (counts[pair], pair))[:_MAX_PAIRS]
    weights = {pair: math.log(1 + index.nim_units / counts[pair]) for pair in rarest}
    scores: dict[int, float] = {}
    for unit, pair in index.rows(_UNITS_OF_PAIRS, (as_json(rarest),)):
        scores[unit] = scores.get(unit, 0.0) + weights[pair]
    best = sorted(scores, key=lambda unit: (-scores[unit], unit))[:MAX_CANDIDATES]
    return _scaled({unit: scores[unit] for unit in best})


def _scaled(scores: Mapping[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {unit: score / best for unit, score in scores.items()} if best > 0 else {}


def concept_overlap(
    index: Index, concepts: Sequence[Concepts], counts: Mapping[str, int], units: Iterable[int]
) -> dict[int, float]:
    """The share, from 0 to 1, of a text's concepts that each unit names too; rare concepts weigh more.

    ``counts``: the term of a concept -> its number of units.
    """
    weighted = [
        (frozenset(map(concept_character, one)), math.log(1 + index.nim_units / (min(numbers) + 0.5)))
        for one in concepts
        if (numbers := [counts[term] for term in map(concept_term, one) if term in counts])
    ]
    total = sum(weight for _, weight in weighted)
    if not total:
        return {}
    return {
        unit: sum(weight for characters, weight in weighted if not characters.isdisjoint(named)) / total
        for unit, named in index.rows(_CONCEPTS_OF_UNITS, (as_json(units),))
    }

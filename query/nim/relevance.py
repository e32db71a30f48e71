"""Two tiers of full text over NIM units: BM25 over words and concepts, and pairs of Han characters.

The bigram tier finds what word borders hide (cases.md B11). Neither makes a match.

What a text means beside its words: the concepts that it speaks of, and which units name them too.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from query.analysis.normalize import chunks, han_bigrams, word_tokens
from query.analysis.spans import candidate_spans, longest_match, read_tokens
from query.analysis.tokens import concept_character, concept_term
from query.index import Index, as_json, phrase

#: So many candidates of each tier are ranked.
CANDIDATES = 100
#: Columns of nim_words: title, tags, description, root_cause, solution, details, place, concepts.
COLUMN_WEIGHTS = (3.0, 2.5, 3.0, 1.2, 1.2, 0.7, 0.7, 3.0)
#: The rarest words and concepts decide; common ones cost time and tell nothing.
_MOST_TERMS = 28
_RAREST_PAIRS = 16

_WORDS = f"""
SELECT rowid, -bm25(nim_words, {", ".join(map(str, COLUMN_WEIGHTS))}) AS score
FROM nim_words WHERE nim_words MATCH ? ORDER BY score DESC, rowid LIMIT {CANDIDATES}
"""  # noqa: S608  # constants of this file
_VOCABULARY = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_PAIR_COUNTS = """
SELECT term, count(*) FROM nim_bigram_occurrence WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term
"""
_PAIRS = "SELECT doc, term FROM nim_bigram_occurrence WHERE term IN (SELECT value FROM json_each(?))"


def bm25_scores(index: Index, said: str, concepts: Iterable[str]) -> dict[int, float]:
    """The best units by BM25 over the rarest words of a text and the concepts it speaks of, 0 to 1."""
    found = index.rows(_VOCABULARY, (as_json(dict.fromkeys([*_terms(said), *concepts])),))
    rarest = [term for term, _ in sorted(found, key=lambda row: (row[1], row[0]))[:_MOST_TERMS]]
    return _scaled(dict(index.rows(_WORDS, (" OR ".join(map(phrase, rarest)),)))) if rarest else {}


def _terms(said: str) -> Iterable[str]:
    """Whatever may be a word of the index: all pieces of the Han runs, and the other words whole and in parts."""
    wanted: dict[str, None] = {}
    for chunk in chunks(said):
        if chunk.is_han:
            run = chunk.text
            spans = ((i, j) for i in range(len(run)) for j in range(i + 2, min(len(run), i + 8) + 1))
            wanted.update(dict.fromkeys(run[i:j] for i, j in spans))
        else:
            wanted.update(dict.fromkeys(word_tokens(said[chunk.start : chunk.end])))
    return wanted


def bigram_scores(index: Index, said: str) -> dict[int, float]:
    """The best units by the rarest pairs of the text that they have, each weighed by its rarity, 0 to 1."""
    pairs = sorted({pair for chunk in chunks(said) if chunk.is_han for pair in han_bigrams(chunk.text)})
    counts: dict[str, int] = dict(index.rows(_PAIR_COUNTS, (as_json(pairs),)))
    rarest = sorted(counts, key=lambda pair: (counts[pair], pair))[:_RAREST_PAIRS]
    scores: dict[int, float] = {}
    for unit, pair in index.rows(_PAIRS, (as_json(rarest),)):
        scores[unit] = scores.get(unit, 0.0) + math.log(1 + index.nim_units / counts[pair])
    best = sorted(scores, key=lambda unit: (-scores[unit], unit))[:CANDIDATES]
    return _scaled({unit: scores[unit] for unit in best})


def _scaled(scores: Mapping[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {unit: score / best for unit, score in scores.items()} if best > 0 else {}


#: The concepts of one stretch of a text: different names of one meaning, which counts once.
Meaning: TypeAlias = tuple[int, ...]

_CONCEPTS = """
SELECT word.key, word.ref FROM dictionary AS word JOIN concept ON concept.id = word.ref
WHERE word.kind = 'concept' AND word.key IN (SELECT value FROM json_each(?))
  AND concept.source NOT IN (SELECT value FROM json_each(?))
ORDER BY word.key, word.ref
"""
_NAMED_BY = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_SETS = "SELECT unit, concepts FROM nim_concept WHERE unit IN (SELECT value FROM json_each(?))"


def find_concepts(index: Index, said: str) -> list[Meaning]:
    """The meanings of a normalised text, the longest word winning."""
    found = list(candidate_spans(read_tokens(said), said))
    asked = as_json(sorted({key for s in found for key in s.keys}))
    known = index.lists(_CONCEPTS, (asked, as_json(sorted(index.disabled_signals))))
    return longest_match(
        said, found, lambda s: tuple(dict.fromkeys(c for k in s.keys for c in known.get(k, ()))) or None
    )


def concept_overlap(index: Index, meanings: Sequence[Meaning], units: Iterable[int]) -> dict[int, float]:
    """The share, 0 to 1, of a text's meanings that each unit names too; a rare meaning carries more."""
    named_by: dict[str, int] = dict(
        index.rows(_NAMED_BY, (as_json([concept_term(c) for meaning in meanings for c in meaning]),))
    )
    weighed = [
        (frozenset(map(concept_character, meaning)), math.log(1 + index.nim_units / (min(counts) + 0.5)))
        for meaning in meanings
        if (counts := [named_by[term] for c in meaning if (term := concept_term(c)) in named_by])
    ]
    total = sum(weight for _, weight in weighed)
    if not total:
        return {}
    return {
        unit: sum(weight for marks, weight in weighed if not marks.isdisjoint(concepts)) / total
        for unit, concepts in index.rows(_SETS, (as_json(sorted(units)),))
    }

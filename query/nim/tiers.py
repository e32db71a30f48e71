"""Two tiers of full text over NIM units: BM25 over words and concepts, and pairs of Han characters.

The bigram tier finds what word borders hide (cases.md B11). Neither makes a match.
"""

import math
from collections.abc import Iterable, Mapping

from fileformat.fold import chunks
from fileformat.words import han_bigrams, word_tokens
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


def word_tier(index: Index, said: str, concepts: Iterable[str]) -> dict[int, float]:
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


def pair_tier(index: Index, said: str) -> dict[int, float]:
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

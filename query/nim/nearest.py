"""What comes nearest without qualifying (decision 18): full text in two tiers, concepts, fields, similarity.

The word tier is BM25 over segmented words and the concepts that the lexicon finds in question and case alike; the
bigram tier counts pairs of Han characters, which finds what word borders hide. Neither makes a match.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import mul

from fileformat.fold import chunks, normalise
from fileformat.surfaces import atoms, longest, surfaces
from fileformat.words import han_bigrams, word_tokens
from query.index import Index, as_json, phrase
from query.nim.contract import Request
from query.nim.jaccard import similarities
from query.nim.scope import matching_folders

#: So many candidates of each tier are ranked.
CANDIDATES = 100
#: Columns of nim_words: title, tags, description, root_cause, solution, details, place, concepts.
COLUMN_WEIGHTS = (5.0, 4.0, 3.0, 1.2, 1.2, 0.7, 0.7, 2.0)
#: So many are handed on: copies and matches fall out of them.
RANKED = 40
#: The rarest words and concepts decide; common ones cost time and tell nothing.
_MOST_TERMS = 28
_RAREST_PAIRS = 16

_WORDS = f"""
SELECT rowid, -bm25(nim_words, {", ".join(map(str, COLUMN_WEIGHTS))}) AS score
FROM nim_words WHERE nim_words MATCH ? ORDER BY score DESC, rowid LIMIT {CANDIDATES}
"""  # noqa: S608  # constants of this file
_VOCABULARY = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_CONCEPTS = """
SELECT DISTINCT word.key, word.concept FROM concept_word AS word JOIN concept ON concept.id = word.concept
WHERE word.key IN (SELECT value FROM json_each(?)) ORDER BY word.key, word.concept
"""
_PAIR_COUNTS = """
SELECT term, count(*) FROM nim_bigram_occurrence WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term
"""
_PAIRS = "SELECT doc, term FROM nim_bigram_occurrence WHERE term IN (SELECT value FROM json_each(?))"
_UNITS = "SELECT count(*) FROM nim_unit"
_PLACES = """
SELECT nim_unit.id, scope, feature_folder, answered, group_concat(nim_platform.platform, '|')
FROM nim_unit LEFT JOIN nim_platform ON nim_platform.unit = nim_unit.id
WHERE nim_unit.id IN (SELECT value FROM json_each(?)) GROUP BY nim_unit.id
"""

#: What each kind of evidence adds to a full-text score of at most one.
WEIGHTS = {
    "words": 1.0,
    "pairs": 0.45,
    "tags": 0.5,
    "title": 0.6,
    "product": 0.2,
    "feature": 0.15,
    "platform": 0.15,
    "answered": 0.03,
}

Ranked = tuple[int, float, dict[str, float]]


def nearest_units(index: Index, request: Request) -> list[Ranked]:
    """Units by all the evidence, best first, as (unit, score, parts); qualifying ones are still among them."""
    text = " ".join(_texts(request))
    said = normalise(text, index.variants)
    words = _scaled(_word_tier(index, said))
    pairs = _scaled(_pair_tier(index, said))
    places = {row[0]: row[1:] for row in index.rows(_PLACES, (as_json(sorted({*words, *pairs})),))}
    alike = similarities(index, request, places)
    parts = {
        unit: (words.get(unit, 0.0), pairs.get(unit, 0.0), *map(float, alike[unit]), *_place(request, place))
        for unit, place in places.items()
    }
    totals = {unit: sum(map(mul, WEIGHTS.values(), found)) for unit, found in parts.items()}
    best = sorted(totals, key=lambda unit: (-totals[unit], unit))[:RANKED]
    return [(unit, round(totals[unit], 4), _named(parts[unit])) for unit in best]


def _texts(request: Request) -> Sequence[str]:
    """Each thing said once: title and description default to the text."""
    parts = (request.text, request.title, *request.tags, request.root_cause, request.solution, request.description)
    return tuple(dict.fromkeys(part for part in parts if part))


def _word_tier(index: Index, said: str) -> Mapping[int, float]:
    wanted = dict.fromkeys([*_terms(said), *(f"c{concept}" for concept in _concepts(index, said))])
    found = index.rows(_VOCABULARY, (as_json(wanted),))
    rarest = [term for term, _ in sorted(found, key=lambda row: (row[1], row[0]))[:_MOST_TERMS]]
    return dict(index.rows(_WORDS, (" OR ".join(map(phrase, rarest)),))) if rarest else {}


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


def _concepts(index: Index, said: str) -> list[int]:
    """The concepts that the text speaks of, the longest word winning."""
    found = list(surfaces(atoms(said), said))
    known = index.lists(_CONCEPTS, (as_json(sorted({key for s in found for key in s.keys})),))
    spoken = longest(said, found, lambda s: [concept for key in s.keys for concept in known.get(key, ())] or None)
    return list(dict.fromkeys(concept for concepts in spoken for concept in concepts))


def _pair_tier(index: Index, said: str) -> Mapping[int, float]:
    """The best units by the rarest pairs of the text that they have, each weighed by its rarity."""
    pairs = sorted({pair for chunk in chunks(said) if chunk.is_han for pair in han_bigrams(chunk.text)})
    counts: dict[str, int] = dict(index.rows(_PAIR_COUNTS, (as_json(pairs),)))
    rarest = sorted(counts, key=lambda pair: (counts[pair], pair))[:_RAREST_PAIRS]
    ((units,),) = index.rows(_UNITS)
    scores: dict[int, float] = {}
    for unit, pair in index.rows(_PAIRS, (as_json(rarest),)):
        scores[unit] = scores.get(unit, 0.0) + math.log(1 + units / counts[pair])
    best = sorted(scores, key=lambda unit: (-scores[unit], unit))[:CANDIDATES]
    return {unit: scores[unit] for unit in best}


def _scaled(scores: Mapping[int, float]) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {unit: score / best for unit, score in scores.items()} if best > 0 else {}


def _place(request: Request, place: Sequence[object]) -> tuple[float, ...]:
    """Whether product, feature folder and platform are the request's, and whether there is an answer."""
    scope, folder, answered, platforms = place
    return (
        float(bool(request.product) and scope == request.product),
        float(bool(request.feature) and bool(matching_folders(request.feature, [str(folder)]))),
        float(bool(request.platform) and request.platform in str(platforms).split("|")),
        float(bool(answered)),
    )


def _named(parts: Sequence[float]) -> dict[str, float]:
    return {name: round(value, 2) for name, value in zip(WEIGHTS, parts, strict=True)}

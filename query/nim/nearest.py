"""What comes nearest without qualifying (decision 18): full text, meanings, fields and similarity together."""

from collections.abc import Sequence
from operator import mul

from query.analysis.normalize import normalize
from query.analysis.tokens import concept_term
from query.index import Index, as_json
from query.nim.contract import Request
from query.nim.matching import similarities
from query.nim.relevance import bigram_scores, bm25_scores, concept_overlap, find_concepts
from query.nim.request_tokens import RequestTokens
from query.nim.scope import matching_folders

#: So many are handed on: copies and matches fall out of them.
RANKED = 40
_PLACES = """
SELECT nim_unit.id, scope, feature_folder, answered, track_type, group_concat(nim_platform.platform, '|')
FROM nim_unit LEFT JOIN nim_platform ON nim_platform.unit = nim_unit.id
WHERE nim_unit.id IN (SELECT value FROM json_each(?)) GROUP BY nim_unit.id
"""

#: What each kind of evidence adds to a full-text score of at most one.
WEIGHTS = {
    "words": 1.0,
    "pairs": 0.3,
    "meanings": 0.32,
    "tags": 0.35,
    "title": 0.75,
    "product": 0.18,
    "feature": 0.08,
    "platform": 0.17,
    "type": 0.15,
    "answered": 0.04,
}

Ranked = tuple[int, float, dict[str, float]]


def nearest_units(index: Index, request: Request, asked: RequestTokens) -> list[Ranked]:
    """Units by all the evidence, best first, as (unit, score, parts); qualifying ones are still among them.

    ``asked``: the request's side in the default modes.
    """
    said = normalize(" ".join(_texts(request)), index.variants)
    meanings = find_concepts(index, said)
    words = bm25_scores(index, said, [concept_term(concept) for meaning in meanings for concept in meaning])
    pairs = bigram_scores(index, said)
    places = {row[0]: row[1:] for row in index.rows(_PLACES, (as_json(sorted({*words, *pairs})),))}
    named = concept_overlap(index, meanings, places)
    alike = similarities(index, asked, places)
    parts = {
        unit: (
            words.get(unit, 0.0),
            pairs.get(unit, 0.0),
            named.get(unit, 0.0),
            *map(float, alike[unit]),
            *_place(request, place),
        )
        for unit, place in places.items()
    }
    totals = {unit: sum(map(mul, WEIGHTS.values(), found)) for unit, found in parts.items()}
    best = sorted(totals, key=lambda unit: (-totals[unit], unit))[:RANKED]
    return [(unit, round(totals[unit], 4), _named(parts[unit])) for unit in best]


def _texts(request: Request) -> Sequence[str]:
    """Each thing said once: title and description default to the text."""
    parts = (request.text, request.title, *request.tags, request.root_cause, request.solution, request.description)
    return tuple(dict.fromkeys(part for part in parts if part))


def _place(request: Request, place: Sequence[object]) -> tuple[float, ...]:
    """Whether product, feature folder, platform and type are the request's, and whether there is an answer."""
    scope, folder, answered, track_type, platforms = place
    return (
        float(bool(request.product) and scope == request.product),
        float(bool(request.feature) and bool(matching_folders(request.feature, [str(folder)]))),
        float(bool(request.platform) and request.platform in str(platforms).split("|")),
        float(track_type == request.track_type),
        float(bool(answered)),
    )


def _named(parts: Sequence[float]) -> dict[str, float]:
    return {name: round(value, 2) for name, value in zip(WEIGHTS, parts, strict=True)}

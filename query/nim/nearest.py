"""The nearest units: all evidence together, without the thresholds (docs/decisions/nim.md#nearest)."""

from collections.abc import Sequence
from functools import cache
from operator import mul
from typing import Any, NamedTuple

from query.analysis.tokens import split_tokens
from query.index import Index, as_json
from query.nim.contract import Request, Shortfall, TrackType
from query.nim.matching import own_names
from query.nim.recognition import folder_matches
from query.nim.relevance import text_relevance
from query.nim.request_text import AnalyzedText, RequestTokens
from query.nim.similarity import (
    CONCLUSION_AT_LEAST,
    CONSULT_AT_LEAST,
    FALLBACK_AT_LEAST,
    Ratio,
    combined,
    jaccard,
)

#: More units than are shown: matches and copies are left out later.
MAX_RANKED = 40
#: The weight of each part of a score; every part is between 0 and 1.
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

_CANDIDATES = """
SELECT nim_unit.id, track_type, scope, feature_folder, answered, has_cause, nim_set.title, tags,
  group_concat(nim_platform.platform, '|')
FROM nim_unit JOIN nim_set ON nim_set.unit = nim_unit.id LEFT JOIN nim_platform ON nim_platform.unit = nim_unit.id
WHERE nim_unit.id IN (SELECT value FROM json_each(?)) GROUP BY nim_unit.id
"""


class Candidate(NamedTuple):
    """A unit that shares words with the request. ``title`` and ``tags`` are joined token sets."""

    unit: int
    track_type: str
    standard_product: str
    feature_folder: str
    answered: int
    has_cause: int
    title: str
    tags: str
    platforms: str | None


def nearest_units(
    index: Index, request: Request, text: AnalyzedText, tokens: RequestTokens
) -> dict[int, dict[str, Any]]:
    """Units by all evidence, best first; qualifying ones are among them.

    The values are the fields of ``Case`` that depend on the ranking: score and scores, rounded, and shortfall.
    ``text`` is the analyzed text of the request; ``tokens`` are those of the default modes.
    """
    other_texts = _other_texts(request)
    relevance = text_relevance(index, text.extended(index, other_texts) if other_texts else text)
    names = own_names(index, relevance, tokens)
    request_tags = cache(tokens.tags)
    ranked: list[tuple[float, Candidate, Sequence[float], tuple[Ratio, Ratio]]] = []
    for row in map(Candidate._make, index.rows(_CANDIDATES, (as_json(relevance),))):
        tags = jaccard(request_tags(names.get(row.unit, frozenset())), split_tokens(row.tags))
        title = jaccard(tokens.title, split_tokens(row.title))
        parts = (*relevance[row.unit], float(tags), float(title), *_field_matches(request, row))
        ranked.append((sum(map(mul, WEIGHTS.values(), parts)), row, parts, (tags, title)))
    ranked.sort(key=lambda found: (-found[0], found[1].unit))
    return {
        row.unit: {
            "score": round(total, 4),
            "scores": {name: round(value, 2) for name, value in zip(WEIGHTS, parts, strict=True)},
            "shortfall": _shortfall(row, tokens, combined(*similarities)),
        }
        for total, row, parts, similarities in ranked[:MAX_RANKED]
    }


def _other_texts(request: Request) -> str:
    """The texts of the request beside its text, each once: title and description are often the text itself."""
    parts = (request.title, *request.tags, request.root_cause, request.solution, request.description)
    different = dict.fromkeys(part.strip() for part in parts)
    return " ".join(part for part in different if part not in {"", request.text.strip()})


def _field_matches(request: Request, row: Candidate) -> tuple[float, ...]:
    """1.0 for each that a unit shares with the request: product, feature, platform, type; and for having an answer."""
    return (
        float(bool(request.product) and row.standard_product == request.product),
        float(folder_matches(request.feature, row.feature_folder)),
        float(bool(request.platform) and request.platform in (row.platforms or "").split("|")),
        float(row.track_type == request.track_type),
        float(bool(row.answered)),
    )


def _shortfall(row: Candidate, tokens: RequestTokens, score: Ratio) -> Shortfall:
    is_trouble = row.track_type == TrackType.TROUBLESHOOT
    if is_trouble and tokens.has_cause and row.has_cause:
        return Shortfall("conclusion", None, CONCLUSION_AT_LEAST / 100)
    threshold = FALLBACK_AT_LEAST if is_trouble else CONSULT_AT_LEAST
    return Shortfall("tags and title", round(float(score), 4), threshold / 100)

"""The ``explain`` and ``content`` siblings of a response: why each slice matched, and the pages that were read."""

from collections.abc import Mapping
from typing import Any

from query.dictionary import Entry
from query.index import measured
from query.trtc.contract import Confidence, Match, Response, Strategy
from query.trtc.strategies import Search
from query.trtc.strategies.keywords import OFF_TOPIC_FROM, covered_at_least, is_about
from query.trtc.terms import QueryTerm

#: Number of slices explained where the answer is weak.
_CLOSEST = 3
_PAGE = "SELECT text FROM slice_page WHERE path = ?"


def explain(search: Search, response: Response) -> dict[str, Any]:
    """How the query was read, and for each match the words, fields and concepts that led to it."""
    parsed = search.parsed
    return {
        "intent": search.intent.value,
        "read_as": parsed.text,
        "truncated": parsed.truncated,
        "respelt": [{"said": correction.typed, "meant": correction.name} for correction in parsed.corrections],
        "codes": [m.code for m in parsed.mentions if m.is_code] + list(parsed.symbols),
        "ids": list(parsed.ids),
        "spans": [_term(search, term) for term in parsed.terms],
        "matches": [_match(search, match) for match in response.matches],
        "closest": closest(search) if _is_weak(response) else [],
    }


def _is_weak(response: Response) -> bool:
    """Whether the answer is empty or has only matches of the last resort."""
    return all(match.confidence is Confidence.LOW for match in response.matches)


def _term(search: Search, term: QueryTerm) -> dict[str, Any]:
    shown: dict[str, Any] = {"text": term.text, "kind": term.kind.value}
    if term.concepts:
        shown["bridges"] = [_concept(concept) for concept in term.concepts]
    if term in search.matches.terms:
        position = search.matches.terms.index(term)
        shown["weight"] = round(search.matches.weights[position], 2)
        shown["tags"] = list(dict.fromkeys(hit.tag for hit in search.matches.tag_hits if hit.term == position))
        shown["lacking"] = position in search.matches.unsupported_features
    return shown


def _concept(concept: Entry) -> dict[str, Any]:
    return {
        "concept": concept.name,
        "source": concept.source,
        "strength": concept.strength,
        "word": concept.word,
    }


def _match(search: Search, match: Match) -> dict[str, Any]:
    hit = next(hit for hit in search.hits if search.slices[hit.number].slice_id == match.slice_id)
    matches = search.matches
    return {
        "slice_id": match.slice_id,
        "confidence": match.confidence.value,
        "measured": measured(search.index, "trtc", match.match_strategy.value, match.confidence.value),
        "via": list(hit.reasons),
        "words": {
            term.text: sorted(found[hit.number])
            for term, found in zip(matches.terms, matches.matches, strict=True)
            if hit.number in found
        },
        "coverage": round(matches.coverage(hit.number), 2),
        "score": round(matches.score(hit.number), 2),
    }


def closest(search: Search) -> list[dict[str, Any]]:
    """The best slices that are no answer: what each covers and lacks, and the thresholds it missed.

    Empty where something else than words decided: a code, an id, a product without slices, a product selection.
    """
    if Strategy.FUZZY not in search.strategies_run:
        return []
    matches = search.matches
    others = (n for n in matches.slices() if search.in_product(n) and not is_about(search, n))
    scores = {n: matches.score(n) for n in others}
    best = sorted(scores, key=lambda n: (-scores[n], n))[:_CLOSEST]
    return [
        {
            "slice_id": search.slices[n].slice_id,
            "coverage": round(matches.coverage(n), 2),
            "wanted": covered_at_least(search),
            "elsewhere": round(matches.off_topic_share(n), 2),
            "elsewhere_below": OFF_TOPIC_FROM,
            "missing": [matches.terms[i].text for i in matches.uncovered_terms(n)],
        }
        for n in best
    ]


def pages_read(search: Search, response: Response) -> list[Mapping[str, str]]:
    """The text of every file that the response names as read, each once."""
    paths = dict.fromkeys(path for match in response.matches for path in match.file_paths_read)
    return [{"path": path, "text": search.index.rows(_PAGE, (path,))[0][0]} for path in paths]

"""The ``explain`` and ``content`` siblings of a response: which words matched which field, and the pages read."""

from collections.abc import Mapping
from typing import Any

from query.index import measured
from query.trtc.contract import Confidence, Match, Response, Strategy
from query.trtc.strategies import Search
from query.trtc.strategies.keywords import ELSEWHERE_FROM, covered_at_least, is_about
from query.trtc.terms import ConceptWord, QueryTerm

#: So many slices are told where the answer is weak.
_CLOSEST = 3
_PAGE = "SELECT text FROM slice_page WHERE path = ?"


def explain(search: Search, response: Response) -> dict[str, Any]:
    """How the query was read, and for each match what led to it: word, field, bridge or hint."""
    return {
        "intent": search.request.intent.value,
        "read_as": search.question.text,
        "truncated": search.question.truncated,
        "respelt": [{"said": piece.said, "meant": piece.meant} for piece in search.question.corrections],
        "codes": [m.code for m in search.question.mentions if m.is_code] + list(search.question.symbols),
        "ids": list(search.question.ids),
        "spans": [_span(search, span) for span in search.question.spans],
        "matches": [_match(search, match) for match in response.matches],
        "closest": closest(search) if _is_weak(response) else [],
    }


def _is_weak(response: Response) -> bool:
    """Whether the answer is empty, or the last resort."""
    return all(match.confidence is Confidence.LOW for match in response.matches)


def _span(search: Search, span: QueryTerm) -> dict[str, Any]:
    shown: dict[str, Any] = {"text": span.text, "kind": span.kind.value}
    if span.concepts:
        shown["bridges"] = [_bridge(concept) for concept in span.concepts]
    if span in search.evidence.spans:
        position = search.evidence.spans.index(span)
        shown["weight"] = round(search.evidence.weights[position], 2)
        shown["tags"] = list(dict.fromkeys(hit.tag for hit in search.evidence.tag_hits if hit.span == position))
        shown["lacking"] = position in search.evidence.unsupported_features
    return shown


def _bridge(concept: ConceptWord) -> dict[str, str]:
    return {"concept": concept.name, "source": concept.source, "strength": concept.strength, "word": concept.word}


def _match(search: Search, match: Match) -> dict[str, Any]:
    hit = next(hit for hit in search.hits if search.slices[hit.number].slice_id == match.slice_id)
    evidence = search.evidence
    return {
        "slice_id": match.slice_id,
        "confidence": match.confidence.value,
        "measured": measured(search.index, "trtc", match.match_strategy.value, match.confidence.value),
        "via": list(hit.reasons),
        "words": {
            span.text: sorted(found[hit.number])
            for span, found in zip(evidence.spans, evidence.fields, strict=True)
            if hit.number in found
        },
        "coverage": round(evidence.coverage(hit.number), 2),
        "score": round(evidence.score(hit.number), 2),
    }


def closest(search: Search) -> list[dict[str, Any]]:
    """The slices that say most of the query and are no answer to it, what each lacks, and what was wanted of it.

    None where something else than words decided: a code, an id, a product without slices, a product selection.
    """
    if Strategy.FUZZY not in search.asked:
        return []
    evidence = search.evidence
    others = (n for n in evidence.slices() if search.in_product(n) and not is_about(search, n))
    scores = {n: evidence.score(n) for n in others}
    best = sorted(scores, key=lambda n: (-scores[n], n))[:_CLOSEST]
    return [
        {
            "slice_id": search.slices[n].slice_id,
            "coverage": round(evidence.coverage(n), 2),
            "wanted": covered_at_least(search),
            "elsewhere": round(evidence.off_topic_share(n), 2),
            "elsewhere_below": ELSEWHERE_FROM,
            "missing": [evidence.spans[i].text for i in evidence.missing(n)],
        }
        for n in best
    ]


def pages_read(search: Search, response: Response) -> list[Mapping[str, str]]:
    """The text of every file that the response names as read, each once."""
    paths = dict.fromkeys(path for match in response.matches for path in match.file_paths_read)
    return [{"path": path, "text": search.index.rows(_PAGE, (path,))[0][0]} for path in paths]

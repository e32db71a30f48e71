"""The ``explain`` sibling of a NIM answer: origins of the request, how sure each grade is, what a miss lacked."""

from collections.abc import Iterator, Mapping
from typing import Any

from query.index import Index, measured
from query.nim.contract import NEAREST, WAYS, Answer, Case, TrackType
from query.nim.matching import similarities
from query.nim.request_tokens import RequestTokens
from query.nim.similarity import (
    CONCLUSION_AT_LEAST,
    CONSULT_AT_LEAST,
    FALLBACK_AT_LEAST,
    tags_and_title,
)

#: So many of the nearest are told where nothing qualified.
_CLOSEST = 3
_UNIT = """
SELECT nim_unit.id, has_cause FROM nim_unit JOIN nim_set ON nim_set.unit = nim_unit.id WHERE path = ? AND entry = ?
"""


def explain(index: Index, answer: Answer) -> dict[str, Any]:
    """Where each parameter came from, how often such matches were correct, and what kept the nearest out.

    ``closest`` is told of the default modes alone: other readings have other rules.
    """
    way = WAYS["option" in answer.request.origins.values()]
    return {
        "origins": answer.request.origins,
        "matches": [_sure(index, way, case, case.grade.value if case.grade else NEAREST) for case in answer.matches],
        "closest": _closest(index, way, answer) if not answer.matches and answer.request.modes.compiled else [],
    }


def _closest(index: Index, way: str, answer: Answer) -> list[dict[str, Any]]:
    asked = RequestTokens.of(index, answer.request)
    return [_sure(index, way, case, NEAREST) | _lacking(index, asked, case) for case in answer.nearest[:_CLOSEST]]


def explanation(explained: Mapping[str, Any]) -> Iterator[str]:
    """The same for a person, in lines."""
    yield from (f"{name}: {origin}" for name, origin in explained["origins"].items())
    for case in explained["matches"]:
        counts = case["measured"]
        if counts:
            yield f"{case['place']}: {counts['correct']} of {counts['answers']} first answers so graded were correct"
    for case in explained["closest"]:
        reached = "less" if case["score"] is None else f"{case['score']:.4f}"
        yield f"closest {case['place']}: {case['rule']} {reached}, wanted {case['wanted']:.2f}"


def _sure(index: Index, way: str, case: Case, grade: str) -> dict[str, Any]:
    return {"place": case.place, "grade": grade, "measured": measured(index, "nim", way, grade)}


def _lacking(index: Index, asked: RequestTokens, case: Case) -> dict[str, Any]:
    """The rule that decided (specification, Step 3; decision 5), what it wanted, and what came: null below that."""
    ((unit, has_cause),) = index.rows(_UNIT, (case.path, case.entry))
    trouble = case.track_type == TrackType.TROUBLESHOOT
    if trouble and asked.has_cause and has_cause:
        return {"rule": "conclusion", "score": None, "wanted": CONCLUSION_AT_LEAST / 100}
    together = tags_and_title(*similarities(index, asked, [unit])[unit])
    least = FALLBACK_AT_LEAST if trouble else CONSULT_AT_LEAST
    return {"rule": "tags and title", "score": round(float(together), 4), "wanted": least / 100}

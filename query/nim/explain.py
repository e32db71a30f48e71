"""The ``explain`` sibling of a NIM answer: origins of the request, how sure each grade is, what a miss lacked."""

from collections.abc import Iterator, Mapping
from typing import Any

from query.calibration import measured
from query.index import Index
from query.nim.contract import NEAREST, WAYS, Answer, Case, TrackType
from query.nim.tracks import consult, troubleshoot

#: So many of the nearest are told where nothing qualified.
_CLOSEST = 3


def explain(index: Index, answer: Answer) -> dict[str, Any]:
    """Where each parameter came from, how often such matches were correct, and what kept the nearest out."""
    way = WAYS["option" in answer.request.origins.values()]
    return {
        "origins": answer.request.origins,
        "matches": [_sure(index, way, case, case.grade.value if case.grade else NEAREST) for case in answer.matches],
        "closest": [] if answer.matches else [_lacking(index, way, case) for case in answer.nearest[:_CLOSEST]],
    }


def explanation(explained: Mapping[str, Any]) -> Iterator[str]:
    """The same for a person, in lines."""
    yield from (f"{name}: {origin}" for name, origin in explained["origins"].items())
    for case in explained["matches"]:
        counts = case["measured"]
        if counts:
            yield f"{case['place']}: {counts['correct']} of {counts['answers']} first answers so graded were correct"
    for case in explained["closest"]:
        yield f"closest {case['place']}: tags and title {case['score']:.2f}, wanted {case['wanted']:.2f}"


def _sure(index: Index, way: str, case: Case, grade: str) -> dict[str, Any]:
    return {"place": case.place, "grade": grade, "measured": measured(index, "nim", way, grade)}


def _lacking(index: Index, way: str, case: Case) -> dict[str, Any]:
    """By the rule that needs no root cause: 0.6 tags + 0.4 title (specification, Step 3; decision 5)."""
    least = consult.POSSIBLE_AT_LEAST if case.track_type == TrackType.CONSULT else troubleshoot.FALLBACK_AT_LEAST
    score = 0.6 * case.scores["tags"] + 0.4 * case.scores["title"]
    return {**_sure(index, way, case, NEAREST), "score": round(score, 2), "wanted": least / 100}

"""The ``explain`` sibling: origins of the parameters, measured accuracy, and what the nearest cases fell short of."""

from collections.abc import Iterator, Mapping
from typing import Any

from query.analysis.case_ref import case_ref
from query.index import Index, measured
from query.nim.contract import NEAREST, REQUEST_FORMS, Answer, Case

#: The number of nearest cases that are explained if nothing qualifies.
_CLOSEST = 3


def explain(index: Index, answer: Answer) -> dict[str, Any]:
    """Where each parameter came from, and per match how often first answers of its grade were correct.

    If nothing qualifies, ``closest`` names the deciding similarity of the nearest cases, in the default modes only:
    other modes compare other tokens.
    """
    form = REQUEST_FORMS["option" in answer.request.origins.values()]
    closest = answer.nearest[:_CLOSEST] if not answer.matches and answer.request.modes.compiled else ()
    return {
        "origins": answer.request.origins,
        "matches": [_measured(index, form, case) for case in answer.matches],
        "closest": [
            _measured(index, form, case) | case.shortfall._asdict() for case in closest if case.shortfall is not None
        ],
    }


def _measured(index: Index, form: str, case: Case) -> dict[str, Any]:
    grade = case.grade.value if case.grade else NEAREST
    return {"place": case_ref(case.path, case.entry), "grade": grade, "measured": measured(index, "nim", form, grade)}


def explanation(explained: Mapping[str, Any]) -> Iterator[str]:
    """The lines of an ``explain`` document for ``--format text``."""
    yield from (f"{name}: {origin}" for name, origin in explained["origins"].items())
    for case in explained["matches"]:
        counts = case["measured"]
        if counts:
            correct, answers = counts["correct"], counts["answers"]
            yield f"{case['place']}: of measured first answers with this grade, {correct} of {answers} were correct"
    for case in explained["closest"]:
        score = "below it" if case["score"] is None else f"{case['score']:.4f}"
        yield f"closest {case['place']}: {case['rule']} {score}, wanted {case['wanted']:.2f}"

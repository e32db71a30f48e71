"""Labelled NIM rows -> verdicts, with the query alone and with the fields that a caller would extract from it."""

from collections.abc import Iterator, Mapping
from typing import Any

from query.analysis.case_ref import case_ref
from query.evaluation.figures import FirstAnswer, Verdict
from query.evaluation.labelled import Labelled
from query.index import Index
from query.nim.contract import NEAREST, REQUEST_FORMS
from query.nim.request import TEXT_PARAMETERS, Given
from query.nim.search import search_nim

_UNKNOWN = {None, "", "?"}


def judge(index: Index, row: Labelled) -> Verdict:
    """Search twice. hit@k and MRR count ``matches`` followed by ``nearest``, the other figures ``matches`` alone."""
    expect = row["expect"]
    checks: list[tuple[str, float]] = []
    summaries: list[str] = []
    first_answers: list[FirstAnswer] = []
    for form in REQUEST_FORMS:
        given = Given() if form == "bare" else _given(row.get("fields") or {})
        response = search_nim(index, row["query"], given).as_dict()
        cases = (*response["matches"], *response["nearest"])
        checks += [(f"{form} {name}", value) for name, value in _checks(expect, response["matches"], cases)]
        summaries.append(f"{form}: {[case_ref(case['path'], case['entry']) for case in cases[:3]]}")
        first_answers += [
            FirstAnswer("nim", form, case["grade"] or NEAREST, _is_right(expect, case)) for case in cases[:1]
        ]
    return Verdict(row, tuple(checks), "  ".join(summaries), tuple(first_answers))


def _given(fields: Mapping[str, Any]) -> Given:
    texts: dict[str, Any] = {name: str(fields[name]) for name in TEXT_PARAMETERS if fields.get(name) not in _UNKNOWN}
    return Given(**texts, tags=tuple(map(str, fields.get("tags") or ())))


def _checks(
    expect: Mapping[str, Any], matches: list[Mapping[str, Any]], cases: tuple[Mapping[str, Any], ...]
) -> Iterator[tuple[str, float]]:
    if expect.get("none"):
        yield "none left empty", not matches
        return
    right = [_is_right(expect, case) for case in cases]
    rank = right.index(True) + 1 if True in right else 0
    yield "hit@1", rank == 1
    yield "hit@5", 0 < rank <= 5
    yield "MRR", 1 / rank if rank else 0
    yield "answerable rows matched", bool(matches)
    if matches:
        yield "first match right", right[0]


def _is_right(expect: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    return not {case_ref(case["path"], case["entry"]), *case["duplicates"]}.isdisjoint(expect.get("paths") or ())

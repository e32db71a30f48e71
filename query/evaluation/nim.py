"""Labelled NIM rows -> verdicts, once with the bare query and once with the fields a caller would extract."""

from collections.abc import Iterator, Mapping
from typing import Any

from query.analysis.case_ref import case_ref
from query.evaluation.figures import Ranked, Verdict
from query.evaluation.labelled import Labelled
from query.index import Index
from query.nim.contract import NEAREST, WAYS
from query.nim.request import TEXTS, Given, recognize_request
from query.nim.search import search_nim

_UNKNOWN = {None, "", "?"}


def judge(index: Index, row: Labelled) -> Verdict:
    """Ask both ways; hit@k and MRR over ``matches`` followed by ``nearest``, the rest over ``matches`` alone."""
    checks: list[tuple[str, float]] = []
    got: list[str] = []
    ranked: list[Ranked] = []
    for way in WAYS:
        given = Given() if way == "bare" else _given(row.get("fields") or {})
        response = search_nim(index, recognize_request(index, row["query"], given)).as_dict()
        checks += [(f"{way} {name}", value) for name, value in _checks(row["expect"], response)]
        shown = (*response["matches"], *response["nearest"])
        got.append(f"{way}: {[case_ref(case['path'], case['entry']) for case in shown[:3]]}")
        ranked += [Ranked("nim", way, case["grade"] or NEAREST, _is_right(row["expect"], case)) for case in shown[:1]]
    return Verdict(row, tuple(checks), "  ".join(got), tuple(ranked))


def _given(fields: Mapping[str, Any]) -> Given:
    known: dict[str, Any] = {name: None if fields.get(name) in _UNKNOWN else str(fields[name]) for name in TEXTS}
    return Given(**known, tags=tuple(map(str, fields.get("tags") or ())))


def _checks(expect: Mapping[str, Any], response: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    matches = response["matches"]
    if expect.get("none"):
        yield "none left empty", float(not matches)
        return
    right = [_is_right(expect, case) for case in (*matches, *response["nearest"])]
    rank = right.index(True) + 1 if True in right else 0
    yield "hit@1", float(rank == 1)
    yield "hit@5", float(0 < rank <= 5)
    yield "MRR", 1 / rank if rank else 0.0
    yield "answerable rows matched", float(bool(matches))
    if matches:
        yield "first match right", float(right[0])


def _is_right(expect: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    return not set(expect.get("paths") or ()).isdisjoint({case_ref(case["path"], case["entry"]), *case["duplicates"]})

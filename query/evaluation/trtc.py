"""Labelled TRTC rows -> verdicts: status, ranks, false highs, and the other assertions of a row."""

from collections.abc import Iterator, Mapping
from typing import Any

from query.evaluation.figures import FirstAnswer, Verdict
from query.evaluation.labelled import Labelled, accepted_statuses
from query.index import Index
from query.trtc.contract import Status
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request

#: Assertion of a row -> the field of the first match that it is about.
_EQUAL = {"strategy": "match_strategy", "confidence": "confidence", "content_loaded": "content_loaded"}
_CONFIDENCES = ("low", "medium", "high")


def answer(index: Index, row: Labelled) -> Mapping[str, Any]:
    """The response to the query of a row, with its product, platform and intent."""
    options = row.get("product"), row.get("platform"), row.get("intent")
    return search_trtc(index, check_request(index, row["query"], *options))[0].as_dict()


def judge(row: Labelled, response: Mapping[str, Any]) -> Verdict:
    """Compare one TRTC answer with the expectations of its row."""
    expect, matches = row["expect"], response["matches"]
    summary = f"{response['status']} {[(m['slice_id'], m['match_strategy']) for m in matches[:3]]}"
    first_answers = tuple(
        FirstAnswer("trtc", match["match_strategy"], match["confidence"], match["slice_id"] in expect["top1"])
        for match in matches[:1]
    )
    return Verdict(row, tuple(_checks(row, response)), f"{summary} {response['reason'] or ''}", first_answers)


def _checks(row: Labelled, response: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    expect, ids = row["expect"], [match["slice_id"] for match in response["matches"]]
    first: Mapping[str, Any] = next(iter(response["matches"]), {})
    right = {*expect["top1"], *expect["relevant"]}
    accepted = accepted_statuses(row)
    if not set(Status).issubset(accepted):  # a row that accepts every status is not about the status
        yield "status", response["status"] in accepted
    if expect["top1"]:
        yield "hit@1", bool(ids) and ids[0] in expect["top1"]
        yield "hit@3", not right.isdisjoint(ids[:3])
    elif response["status"] != Status.STATUS_PLANNED:
        yield "no false high", first.get("confidence") != "high"
    if first.get("confidence") == "high":
        yield "precision of high", ids[0] in right
    for held in _assertions(expect, response, ids, first):
        yield "contract", held


def _assertions(
    expect: Mapping[str, Any], response: Mapping[str, Any], ids: list[str], first: Mapping[str, Any]
) -> Iterator[bool]:
    """The assertions beside status and ranks, each only if the row makes it."""
    for name, field in _EQUAL.items():
        if name in expect:
            yield first.get(field) == expect[name]
    if "file_paths" in expect:
        yield {*first.get("file_paths_read", ())}.issuperset(expect["file_paths"])
    if "related_contains" in expect:
        yield {*first.get("related", ()), *ids}.issuperset(expect["related_contains"])
    if "reason_contains" in expect:
        yield expect["reason_contains"] in (response["reason"] or "")
    if "ambiguous_candidates" in expect:
        yield {*response["ambiguous_candidates"]}.issuperset(expect["ambiguous_candidates"])
    if "max_confidence" in expect:
        limit = _CONFIDENCES.index(expect["max_confidence"])
        yield not first or _CONFIDENCES.index(first["confidence"]) <= limit
    if expect.get("must_not"):
        yield {*ids}.isdisjoint(expect["must_not"])

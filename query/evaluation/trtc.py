"""Labelled TRTC rows -> verdicts: status, ranks, false highs, and what else a row asserts of the contract."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from query.evaluation.figures import Ranked, Verdict
from query.evaluation.labelled import Labelled
from query.index import Index
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request


def answer(index: Index, row: Labelled) -> Mapping[str, Any]:
    """The response to a row, asked with its product, platform and intent."""
    asked = row.get("product"), row.get("platform"), row.get("intent")
    return search_trtc(index, check_request(index, row["query"], *asked))[0].as_dict()


def judge(row: Labelled, response: Mapping[str, Any]) -> Verdict:
    """Compare one TRTC answer with what its row expects."""
    expect, matches = row["expect"], response["matches"]
    ids = [match["slice_id"] for match in matches]
    first = matches[0] if matches else {}
    checks: list[tuple[str, float]] = [("status", response["status"] == expect["status"])]
    if expect["top1"]:
        checks.append(("hit@1", bool(ids) and ids[0] in expect["top1"]))
        checks.append(("hit@3", any(i in {*expect["top1"], *expect["relevant"]} for i in ids[:3])))
    elif response["status"] != "status_planned":
        checks.append(("no false high", first.get("confidence") != "high"))
    if first.get("confidence") == "high":
        checks.append(("precision of high", ids[0] in {*expect["top1"], *expect["relevant"]}))
    checks += [("contract", held) for held in _contract(expect, response, ids, first)]
    got = (
        f"{response['status']} {[(m['slice_id'], m['match_strategy']) for m in matches[:3]]} {response['reason'] or ''}"
    )
    return Verdict(row, tuple(checks), got, tuple(_ranked(expect, matches[:1])))


def _ranked(expect: Mapping[str, Any], first: Iterable[Mapping[str, Any]]) -> Iterable[Ranked]:
    for match in first:
        yield Ranked("trtc", match["match_strategy"], match["confidence"], match["slice_id"] in expect["top1"])


def _contract(
    expect: Mapping[str, Any], response: Mapping[str, Any], ids: Sequence[str], first: Mapping[str, Any]
) -> Iterable[bool]:
    """The extra assertions, each only where the row makes it (shared eval README)."""
    for field, key in (
        ("match_strategy", "strategy"),
        ("confidence", "confidence"),
        ("content_loaded", "content_loaded"),
    ):
        if key in expect:
            yield first.get(field) == expect[key]
    if "file_paths" in expect:
        yield set(expect["file_paths"]) <= set(first.get("file_paths_read", ()))
    if "related_contains" in expect:
        yield set(expect["related_contains"]) <= {*first.get("related", ()), *ids}
    if "reason_contains" in expect:
        yield expect["reason_contains"] in (response["reason"] or "")
    if "ambiguous_candidates" in expect:
        yield set(expect["ambiguous_candidates"]) <= set(response["ambiguous_candidates"])
    if "max_confidence" in expect:
        order = ("low", "medium", "high")
        yield not first or order.index(first["confidence"]) <= order.index(expect["max_confidence"])
    if expect.get("must_not"):
        yield not set(expect["must_not"]) & set(ids)

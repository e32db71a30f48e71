"""Labelled TRTC rows are judged by status, ranks, false highs and further assertions."""

from typing import Any

import pytest
from labelled_support import NOTHING, response, row

from query.evaluation.figures import FirstAnswer
from query.evaluation.trtc import judge
from query.trtc.contract import Status


@pytest.mark.parametrize(
    ("ids", "missed"),
    [
        (["live/a"], ()),
        (["live/b", "live/a"], ("hit@1",)),
        (["live/x", "live/y", "live/b"], ("hit@1", "precision of high")),
        (["live/x", "live/y", "live/z", "live/a"], ("hit@1", "hit@3", "precision of high")),
        ([], ("hit@1", "hit@3")),
    ],
)
def test_ranks(ids: list[str], missed: tuple[str, ...]) -> None:
    """hit@1: rank 1 is in top1; hit@3: one of the first three is in top1 or relevant."""
    assert judge(row(), response(*ids)).missed == missed


def test_status() -> None:
    """Another status than the expected one is missed."""
    assert judge(row(), response("live/a", status="status_planned")).missed == ("status",)


ALTERNATIVES: list[dict[str, Any]] = [
    row(status=["no_match", "matched"]),
    row(status="no_match", status_alt=["matched"]),
    row(status="no_match") | {"status_alt": ["matched"]},
]


@pytest.mark.parametrize("labelled", ALTERNATIVES, ids=["list", "in expect", "in the row"])
def test_alternative_statuses(labelled: dict[str, Any]) -> None:
    """A row may accept several statuses, and refuses the others."""
    assert judge(labelled, response("live/a")).missed == ()
    assert judge(labelled, response("live/a", status="no_slice")).missed == ("status",)


def test_any_status() -> None:
    """A row that accepts every status has no status figure, and still no false high is allowed."""
    labelled = {"query": "q", "expect": NOTHING, "status_alt": [*Status]}
    assert dict(judge(labelled, response("live/a")).checks) == {"no false high": False, "precision of high": False}


@pytest.mark.parametrize(("confidence", "false_high"), [("high", True), ("medium", False), ("low", False)])
def test_false_high(confidence: str, false_high: bool) -> None:
    """If no match is right, a high one is a false high."""
    labelled = {"query": "q", "expect": NOTHING}
    assert ("no false high" in judge(labelled, response("live/a", confidence=confidence)).missed) is false_high


@pytest.mark.parametrize(
    ("expect", "holds"),
    [
        ({"strategy": "tag"}, True),
        ({"strategy": "exact"}, False),
        ({"confidence": "high"}, True),
        ({"confidence": "low"}, False),
        ({"content_loaded": "full"}, True),
        ({"content_loaded": "summary"}, False),
        ({"file_paths": ["p"]}, True),
        ({"file_paths": ["p", "q"]}, False),
        ({"related_contains": ["live/r"]}, True),
        ({"related_contains": ["live/a"]}, True),
        ({"related_contains": ["live/q"]}, False),
        ({"reason_contains": "because"}, True),
        ({"reason_contains": "since"}, False),
        ({"ambiguous_candidates": ["live"]}, True),
        ({"ambiguous_candidates": ["chat"]}, False),
        ({"max_confidence": "high"}, True),
        ({"max_confidence": "medium"}, False),
        ({"must_not": ["live/q"]}, True),
        ({"must_not": ["live/a"]}, False),
    ],
)
def test_contract(expect: dict[str, Any], holds: bool) -> None:
    """Each further assertion counts, and only if the row makes it."""
    verdict = judge(row(**expect), response("live/a"))
    assert [held for name, held in verdict.checks if name == "contract"] == [holds]


def test_the_first_answer_is_kept_for_calibration() -> None:
    """How it was found, its confidence, and whether it is right; an empty answer has no first one."""
    assert judge(row(), response("live/a")).first_answers == (FirstAnswer("trtc", "tag", "high", True),)
    assert judge(row(), response("live/b")).first_answers == (FirstAnswer("trtc", "tag", "high", False),)
    assert judge(row(), response(status="no_match")).first_answers == ()

"""The values and shapes of an answer, against the words of the specification."""

import pytest

from query.trtc.contract import (
    CONFIDENCE,
    Confidence,
    ContentLoaded,
    Intent,
    Match,
    Request,
    Response,
    Status,
    Strategy,
)

MATCH = Match(
    "live/barrage", Strategy.TAG, ContentLoaded.FULL, ("knowledge-base/slices/live/barrage.md",), ("live/gift",)
)


@pytest.mark.parametrize(
    ("enum", "values"),
    [
        (Status, "matched no_match no_slice ambiguous_product status_planned"),
        (Strategy, "exact tag product-keyword cross-related fuzzy"),
        (Confidence, "high medium low"),
        (ContentLoaded, "full summary index-only"),
        (Intent, "error-code pattern feature troubleshoot"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_values(enum: type[Status], values: str) -> None:
    """Each enumeration has exactly the specification's values."""
    assert {member.value for member in enum} == set(values.split())


@pytest.mark.parametrize(
    ("strategy", "confidence"),
    [("exact", "high"), ("tag", "high"), ("product-keyword", "medium"), ("cross-related", "medium"), ("fuzzy", "low")],
)
def test_confidence_follows_from_strategy(strategy: str, confidence: str) -> None:
    """Confidence is derived from the strategy and never judged."""
    assert CONFIDENCE[Strategy(strategy)].value == confidence
    assert Match("a/b", Strategy(strategy), ContentLoaded.FULL, (), ()).confidence.value == confidence


def test_a_match_has_six_fields() -> None:
    """A match prints the six fields of the contract in its order."""
    assert list(MATCH.as_dict().items()) == [
        ("slice_id", "live/barrage"),
        ("confidence", "high"),
        ("match_strategy", "tag"),
        ("content_loaded", "full"),
        ("file_paths_read", ["knowledge-base/slices/live/barrage.md"]),
        ("related", ["live/gift"]),
    ]


def test_a_response_has_four_fields() -> None:
    """A response prints its four keys always, empty or null where not populated."""
    empty = {"status": "no_match", "matches": [], "ambiguous_candidates": [], "reason": None}
    assert list(Response(Status.NO_MATCH).as_dict().items()) == list(empty.items())


@pytest.mark.parametrize("record", [MATCH, Response(Status.MATCHED), Request("x")], ids=lambda r: type(r).__name__)
def test_records_are_frozen(record: object) -> None:
    """What crosses a boundary cannot be changed."""
    with pytest.raises(AttributeError):
        record.reason = "x"  # type: ignore[attr-defined]

"""Invented labelled TRTC rows and answers."""

from typing import Any

EXPECT: dict[str, Any] = {"status": "matched", "top1": ["live/a"], "relevant": ["live/b"]}
NOTHING: dict[str, Any] = {"status": "no_match", "top1": [], "relevant": []}


def row(**expect: Any) -> dict[str, Any]:
    """A labelled row."""
    return {"id": "r", "query": "q", "expect": EXPECT | expect}


def response(*ids: str, confidence: str = "high", status: str = "matched", **first: Any) -> dict[str, Any]:
    """An answer with these slices."""
    match = {"confidence": confidence, "match_strategy": "tag", "content_loaded": "full"}
    match |= {"file_paths_read": ["p"], "related": ["live/r"]} | first
    matches = [{"slice_id": slice_id, **match} for slice_id in ids]
    return {"status": status, "matches": matches, "ambiguous_candidates": ["live", "call"], "reason": "because x"}

"""Every row of the specification's hint and edge-case tables, asked of the real base as the decisions read it."""

from pathlib import Path
from typing import Any

import pytest
from query_support import answer

#: Hint -> how it is asked, its slices in any order, and the greatest confidence.
#: The rule is docs/decisions/trtc.md#hint-targets-without-a-tag.
HINTS = [
    ("互踢", "conference", {"conference/login-auth"}, "medium"),
    ("PK", None, set[str](), None),
    ("黑屏", "live", {"live/anchor-preview"}, "medium"),
    ("跨房连线", None, set[str](), None),
    ("连麦", None, {"live/coguest-apply"}, "high"),
    ("踢人", None, {"live/audience-manage", "conference/participant-management"}, "high"),
    ("音效", None, {"live/audio"}, "high"),
    ("观众", None, {"live/audience-list", "live/audience-watch", "live/audience-manage"}, "high"),
]


@pytest.mark.parametrize(("hint", "product", "slices", "confidence"), HINTS, ids=[row[0] for row in HINTS])
def test_keyword_hints(hint: str, product: str | None, slices: set[str], confidence: str | None, real_db: Path) -> None:
    """A hint leads to its slices with the table's confidence at most; one whose tags the index lacks to none."""
    response = answer(real_db, hint, product=product)
    found = {match["slice_id"]: match["confidence"] for match in response["matches"]}
    assert response["status"] == ("matched" if slices else "no_match")
    assert slices <= found.keys()
    assert next(iter(found.values()), None) == confidence


@pytest.mark.parametrize(
    ("query", "asked", "wanted"),
    [
        ("弹幕", {"product": "call"}, {"status": "no_slice", "reason": "product call has no slices in KB"}),
        (
            "进房",
            {"product": "rtc-engine"},
            {"status": "status_planned", "reason": "slice rtc-engine/enter-room is status: planned"},
        ),
        ("弹幕", {"platform": "web"}, {"status": "matched", "reason": "no platform-specific file for web"}),
        ("该用哪个产品？", {}, {"status": "no_match", "reason": "product-selection question, not a slice lookup"}),
        ("消息", {}, {"status": "matched"}),
        ("怎么 kick offline", {"product": "conference"}, {"status": "matched"}),
        ("6208", {}, {"status": "no_match", "reason": "error code 6208 not in any slice.error_codes or body text"}),
        ("弹幕示例代码", {}, {"status": "matched", "reason": "platform required for code example"}),
        ("弹幕怎么用", {}, {"status": "matched", "reason": None}),
    ],
    ids=[
        "a product without slices",
        "a planned slice",
        "a platform without a file",
        "which product",
        "a vague word",
        "mixed languages",
        "an unknown code",
        "code without a platform",
        "a concept without a platform",
    ],
)
def test_edge_cases(query: str, asked: dict[str, Any], wanted: dict[str, Any], real_db: Path) -> None:
    """Missing content, ambiguity and platforms, row by row."""
    response = answer(real_db, query, **asked)
    assert {name: response[name] for name in wanted} == wanted


def test_a_question_across_products(real_db: Path) -> None:
    """直播+弹幕: the live slice; what the relation names in chat is not in the index.

    The rule is docs/decisions/trtc.md#relations-name-missing-slices.
    """
    response = answer(real_db, "直播+弹幕", product="live")
    assert response["matches"][0]["slice_id"] == "live/barrage"
    assert not any(match["slice_id"].startswith("chat/") for match in response["matches"])

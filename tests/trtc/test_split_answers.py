"""Answers from the real base in its later public layout keep the contract, and are right."""

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from query_support import answer


class Spot(NamedTuple):
    """A question, and what rank 1 of its answer must be."""

    query: str
    request: dict[str, str]
    slice_id: str
    confidence: str
    files: tuple[str, ...]


def _spot(query: str, slice_id: str, files: str, confidence: str = "high", **request: str) -> Spot:
    return Spot(query, request, slice_id, confidence, tuple(f"knowledge-base/slices/{name}" for name in files.split()))


SPOTS = [
    _spot("-4002", "live/gift", "live/gift.md"),
    _spot("6206", "conference/login-auth", "conference/web/login-auth.md"),
    _spot("100211 是什么", "conference/room-lifecycle", "conference/web/room-lifecycle.md"),
    _spot("chat/at-mention", "chat/at-mention", "chat/web/at-mention.md"),
    _spot("红包消息怎么发", "chat/send-custom-message", "chat/web/send-custom-message.md"),
    _spot("会话置顶", "chat/conversation-list", "chat/web/conversation-list.md", platform="web"),
    _spot(
        "怎么撤回一条消息", "chat/message-base-actions", "chat/web/message-base-actions.md", "medium", product="chat"
    ),
    _spot("群聊@所有人", "chat/at-mention", "chat/web/at-mention.md", product="chat"),
    _spot("会议套件怎么集成", "conference/official-roomkit-api", "conference/web/official-roomkit-api.md"),
    _spot("tuiroomkit", "conference/official-roomkit-api", "conference/web/official-roomkit-api.md"),
    _spot("webinar 举手", "conference/webinar-interaction", "conference/web/webinar-interaction.md"),
    _spot("美颜", "live/beauty", "live/beauty.md live/ios/beauty.md", product="live", platform="ios"),
    _spot("虚拟背景", "conference/virtual-background", "conference/web/virtual-background.md", platform="web"),
    _spot("send image", "chat/send-media", "chat/web/send-media.md", product="chat", platform="web"),
]


@pytest.mark.parametrize("spot", SPOTS, ids=[spot.query for spot in SPOTS])
def test_spot(split_db: Path, real_split: Path, spot: Spot) -> None:
    """Rank 1 is the slice that says it, with its own files, which lie where the answer says."""
    response = answer(split_db, spot.query, **spot.request)
    first: dict[str, Any] = response["matches"][0]
    assert (response["status"], response["ambiguous_candidates"]) == ("matched", [])
    assert (first["slice_id"], first["confidence"]) == (spot.slice_id, spot.confidence)
    assert tuple(first["file_paths_read"]) == spot.files
    assert all((real_split / path).is_file() for path in first["file_paths_read"])


EMPTY = {
    "a product without slices": ({"query": "怎么打电话", "product": "call"}, "no_slice", "product call has no slices"),
    "a code of nobody": ({"query": "错误码 99999"}, "no_match", "error code 99999 not in any slice"),
    "a platform that a slice lacks": (
        {"query": "虚拟背景", "platform": "ios"},
        "no_match",
        "no slice for platform ios",
    ),
    "documents": ({"query": "套餐包退费", "product": "chat"}, "no_match", ""),
}


@pytest.mark.parametrize(("request_", "status", "reason"), EMPTY.values(), ids=EMPTY)
def test_empty(split_db: Path, request_: dict[str, str], status: str, reason: str) -> None:
    """What the base has no slice for is said so."""
    response = answer(split_db, **request_)
    assert (response["status"], response["matches"]) == (status, [])
    assert response["reason"].startswith(reason)


def test_platform_without_a_file(split_db: Path) -> None:
    """An overview stays for a platform that has no page of its own."""
    response = answer(split_db, "弹幕", platform="android")
    assert response["reason"] == "no platform-specific file for android"
    assert response["matches"][0]["file_paths_read"] == ["knowledge-base/slices/live/barrage.md"]


def test_related(split_db: Path) -> None:
    """Prerequisites are related slices, where the page names none itself."""
    (first,) = answer(split_db, "chat/send-media")["matches"]
    assert first["related"] == ["chat/login-auth", "chat/message-list", "chat/message-input"]


def test_scenario(split_db: Path) -> None:
    """A scenario that only its own page lists is found by its id, in its own order (14)."""
    matches = answer(split_db, "entertainment-live-room")["matches"]
    assert [m["slice_id"] for m in matches[:3]] == ["live/login-auth", "live/device-control", "live/anchor-preview"]

"""A text becomes spans: the longest known name wins, unless a word crosses it into what is left over."""

from pathlib import Path

import pytest
from query_support import found, query_terms

from query.trtc.terms import TermKind


@pytest.mark.parametrize(
    ("query", "name", "is_named"),
    [
        ("弹幕", "弹幕", True),
        ("弹幕发送", "弹幕", True),
        ("会议加密", "会议加密", True),
        ("会议加密码", "会议加密", False),
    ],
)
def test_a_name_that_a_word_crosses_is_only_suggested(query: str, name: str, is_named: bool, real_db: Path) -> None:
    """密码 crosses 会议加密 into the 码 that is left over; 发送 begins where 弹幕 ends."""
    (span,) = [span for span in query_terms(real_db, query) if span.text == name]
    assert any(concept.is_named for concept in span.concepts) is is_named


def test_a_torn_name_gives_nothing_high(real_db: Path) -> None:
    """背景音乐 is no virtual background."""
    assert all(strategy != "tag" for _, strategy in found(real_db, "会议背景音乐"))


def test_what_is_left_over_is_unknown(real_db: Path) -> None:
    """The rest of a torn word is no word."""
    spans = query_terms(real_db, "会议加密码")
    assert [(span.text, span.kind) for span in spans][-1] == ("码", TermKind.UNKNOWN)

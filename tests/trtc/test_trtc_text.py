"""An answer as text for a person."""

from pathlib import Path

import pytest
from query_support import invoke

from query.output import table


@pytest.mark.parametrize(
    ("argv", "lines"),
    [
        (
            ["弹幕", "--platform", "web"],
            [
                "matched: no platform-specific file for web",
                "1. live/danmaku-wall  弹幕墙",
                "   high (tag), full",
                "   knowledge-base/slices/live/danmaku-wall.md",
                "   related: live/stage-room, live/gift-combo",
            ],
        ),
        (["audio"], ["ambiguous_product: query plausibly matches multiple products; ask user"]),
        (["弹幕", "--product", "chat"], ["no_slice: product chat has no slices in KB"]),
        (["voice-duet"], ["1. rtc-engine/join-channel  加入频道", "2. rtc-engine/media-relay  旁路转推"]),
        (["弹幕", "--explain"], ["read as: 弹幕  (intent feature)"]),
        (["弹幕", "--content"], ["===== knowledge-base/slices/live/danmaku-wall.md", "# 弹幕墙"]),
    ],
)
def test_report(argv: list[str], lines: list[str], sample_db: Path) -> None:
    """Status and reason come first, then each match with its name, confidence, files and related slices."""
    shown = invoke(sample_db, "trtc", *argv, "--format", "text").stdout.splitlines()
    assert [line for line in lines if line not in shown] == []
    assert shown[0].split(":")[0] in {"matched", "ambiguous_product", "no_slice", "status_planned"}


def test_candidates(sample_db: Path) -> None:
    """The products to choose from are listed."""
    shown = invoke(sample_db, "trtc", "audio", "--format", "text").stdout
    assert "candidates: " in shown
    assert "live" in shown


def test_table() -> None:
    """Two columns, the left one as wide as its widest cell."""
    assert table([("a", "1"), ("bcd", "2")]) == "a    1\nbcd  2"
    assert table([]) == ""

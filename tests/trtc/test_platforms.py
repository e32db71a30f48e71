"""Step 3, platform filtering."""

import pytest

from query.contract import Strategy
from query.trtc.platforms import in_reach
from query.trtc.search import Hit, SliceRow

FILES = {1: "slices/live/a.md", 2: "slices/live/b.md", 3: "slices/conference/web/c.md"}
SLICES = {n: SliceRow(n, f"p/{n}", "p", "", "", file, 0) for n, file in FILES.items()}
PLATFORMS = {1: frozenset({"ios"}), 2: frozenset({"ios", "android"}), 3: frozenset({"web"})}
HITS = [Hit(number, Strategy.TAG) for number in FILES]


@pytest.mark.parametrize(
    ("platform", "kept", "secondary"),
    [
        (None, [1, 2, 3], []),
        ("ios", [1, 2], []),
        ("android", [1, 2], [1]),
        ("web", [1, 2, 3], [1, 2]),
        ("electron", [1, 2], [1, 2]),
    ],
)
def test_in_reach(platform: str | None, kept: list[int], secondary: list[int]) -> None:
    """The index's platforms decide; an overview of another platform stays as secondary (decision 13)."""
    hits, second = in_reach(HITS, platform, SLICES, PLATFORMS)
    assert ([hit.number for hit in hits], sorted(second)) == (kept, secondary)


def test_nothing_left() -> None:
    """A page of another platform's folder alone leaves nothing."""
    assert in_reach(HITS[2:], "ios", SLICES, PLATFORMS) == ([], frozenset())


def test_a_slice_without_platforms() -> None:
    """A slice that the index gives no platform stays if it is an overview."""
    assert in_reach(HITS[:1], "ios", SLICES, {}) == (HITS[:1], frozenset({1}))


@pytest.mark.parametrize(
    ("file", "overview"),
    [("slices/live/a.md", True), ("slices/live/ios/a.md", False), ("slices/conference/web/a.md", False)],
)
def test_is_overview(file: str, overview: bool) -> None:
    """An overview's path has no platform folder."""
    assert SliceRow(1, "p/1", "p", "", "", file, 0).is_overview is overview

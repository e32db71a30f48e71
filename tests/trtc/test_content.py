"""How much of each slice is read, and from which files."""

import pytest

from query.trtc.content import files_read, has_platform_file, levels
from query.trtc.contract import ContentLoaded, Intent, Strategy
from query.trtc.strategies import Hit

#: Slices with a page; 2 and 7 have none.
READABLE = set(range(1, 9)) - {2, 7}
OVERVIEW = ("", "knowledge-base/slices/live/x.md")
IOS = ("ios", "knowledge-base/slices/live/ios/x.md")
ANDROID = ("android", "knowledge-base/slices/live/android/x.md")
WEB_ONLY = ("web", "knowledge-base/slices/conference/web/x.md")
SHORT = {"F": ContentLoaded.FULL, "S": ContentLoaded.SUMMARY, "i": ContentLoaded.INDEX_ONLY}


@pytest.mark.parametrize(
    ("numbers", "intent", "wanted"),
    [
        ([1], Intent.FEATURE, "F"),
        ([1, 3, 4], Intent.FEATURE, "FFF"),
        ([1, 3, 4, 5], Intent.FEATURE, "SSSS"),
        ([1, 3, 4, 5, 6], Intent.PATTERN, "FFFSS"),
        ([1, 3, 4, 5], Intent.TROUBLESHOOT, "FFFS"),
        ([1, 3, 4, 5], Intent.ERROR_CODE, "FFFS"),
        ([2], Intent.FEATURE, "i"),
        ([1, 2, 3], Intent.FEATURE, "FiF"),
        ([1, 2, 3, 4], Intent.FEATURE, "SiSS"),
        ([1, 2, 3, 7, 4], Intent.PATTERN, "FiFiS"),
        ([], Intent.FEATURE, ""),
    ],
)
def test_levels(numbers: list[int], intent: Intent, wanted: str) -> None:
    """Up to three are full; four or more with intent feature are all summaries; what has no page is never read."""
    hits = [Hit(number, Strategy.TAG) for number in numbers]
    assert levels(hits, intent, READABLE) == [SHORT[letter] for letter in wanted]


@pytest.mark.parametrize(
    ("pages", "platform", "wanted"),
    [
        ([OVERVIEW, IOS, ANDROID], None, [OVERVIEW]),
        ([OVERVIEW, IOS, ANDROID], "ios", [OVERVIEW, IOS]),
        ([OVERVIEW, IOS, ANDROID], "web", [OVERVIEW]),
        ([WEB_ONLY], None, [WEB_ONLY]),
        ([WEB_ONLY], "web", [WEB_ONLY]),
        ([], "web", []),
    ],
)
def test_files_read(pages: list[tuple[str, str]], platform: str | None, wanted: list[tuple[str, str]]) -> None:
    """The overview and the platform's own file, once each (docs/decisions/trtc.md#file-paths-read)."""
    assert files_read(ContentLoaded.FULL, pages, platform) == tuple(path for _, path in wanted)


@pytest.mark.parametrize("level", [ContentLoaded.SUMMARY, ContentLoaded.INDEX_ONLY])
def test_nothing_is_read_below_full(level: ContentLoaded) -> None:
    """A summary and a planned slice have no file (docs/decisions/trtc.md#content-loaded)."""
    assert files_read(level, [OVERVIEW, IOS], "ios") == ()


def test_has_platform_file() -> None:
    """A slice has a platform's file only if a page stands in that platform's folder."""
    assert has_platform_file([OVERVIEW, IOS], "ios")
    assert not has_platform_file([OVERVIEW, IOS], "android")

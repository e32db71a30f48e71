"""Step 4, progressive content loading: how much of each slice is read, and from which files. No SQL."""

from collections.abc import Container, Sequence

from query.trtc.contract import ContentLoaded, Intent
from query.trtc.strategies import Hit

#: Up to this rank whole pages are read.
FULL_RANKS = 3

#: One page of a slice: (platform or '', path).
Page = tuple[str, str]


def levels(hits: Sequence[Hit], intent: Intent, sanitize_text: Container[int]) -> list[ContentLoaded]:
    """The level of each rank (decision 4): few are read whole, a selection list is not.

    What has no page to read (planned, or the page is missing) is index-only whatever its rank.
    """
    whole = 0 if len(hits) > FULL_RANKS and intent is Intent.FEATURE else FULL_RANKS
    return [
        ContentLoaded.INDEX_ONLY
        if hit.number not in sanitize_text
        else ContentLoaded.FULL
        if rank < whole
        else ContentLoaded.SUMMARY
        for rank, hit in enumerate(hits)
    ]


def files_read(level: ContentLoaded, pages: Sequence[Page], platform: str | None) -> tuple[str, ...]:
    """Decision 20: the slice's own overview and the platform's file, once each; nothing below ``full``.

    Where the only page is a platform file (conference), that one is what the index names.
    """
    if level is not ContentLoaded.FULL:
        return ()
    overview = [path for page_platform, path in pages if not page_platform]
    own = [path for page_platform, path in pages if page_platform and page_platform == platform]
    return (*overview, *own) or tuple(path for _, path in pages[:1])


def has_platform_file(pages: Sequence[Page], platform: str) -> bool:
    """Whether the slice has a page of its own for the platform."""
    return any(page_platform == platform for page_platform, _ in pages)

"""Content loading: how much of each slice an answer loads, and which files it reads."""

from collections.abc import Container, Sequence
from typing import TypeAlias

from query.trtc.contract import ContentLoaded, Intent
from query.trtc.strategies import Hit

#: Up to this rank whole pages are loaded.
FULL_RANKS = 3

#: One page of a slice: (platform or '', path).
Page: TypeAlias = tuple[str, str]


def levels(hits: Sequence[Hit], intent: Intent, with_pages: Container[int]) -> list[ContentLoaded]:
    """The level of each rank (docs/decisions/trtc.md#content-loaded).

    A slice without a page is index-only. Up to three matches are loaded whole; of more, the first three, unless the
    intent is a feature: then the answer is a list to choose from.
    """
    full_ranks = 0 if len(hits) > FULL_RANKS and intent is Intent.FEATURE else FULL_RANKS
    return [
        ContentLoaded.INDEX_ONLY
        if hit.number not in with_pages
        else ContentLoaded.FULL
        if rank < full_ranks
        else ContentLoaded.SUMMARY
        for rank, hit in enumerate(hits)
    ]


def files_read(level: ContentLoaded, pages: Sequence[Page], platform: str | None) -> tuple[str, ...]:
    """The overview and the platform's file, once each, if the level is ``full``; else none.

    The rule is docs/decisions/trtc.md#file-paths-read. Where a slice has only platform files, the first one is the
    file of the base's index.
    """
    if level is not ContentLoaded.FULL:
        return ()
    read = [path for page_platform, path in pages if not page_platform or page_platform == platform]
    return tuple(read or (path for _, path in pages[:1]))


def has_platform_file(pages: Sequence[Page], platform: str) -> bool:
    """Whether the slice has a page for the platform."""
    return any(page_platform == platform for page_platform, _ in pages)

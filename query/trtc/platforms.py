"""Step 3, platform filtering. No SQL."""

from collections.abc import Iterable, Mapping

from query.trtc.search import Hit, SliceRow


def in_reach(
    hits: Iterable[Hit], platform: str | None, slices: Mapping[int, SliceRow], platforms: Mapping[int, frozenset[str]]
) -> tuple[list[Hit], frozenset[int]]:
    """The hits to keep, and which of those are secondary: product overviews not listed for the platform.

    Source: specification Step 3, decision 13: the index's platforms decide; overviews have no platform folder.
    """
    if platform is None:
        return list(hits), frozenset()
    kept, secondary = [], set()
    for hit in hits:
        if platform in platforms.get(hit.number, frozenset()):
            kept.append(hit)
        elif slices[hit.number].is_overview:
            kept.append(hit)
            secondary.add(hit.number)
    return kept, frozenset(secondary)

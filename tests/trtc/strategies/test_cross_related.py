"""Strategy 4: one hop from what was found."""

from pathlib import Path

import pytest
from query_support import begun, found

from query.trtc.contract import Strategy
from query.trtc.strategies import Hit, cross_related

JOIN, RELAY = "rtc-engine/join-channel", "rtc-engine/media-relay"


def crossed(db: Path, query: str, **request: str) -> set[str]:
    """The slices that came by one hop."""
    return {slice_id for slice_id, strategy in found(db, query, **request) if strategy == "cross-related"}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("连麦 RTC Engine", {JOIN, RELAY}),
        ("屏幕共享 rtc engine", {JOIN, "conference/meeting-room"}),
        ("连麦", set()),
        ("弹幕 chat", set()),
        ("弹幕 直播", set()),
    ],
)
def test_relations(query: str, wanted: set[str], sample_db: Path) -> None:
    """A second product in the query brings the slices of the relation that joins both, those of the index only."""
    assert crossed(sample_db, query) == wanted


@pytest.mark.parametrize("strategy", [None, Strategy.EXACT, Strategy.FUZZY])
def test_needs_a_partial_hit(strategy: Strategy | None, sample_db: Path) -> None:
    """Without a hit by tag or product-keyword there is nothing to hop from."""
    with begun(sample_db, "连麦 RTC Engine") as search:
        search.hits.extend([Hit(7, strategy)] if strategy else [])
        assert list(cross_related.find(search)) == []


@pytest.mark.parametrize("strategy", [Strategy.TAG, Strategy.PRODUCT_KEYWORD])
def test_hops_from_a_partial_hit(strategy: Strategy, sample_db: Path) -> None:
    """A hit by tag or product-keyword is expanded, at medium confidence."""
    with begun(sample_db, "连麦 RTC Engine") as search:
        search.hits.append(Hit(7, strategy))
        hits = list(cross_related.find(search))
    assert {hit.number for hit in hits} >= {1, 2}
    assert {hit.strategy for hit in hits} == {Strategy.CROSS_RELATED}


def test_what_was_found_is_not_found_again(sample_db: Path) -> None:
    """A slice that is a hit already is not added (docs/decisions/trtc.md#several-strategies-one-slice)."""
    with begun(sample_db, "连麦 RTC Engine") as search:
        search.hits.extend([Hit(7, Strategy.TAG), Hit(1, Strategy.TAG)])
        assert 1 not in {hit.number for hit in cross_related.find(search)}


def test_planned_slices_come_without_content(sample_db: Path) -> None:
    """Planned slices of a relation are in the answer (docs/decisions/trtc.md#relations-name-missing-slices)."""
    assert found(sample_db, "连麦 RTC Engine")[1:] == [(JOIN, "cross-related"), (RELAY, "cross-related")]


@pytest.mark.parametrize("query", ["-4102 RTC Engine", "live/mic-queue RTC Engine"])
def test_no_expansion_of_exact_hits(query: str, sample_db: Path) -> None:
    """Codes and ids are not expanded (docs/decisions/trtc.md#error-code-intent)."""
    assert crossed(sample_db, query) == set()

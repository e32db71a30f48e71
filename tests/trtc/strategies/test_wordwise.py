"""What product-keyword and fuzzy share."""

from pathlib import Path

import pytest
from query_support import begun

from query.trtc.contract import Strategy
from query.trtc.strategies.keywords import keyword_hits


@pytest.mark.parametrize("most", [0, 1, 2])
def test_most(most: int, sample_db: Path) -> None:
    """At most so many hits come back."""
    with begun(sample_db, "静音", product="live") as search:
        assert len(keyword_hits(search, Strategy.FUZZY, most)) == most


def test_best_first(sample_db: Path) -> None:
    """Hits come by falling score, each with its strategy and what led to it."""
    with begun(sample_db, "静音") as search:
        hits = keyword_hits(search, Strategy.FUZZY)
    assert len(hits) > 1
    assert [hit.order for hit in hits] == sorted((hit.order for hit in hits), reverse=True)
    assert all(hit.strategy is Strategy.FUZZY and hit.reasons for hit in hits)


@pytest.mark.parametrize(("query", "body_only"), [("啸叫", True), ("预览", False), ("SessionHub", False)])
def test_body_only(query: str, body_only: bool, sample_db: Path) -> None:
    """A hit knows whether the index's own fields say anything of the query (docs/decisions/trtc.md#ambiguity)."""
    with begun(sample_db, query) as search:
        assert keyword_hits(search, Strategy.FUZZY)[0].body_only is body_only


@pytest.mark.parametrize("query", ["抽奖 接口", "PK 回调", "电子白板 接口"])
def test_an_absent_feature_is_not_covered_by_other_words(query: str, sample_db: Path) -> None:
    """If the only feature of a query is one that the base does not have, its other words find nothing."""
    with begun(sample_db, query) as search:
        assert keyword_hits(search, Strategy.FUZZY) == []


@pytest.mark.parametrize(
    ("query", "slice_id"),
    [("抽奖 弹幕", "live/danmaku-wall"), ("PK 礼物", "live/gift-combo"), ("弹幕之后抽奖", None)],
)
def test_an_absent_feature_beside_a_present_one(query: str, slice_id: str | None, sample_db: Path) -> None:
    """The present feature is answered, unless it only states when something happens."""
    with begun(sample_db, query) as search:
        hits = [search.slices[hit.number].slice_id for hit in keyword_hits(search, Strategy.FUZZY)]
    assert slice_id in hits if slice_id else hits == []

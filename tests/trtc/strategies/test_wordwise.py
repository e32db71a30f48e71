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
    """A hit knows whether the index's own fields say anything of the query (decision 19)."""
    with begun(sample_db, query) as search:
        assert keyword_hits(search, Strategy.FUZZY)[0].body_only is body_only


@pytest.mark.parametrize("query", ["抽奖 弹幕", "PK 礼物", "电子白板 屏幕共享"])
def test_a_lacking_feature_is_not_covered_by_the_rest(query: str, sample_db: Path) -> None:
    """Where the query names a feature that the base lacks, slices that say nothing of it are not returned."""
    with begun(sample_db, query) as search:
        assert keyword_hits(search, Strategy.FUZZY) == []

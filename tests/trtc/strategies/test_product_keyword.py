"""Strategy 3: words in names, descriptions and pages of one product."""

from pathlib import Path

import pytest
from query_support import begun, found

from query.trtc.contract import Strategy
from query.trtc.strategies import Hit, product_keyword


@pytest.mark.parametrize(
    ("query", "product", "first"),
    [
        ("啸叫", "live", "live/voice-monitor"),
        ("onBatch", "live", "live/danmaku-wall"),
        ("renew", "live", "live/entry-ticket"),
        ("口令", "conference", "conference/meeting-room"),
    ],
)
def test_words_of_a_product(query: str, product: str, first: str, sample_db: Path) -> None:
    """A word that only the pages or the front matter know is medium with its product."""
    assert found(sample_db, query, product=product)[0] == (first, "product-keyword")


@pytest.mark.parametrize("query", ["啸叫", "口令"])
def test_needs_a_product(query: str, sample_db: Path) -> None:
    """Without a product the strategy is skipped."""
    with begun(sample_db, query) as search:
        assert list(product_keyword.find(search)) == []
    assert "product-keyword" not in {strategy for _, strategy in found(sample_db, query)}


@pytest.mark.parametrize("strategy", [Strategy.EXACT, Strategy.TAG])
def test_not_after_a_high_hit(strategy: Strategy, sample_db: Path) -> None:
    """After a high hit the strategy has nothing to do."""
    with begun(sample_db, "啸叫", product="live") as search:
        search.hits.append(Hit(1, strategy))
        assert list(product_keyword.find(search)) == []


def test_only_the_products_own_slices(sample_db: Path) -> None:
    """Slices of other products are not returned (docs/decisions/trtc.md#given-product)."""
    hits = found(sample_db, "静音", product="live")
    assert hits
    assert all(slice_id.startswith("live/") for slice_id, _ in hits)

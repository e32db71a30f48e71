"""Strategy 5: the last resort."""

from pathlib import Path

import pytest
from query_support import begun, found, search

from query.trtc.contract import Strategy
from query.trtc.strategies import Hit, fuzzy


@pytest.mark.parametrize(("query", "first"), [("啸叫", "live/voice-monitor"), ("renew", "live/entry-ticket")])
def test_words_of_pages(query: str, first: str, sample_db: Path) -> None:
    """Without a product, a word that only pages know is low (docs/decisions/trtc.md#body-only-hits)."""
    assert found(sample_db, query)[0] == (first, "fuzzy")


def test_a_scenario(sample_db: Path) -> None:
    """A scenario's description leads to its slices, in its order (docs/decisions/trtc.md#scenario-hits)."""
    assert found(sample_db, "站会") == [
        ("conference/meeting-room", "fuzzy"),
        ("conference/network-gauge", "fuzzy"),
        ("conference/screen-share", "fuzzy"),
        ("conference/beauty-filter", "fuzzy"),
    ]


def test_a_product_limits_a_scenario(sample_db: Path) -> None:
    """With another product, a scenario's slices are not returned (docs/decisions/trtc.md#given-product)."""
    assert found(sample_db, "站会", product="live") == []


@pytest.mark.parametrize("strategy", [Strategy.EXACT, Strategy.TAG, Strategy.PRODUCT_KEYWORD, Strategy.CROSS_RELATED])
def test_only_where_nothing_else_found_anything(strategy: Strategy, sample_db: Path) -> None:
    """After any other hit the strategy has nothing to do."""
    with begun(sample_db, "啸叫") as state:
        state.hits.append(Hit(1, strategy))
        assert list(fuzzy.find(state)) == []


@pytest.mark.parametrize("query", ["zzqqx", "。", "怎么"])
def test_nothing(query: str, sample_db: Path) -> None:
    """What nothing knows finds nothing."""
    with begun(sample_db, query) as state:
        assert list(fuzzy.find(state)) == []


@pytest.mark.parametrize("query", ["audio", "声音"])
def test_two_products_are_ambiguous(query: str, sample_db: Path) -> None:
    """Low hits in the index's own fields of two products are handed back as a question, not as an answer."""
    response, state = search(sample_db, query)
    assert response.matches == ()
    assert set(response.ambiguous_candidates) == {"live", "conference"}
    assert {hit.strategy for hit in state.hits} == {Strategy.FUZZY}


@pytest.mark.parametrize("product", ["live", "conference"])
def test_a_product_settles_the_ambiguity(product: str, sample_db: Path) -> None:
    """Asked again with one of the candidates, slices of that product come back."""
    hits = found(sample_db, "audio", product=product)
    assert hits
    assert all(slice_id.startswith(f"{product}/") for slice_id, _ in hits)

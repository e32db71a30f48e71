"""From ranked hits to status and reason."""

from pathlib import Path

import pytest
from query_support import answer, begun

from query.trtc import status
from query.trtc.contract import Strategy
from query.trtc.strategies import Hit

SELECTION = "product-selection question, not a slice lookup"


@pytest.mark.parametrize(
    "query",
    [
        "该用哪个产品",
        "哪个 SDK 合适",
        "产品选型",
        "直播还是会议好",
        "Live or Conference",
        "live vs conference",
        "which product should I use",
        "What product fits a webinar",
    ],
)
def test_product_selection(query: str, sample_db: Path) -> None:
    """Which product, and one product or another, are no slice look-up (docs/decisions/trtc.md#product-selection)."""
    told = answer(sample_db, query)
    assert (told["status"], told["reason"], told["matches"]) == ("no_match", SELECTION, [])


@pytest.mark.parametrize("query", ["弹幕", "弹幕还是礼物", "seat or queue", "直播弹幕", "弹幕 vs 礼物"])
def test_no_product_selection(query: str, sample_db: Path) -> None:
    """A choice between features is a look-up."""
    with begun(sample_db, query) as search:
        assert not status.is_product_selection(search)


@pytest.mark.parametrize(
    ("hits", "candidates"),
    [
        ([(3, False), (9, False)], ("live", "conference")),
        ([(9, False), (3, False), (4, False)], ("conference", "live")),
        ([(3, False), (4, False)], ()),
        ([(3, True), (9, True)], ()),
        ([(3, False), (9, True)], ()),
        ([], ()),
    ],
    ids=["two products", "in rank order", "one product", "bodies only", "one in a body", "none"],
)
def test_ambiguous(hits: list[tuple[int, bool]], candidates: tuple[str, ...], sample_db: Path) -> None:
    """Fuzzy hits of several products are ambiguous; a body hit does not count for it.

    The rule is docs/decisions/trtc.md#ambiguity.
    """
    found = [Hit(number, Strategy.FUZZY, body_only=body) for number, body in hits]
    with begun(sample_db, "x") as search:
        assert status.ambiguous(search, found) == candidates


def test_one_better_hit_settles_it(sample_db: Path) -> None:
    """With any hit that is not fuzzy, nothing is ambiguous."""
    with begun(sample_db, "x") as search:
        assert status.ambiguous(search, [Hit(3, Strategy.CROSS_RELATED), Hit(9, Strategy.FUZZY)]) == ()


def test_a_given_product_settles_it(sample_db: Path) -> None:
    """With a product, nothing is ambiguous."""
    with begun(sample_db, "x", product="live") as search:
        assert status.ambiguous(search, [Hit(3, Strategy.FUZZY), Hit(9, Strategy.FUZZY)]) == ()


@pytest.mark.parametrize("query", ["房间号 4001", "4001 个人", "uid 4001"])
def test_a_number_that_is_no_code(query: str, sample_db: Path) -> None:
    """Asked for as an error code, a number that is none is no match, and the reason names it.

    The rule is docs/decisions/trtc.md#what-is-a-code.
    """
    told = answer(sample_db, query, intent="error-code")
    assert told["status"] == "no_match"
    assert "4001" in told["reason"]


@pytest.mark.parametrize(
    "query",
    ["弹幕代码", "弹幕示例代码", "danmu sample code", "danmu code example", "Danmu Snippet", "弹幕 sample code"],
)
def test_code_wanted(query: str, sample_db: Path) -> None:
    """Code asked for without a platform is said in the reason; with one it is not.

    The rule is docs/decisions/trtc.md#code-example-without-platform.
    """
    assert answer(sample_db, query)["reason"] == "platform required for code example"
    assert answer(sample_db, query, platform="ios")["reason"] is None


@pytest.mark.parametrize("query", ["弹幕怎么写", "弹幕", "弹幕的错误码", "弹幕怎么编码"])
def test_no_code_wanted(query: str, sample_db: Path) -> None:
    """How to write it is no call for code."""
    assert answer(sample_db, query)["reason"] is None


@pytest.mark.parametrize("query", ["。，！", "😀", "怎么", "AND", '""'])
def test_nothing_to_search_for(query: str, sample_db: Path) -> None:
    """A query without a subject is no match and says why."""
    told = answer(sample_db, query)
    assert told["status"] == "no_match"
    assert told["reason"].startswith("nothing to search for")

"""The walk along the table of strategies, and what comes out, against the sample's own files.

Step 3, platform filtering.

The order of hits.
"""

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
import yaml
from query_support import answer, found, search

from indexer.build import Sources, build
from query.trtc.contract import CONFIDENCE, Strategy
from query.trtc.pipeline import STRATEGIES, best_of_each, filter_by_platform, ranked
from query.trtc.strategies import Hit, SliceRow

#: Questions of every kind, for what must hold of any answer.
QUERIES = [
    "弹幕",
    "弹幕 礼物",
    "-4002",
    "4102",
    "team-standup",
    "voice-duet",
    "rtc-engine/media-relay live/danmaku-wall",
    "连麦 RTC Engine",
    "屏幕共享 rtc engine",
    "啸叫",
    "麦克风",
    "站会",
    "room",
    "audio",
    "zzqqx",
    "登录 开播 弹幕 礼物",
    "主持人",
]
REQUESTS = [
    {},
    {"product": "live"},
    {"product": "chat"},
    {"platform": "ios"},
    {"platform": "web"},
    {"platform": "android", "intent": "pattern"},
    {"intent": "troubleshoot", "limit": 2},
    {"intent": "error-code"},
]


@pytest.fixture(scope="module")
def catalogue(sample: Sources) -> dict[str, Any]:
    """The sample's index.yaml: slice id -> its entry."""
    assert sample.trtc is not None
    index = yaml.safe_load((sample.trtc / "knowledge-base" / "index.yaml").read_text("utf-8"))
    return {entry["id"]: entry for entry in index["slices"]}


@pytest.fixture(scope="module")
def front_matter(sample: Sources, catalogue: dict[str, Any]) -> dict[str, Any]:
    """Slice id -> the fields of its own page."""
    assert sample.trtc is not None
    base = sample.trtc / "knowledge-base"
    texts = {i: (base / e["file"]).read_text("utf-8") for i, e in catalogue.items() if e["status"] != "planned"}
    return {slice_id: yaml.safe_load(text.split("---")[1]) for slice_id, text in texts.items()}


def test_the_table() -> None:
    """The five strategies stand in the specification's order."""
    assert [*STRATEGIES] == [*Strategy]


@pytest.fixture(params=REQUESTS, ids=str)
def answers(request: pytest.FixtureRequest, sample_db: Path) -> list[dict[str, Any]]:
    """The answers to every question under one kind of request."""
    return [answer(sample_db, query, **request.param) for query in QUERIES]


def test_what_holds_of_any_answer(answers: list[dict[str, Any]], catalogue: dict[str, Any]) -> None:
    """Matches exactly with matched and planned; candidates exactly with ambiguity; ids of the index, each once."""
    for told in answers:
        ids = [match["slice_id"] for match in told["matches"]]
        assert bool(ids) == (told["status"] in {"matched", "status_planned"})
        assert bool(told["ambiguous_candidates"]) == (told["status"] == "ambiguous_product")
        assert (told["reason"] is None) <= (told["status"] == "matched")
        assert len(ids) == len(set(ids)) <= 5
        assert set(ids) <= set(catalogue)


def test_what_holds_of_any_match(
    answers: list[dict[str, Any]], catalogue: dict[str, Any], front_matter: dict[str, Any], sample: Sources
) -> None:
    """Confidence follows from strategy, planned is index-only, files exist, related is the page's own list."""
    assert sample.trtc is not None
    for told in answers:
        ids = {match["slice_id"] for match in told["matches"]}
        for match in told["matches"]:
            planned = catalogue[match["slice_id"]]["status"] == "planned"
            listed = front_matter.get(match["slice_id"], {}).get("related", [])
            assert match["confidence"] == CONFIDENCE[Strategy(match["match_strategy"])]
            assert (match["content_loaded"] == "index-only") == planned
            assert bool(match["file_paths_read"]) == (match["content_loaded"] == "full")
            assert all((sample.trtc / path).is_file() for path in match["file_paths_read"])
            assert match["related"] == [name for name in listed if name in catalogue and name not in ids]


def test_status_of_planned_hits(answers: list[dict[str, Any]], catalogue: dict[str, Any]) -> None:
    """status_planned exactly where every hit is planned, and the reason names rank 1.

    The rule is docs/decisions/trtc.md#planned-slices.
    """
    for told in answers:
        planned = [catalogue[match["slice_id"]]["status"] == "planned" for match in told["matches"]]
        assert (bool(planned) and all(planned)) == (told["status"] == "status_planned")
        if told["status"] == "status_planned":
            assert told["reason"] == f"slice {told['matches'][0]['slice_id']} is status: planned"


def test_reasons_of_matched(answers: list[dict[str, Any]]) -> None:
    """A matched answer has no reason but the two that docs/decisions/trtc.md#reason-with-matched allows."""
    allowed = {None, "platform required for code example"}
    allowed |= {f"no platform-specific file for {name}" for name in ("ios", "web", "android")}
    assert {told["reason"] for told in answers if told["status"] == "matched"} <= allowed


@pytest.mark.parametrize("query", QUERIES)
def test_strategies_come_in_order(query: str, sample_db: Path) -> None:
    """Without a platform, no hit stands above one of a higher strategy."""
    order = [strategy.value for strategy in Strategy]
    ranks = [order.index(strategy) for _, strategy in found(sample_db, query)]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("query", QUERIES)
def test_a_product_filters(query: str, sample_db: Path) -> None:
    """With a product, only exact ids and cross-related hits are of another one.

    The rule is docs/decisions/trtc.md#given-product.
    """
    for slice_id, strategy in found(sample_db, query, product="live"):
        assert slice_id.startswith("live/") or strategy in {"exact", "cross-related"}


@pytest.mark.parametrize("product", ["chat", "call"])
@pytest.mark.parametrize("query", ["弹幕", "-4001", "live/danmaku-wall", "该用哪个产品", "。", "zzqqx"])
def test_no_slice_comes_first(query: str, product: str, sample_db: Path) -> None:
    """A product without slices is no_slice, whatever is asked (docs/decisions/trtc.md#no-slice-before-search)."""
    told = answer(sample_db, query, product=product)
    assert told == {
        "status": "no_slice",
        "matches": [],
        "ambiguous_candidates": [],
        "reason": f"product {product} has no slices in KB",
    }


@pytest.mark.parametrize("query", ["-4001 弹幕 礼物", "4102 耳返", "ERR_CAST_BUSY 弹幕"])
def test_error_code_returns_exact_hits_only(query: str, sample_db: Path) -> None:
    """With intent error-code there is no expansion (docs/decisions/trtc.md#error-code-intent)."""
    assert {strategy for _, strategy in found(sample_db, query, intent="error-code")} == {"exact"}


@pytest.mark.parametrize("words", ["登录票据", "弹幕", "屏幕共享"])
def test_a_missing_code_beside_words(words: str, sample_db: Path) -> None:
    """A code that is nowhere is no match with intent error-code; with another the words count.

    The rule is docs/decisions/trtc.md#code-not-found-with-other-words.
    """
    told = answer(sample_db, f"99999 {words}", intent="error-code")
    assert told["reason"] == "error code 99999 not in any slice.error_codes or body text"
    assert found(sample_db, f"99999 {words}", intent="feature") == found(sample_db, words, intent="feature")


@pytest.mark.parametrize(
    ("platform", "query"), [("ios", "屏幕共享"), ("android", "ERR_CAST_BUSY"), ("flutter", "丢包")]
)
def test_a_platform_that_leaves_nothing(platform: str, query: str, sample_db: Path) -> None:
    """A filter that leaves nothing is no match, and the reason names the platform.

    The rule is docs/decisions/trtc.md#platforms-from-the-index.
    """
    told = answer(sample_db, query, platform=platform)
    assert told["status"] == "no_match"
    assert platform in told["reason"]


def test_in_platform_slices_come_first(sample_db: Path) -> None:
    """An overview of another platform comes after every slice of the one asked for.

    The rule is docs/decisions/trtc.md#platforms-from-the-index.
    """
    ids = [slice_id for slice_id, _ in found(sample_db, "shopping-live-room", platform="android")]
    assert ids[:2] == ["live/danmaku-wall", "live/gift-combo"]


@pytest.mark.parametrize("path", ["live/beauty-preset", "FaceTuner.compare", "直播美颜预设"])
def test_unlisted_pages(path: str, sample_db: Path) -> None:
    """A page that the index does not list is never returned (docs/decisions/trtc.md#unlisted-files)."""
    assert "live/beauty-preset" not in [slice_id for slice_id, _ in found(sample_db, path)]


@pytest.mark.parametrize("name", ["chat/broadcast-group", "chat/multi-instance", "live/mic-invite", "live/nothing"])
def test_unknown_ids(name: str, sample_db: Path) -> None:
    """An id-shaped string that is not in the index is not cut into tags of another product.

    The rule is docs/decisions/trtc.md#unknown-id.
    """
    assert answer(sample_db, name)["status"] == "no_match"


@pytest.mark.parametrize("query", QUERIES)
def test_answers_do_not_depend_on_what_was_asked_before(query: str, sample_db: Path) -> None:
    """The same question gives the same answer again."""
    first = answer(sample_db, query)
    for other in QUERIES[:4]:
        answer(sample_db, other)
    assert answer(sample_db, query) == first


def test_the_search_is_returned(sample_db: Path) -> None:
    """Beside the answer comes the search, with the hits that it names."""
    response, state = search(sample_db, "team-standup")
    assert [hit.number for hit in state.hits] == [9, 11, 10, 12]
    assert len(response.matches) == 4


FILES = {1: "slices/live/a.md", 2: "slices/live/b.md", 3: "slices/conference/web/c.md"}
SLICES = {n: SliceRow(n, f"p/{n}", "p", "", "", file, 0) for n, file in FILES.items()}
PLATFORMS = {1: frozenset({"ios"}), 2: frozenset({"ios", "android"}), 3: frozenset({"web"})}
HITS = [Hit(number, Strategy.TAG) for number in FILES]


@pytest.mark.parametrize(
    ("platform", "kept", "secondary"),
    [
        (None, [1, 2, 3], []),
        ("ios", [1, 2], []),
        ("android", [1, 2], [1]),
        ("web", [1, 2, 3], [1, 2]),
        ("electron", [1, 2], [1, 2]),
    ],
)
def test_in_reach(platform: str | None, kept: list[int], secondary: list[int]) -> None:
    """The index's platforms decide; an overview of another platform stays as secondary.

    The rule is docs/decisions/trtc.md#platforms-from-the-index.
    """
    hits, second = filter_by_platform(HITS, platform, SLICES, PLATFORMS)
    assert ([hit.number for hit in hits], sorted(second)) == (kept, secondary)


def test_nothing_left() -> None:
    """A page of another platform's folder alone leaves nothing."""
    assert filter_by_platform(HITS[2:], "ios", SLICES, PLATFORMS) == ([], frozenset())


def test_a_slice_without_platforms() -> None:
    """A slice that the index gives no platform stays if it is an overview."""
    assert filter_by_platform(HITS[:1], "ios", SLICES, {}) == (HITS[:1], frozenset({1}))


@pytest.mark.parametrize(
    ("file", "overview"),
    [("slices/live/a.md", True), ("slices/live/ios/a.md", False), ("slices/conference/web/a.md", False)],
)
def test_is_overview(file: str, overview: bool) -> None:
    """An overview's path has no platform folder."""
    assert SliceRow(1, "p/1", "p", "", "", file, 0).is_overview is overview


EXACT, TAG, KEYWORD, CROSS, FUZZY = Strategy


@pytest.mark.parametrize("strategies", list(permutations([EXACT, TAG, FUZZY])))
def test_the_highest_strategy_counts(strategies: tuple[Strategy, ...]) -> None:
    """A slice that several strategies hit counts once, under the highest.

    The rule is docs/decisions/trtc.md#several-strategies-one-slice.
    """
    assert best_of_each([Hit(1, strategy) for strategy in strategies]) == [Hit(1, EXACT)]


def test_the_first_of_equal_strategies_stays() -> None:
    """Of two hits by one strategy, the first one stays."""
    assert best_of_each([Hit(1, TAG, (1.0,)), Hit(1, TAG, (9.0,))]) == [Hit(1, TAG, (1.0,))]


@pytest.mark.parametrize(
    ("hits", "secondary", "wanted"),
    [
        ([Hit(1, FUZZY), Hit(2, CROSS), Hit(3, KEYWORD), Hit(4, TAG), Hit(5, EXACT)], [], [5, 4, 3, 2, 1]),
        ([Hit(1, TAG, (1.0,)), Hit(2, TAG, (3.0,)), Hit(3, TAG, (2.0,))], [], [2, 3, 1]),
        ([Hit(1, TAG, (1.0, 1.0)), Hit(2, TAG, (1.0, 2.0))], [], [2, 1]),
        ([Hit(3, TAG, (1.0,)), Hit(1, TAG, (1.0,))], [], [1, 3]),
        ([Hit(1, EXACT, (9.0,)), Hit(2, FUZZY)], [1], [2, 1]),
        ([Hit(1, FUZZY, (99.0,)), Hit(2, EXACT, (-5.0,))], [], [2, 1]),
        ([], [], []),
    ],
    ids=["strategy", "order", "second part", "index order", "secondary last", "strategy before order", "none"],
)
def test_ranked(hits: list[Hit], secondary: list[int], wanted: list[int]) -> None:
    """In-platform first, then strategy, then the strategy's own order, then the index's."""
    for shuffled in permutations(hits):
        assert [hit.number for hit in ranked(shuffled, frozenset(secondary))] == wanted


def test_a_slice_without_a_page(tree: Sources, tmp_path: Path) -> None:
    """A listed slice whose page is missing is like a planned one, with its own reason, unless another has content."""
    assert tree.trtc is not None
    for page in (tree.trtc / "knowledge-base" / "slices").rglob("gift-combo.md"):
        page.unlink()
    build(tree, tmp_path / "x.db")
    response = answer(tmp_path / "x.db", "live/gift-combo")
    assert response["status"] == "status_planned"
    assert response["reason"] == "slice live/gift-combo has no page in KB"
    assert [match["content_loaded"] for match in response["matches"]] == ["index-only"]
    assert answer(tmp_path / "x.db", "弹幕和礼物")["status"] == "matched"

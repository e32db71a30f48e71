"""Strategy 1: error codes, slice ids, scenario ids."""

from pathlib import Path

import pytest
from query_support import begun, found
from split_support import WEB, write_base

from indexer.build import Sources, build
from query.trtc.strategies import exact

TICKET, STAGE, WALL, GIFT, MIC, VOICE = (
    "live/entry-ticket",
    "live/stage-room",
    "live/danmaku-wall",
    "live/gift-combo",
    "live/mic-queue",
    "live/voice-monitor",
)
MEETING, SHARE, NETWORK, BEAUTY = (
    "conference/meeting-room",
    "conference/screen-share",
    "conference/network-gauge",
    "conference/beauty-filter",
)
JOIN, RELAY = "rtc-engine/join-channel", "rtc-engine/media-relay"


def slices(db: Path, query: str, **request: str) -> list[str]:
    """The slices of the exact hits."""
    return [slice_id for slice_id, strategy in found(db, query, **request) if strategy == "exact"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("-4001", [TICKET]),
        ("4001", [TICKET]),
        ("－４００１", [TICKET]),
        ("−4001", [TICKET]),
        ("–4001", [TICKET]),
        ("错误码-4001", [TICKET]),
        ("错误码: -4001", [TICKET]),
        ("code=-4001", [TICKET]),
        ("code:4001;", [TICKET]),
        ("ErrorCode=4001", [TICKET]),
        ("报4001", [TICKET]),
        ("4001错误", [TICKET]),
        ("返回4001", [TICKET]),
        ("（4001）", [TICKET]),
        ("AEXC4001", [TICKET]),
        ("0x139C", [NETWORK]),
        ("5020", [NETWORK]),
        ("-5020", []),
        ("-4002", [TICKET, WALL]),
        ("-4102", [STAGE, MIC]),
        ("-4102 连麦", [MIC, STAGE]),
        ("-4002 弹幕", [WALL, TICKET]),
        ("70004", [TICKET]),
        ("70005", [TICKET]),
        ("70004-70005", [TICKET]),
        ("70002", []),
        ("-4104", []),
        ("-4101 ~ -4109", [STAGE]),
        ("70120", [GIFT]),
        ("70120 70121 -4001", [GIFT, TICKET]),
        ("ERR_PASSCODE_REQUIRED", [MEETING]),
        ("err_passcode_required", [MEETING]),
        ("ERR_SIMD_MISSING", [BEAUTY]),
        ("ERR_NOPE", []),
        ("-4507", [VOICE]),
        ("14001", []),
        ("400", []),
    ],
)
def test_codes(query: str, wanted: list[str], sample_db: Path) -> None:
    """Signs, spellings, ranges and symbols of codes (docs/decisions/trtc.md#what-is-a-code)."""
    assert slices(sample_db, query, intent="error-code") == wanted


@pytest.mark.parametrize(
    "query",
    [
        "房间号 4001",
        "房间号4001",
        "uid 4001",
        "userId=4001",
        "appid 4001",
        "端口 5020",
        "port 5020",
        "4001 个人",
        "4001人",
        "5020 秒",
        "5020ms",
        "v4001.2",
        "4001.5",
        "2024-4001-01",
        "1.4001",
        "13840015020",
        "shop_4001",
        "live/x4001",
        "https://example.com/4001",
        "12:4001",
    ],
)
@pytest.mark.parametrize("intent", ["error-code", "feature"])
def test_no_codes(query: str, intent: str, sample_db: Path) -> None:
    """A number that counts, names or is part of something is no code (docs/decisions/trtc.md#what-is-a-code)."""
    assert slices(sample_db, query, intent=intent) == []


@pytest.mark.parametrize(("product", "wanted"), [("live", [TICKET]), ("conference", [])])
def test_a_product_limits_codes(product: str, wanted: list[str], sample_db: Path) -> None:
    """A code is looked up in the given product's slices alone (docs/decisions/trtc.md#given-product)."""
    assert slices(sample_db, "-4001", product=product) == wanted


@pytest.mark.parametrize("intent", ["pattern", "feature", "troubleshoot"])
def test_prose_is_searched_with_intent_error_code_only(intent: str, sample_db: Path) -> None:
    """A code that no table lists is looked up in prose only with intent error-code."""
    assert slices(sample_db, "-4507", intent=intent) == []


def test_tables_come_before_prose(sample_db: Path) -> None:
    """-4102 stands in two tables and in the prose of a third slice, which is not a hit.

    The rule is docs/decisions/trtc.md#several-slices-list-a-code.
    """
    with begun(sample_db, "-4106", intent="error-code") as search:
        prose = search.index.rows("SELECT 1 FROM error_code WHERE code = '-4106' AND place = 'prose'")
        hits = [search.slices[hit.number].slice_id for hit in exact.find(search)]
    assert prose
    assert hits == [STAGE]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (WALL, [WALL]),
        ("LIVE/Danmaku-Wall", [WALL]),
        ("live/danmaku-wall.md", [WALL]),
        (f"{WALL} 怎么接", [WALL]),
        (f"怎么接 {WALL}？", [WALL]),
        (f"{GIFT} {WALL}", [GIFT, WALL]),
        (RELAY, [RELAY]),
        ("live/danmaku", []),
        ("live/danmaku-wall-2", []),
        ("xlive/danmaku-wall", []),
        ("conference/danmaku-wall", []),
    ],
)
@pytest.mark.parametrize("product", [None, "conference"])
def test_slice_ids(query: str, wanted: list[str], product: str | None, sample_db: Path) -> None:
    """A slice id is found whole, in any case, in the query's order, whatever the product.

    The rule is docs/decisions/trtc.md#given-product.
    """
    assert slices(sample_db, query, product=product) == wanted


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("team-standup", [MEETING, NETWORK, SHARE, BEAUTY]),
        ("Team-Standup 怎么做", [MEETING, NETWORK, SHARE, BEAUTY]),
        ("voice-duet", [JOIN, RELAY]),
        ("shopping-live-room", [TICKET, STAGE, WALL, GIFT, MIC]),
        ("team-standup-2", []),
        ("team standup", []),
    ],
)
def test_scenario_ids(query: str, wanted: list[str], sample_db: Path) -> None:
    """A scenario's slices come in its order, each once, up to the limit (docs/decisions/trtc.md#scenario-hits)."""
    assert slices(sample_db, query) == wanted


def test_the_reason_of_a_miss(sample_db: Path) -> None:
    """A code that is nowhere leaves its reason with the search."""
    with begun(sample_db, "99999", intent="error-code") as search:
        assert list(exact.find(search)) == []
        assert search.failure == "error code 99999 not in any slice.error_codes or body text"


@pytest.mark.parametrize(
    ("query", "intent", "wanted"),
    [
        ("7", "error-code", ("7",)),
        ("7", "feature", ()),
        ("错误码 7", "feature", ("7",)),
        ("-7", "feature", ("-7",)),
        ("4001", "feature", ("4001",)),
        ("ERR_X", "feature", ("ERR_X",)),
        ("x-www_form", "feature", ()),
        ("4001 4001", "feature", ("4001",)),
    ],
)
def test_requested_codes(query: str, intent: str, wanted: tuple[str, ...], sample_db: Path) -> None:
    """A short bare number is a code only where it is asked for or called one."""
    with begun(sample_db, query, intent=intent) as search:
        assert exact.requested_codes(search) == wanted


@pytest.mark.parametrize("query", ["70031", "-70031", "报错 70031 怎么办", "err_no_sticker", "8101"])
def test_code_of_an_index(tmp_path: Path, query: str) -> None:
    """A code that an index lists among its keywords is an exact hit, as one in a table is; signs are read alike."""
    text = WEB.replace("[贴纸包, sticker]", "[70031, ERR_NO_STICKER]")
    build(Sources(write_base(tmp_path, **{"chat/web/index.yaml": text}), None), tmp_path / "x.db")
    wanted = {"-70031": [], "8101": ["live/firework"]}.get(query, ["chat/sticker"])
    assert slices(tmp_path / "x.db", query) == wanted


def test_who_lists_a_code(tmp_path: Path) -> None:
    """What led to the hit says table where a page's table has the code, else index."""
    text = WEB.replace("[贴纸包, sticker]", "[70031, -8101]")
    table = "# 贴纸\n## 错误码\n| 码 |\n|--|\n| 70031 |\n"
    changed = {"chat/web/index.yaml": text, "slices/chat/web/sticker.md": table}
    build(Sources(write_base(tmp_path, **changed), None), tmp_path / "x.db")
    with begun(tmp_path / "x.db", "70031 -8101") as search:
        reasons = {search.slices[hit.number].slice_id: hit.reasons for hit in exact.find(search)}
    assert reasons == {
        "chat/sticker": ("index lists -8101", "table lists 70031"),
        "live/firework": ("table lists -8101",),
    }

"""Strategy 2: tags of the index that the query names."""

from pathlib import Path

import pytest
from query_support import begun, found

from query.trtc.strategies import tag

CONFIDENT = {"exact", "tag"}


def high(db: Path, query: str, **request: str) -> list[str]:
    """The slices of high confidence."""
    return [slice_id for slice_id, strategy in found(db, query, **request) if strategy in CONFIDENT]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("barrage", "live/danmaku-wall"),
        ("danmu", "live/danmaku-wall"),
        ("弹幕", "live/danmaku-wall"),
        ("彈幕", "live/danmaku-wall"),
        ("ＤＡＮＭＵ", "live/danmaku-wall"),
        ("怎么发弹幕", "live/danmaku-wall"),
        ("gift", "live/gift-combo"),
        ("礼物", "live/gift-combo"),
        ("连麦", "live/mic-queue"),
        ("co-guest", "live/mic-queue"),
        ("CoGuest", "live/mic-queue"),
        ("coguest", "live/mic-queue"),
        ("音效", "live/voice-monitor"),
        ("耳返", "live/voice-monitor"),
        ("ear monitor", "live/voice-monitor"),
        ("黑屏", "live/stage-room"),
        ("black screen", "live/stage-room"),
        ("screen share", "conference/screen-share"),
        ("Screen-Sharing", "conference/screen-share"),
        ("屏幕共享", "conference/screen-share"),
        ("美颜", "conference/beauty-filter"),
        ("丢包", "conference/network-gauge"),
        ("packet loss", "conference/network-gauge"),
        ("登录", "live/entry-ticket"),
        ("登陆", "live/entry-ticket"),
        ("UserSig", "live/entry-ticket"),
        ("DanmakuWall", "live/danmaku-wall"),
        ("useScreenCast", "conference/screen-share"),
    ],
)
def test_tags(query: str, first: str, sample_db: Path) -> None:
    """A tag's own name in either language, any case, with or without hyphens, is a high hit.

    The rule is docs/decisions/trtc.md#hint-targets-without-a-tag.
    """
    assert high(sample_db, query)[:1] == [first]


@pytest.mark.parametrize(
    "query",
    [
        "PK",
        "跨房连线",
        "抽奖",
        "电子白板",
        "房间抽奖",
        "message translate",
        "room 电子白板",
        "互踢",
        "kick offline",
        "zzqqx",
    ],
)
def test_no_high_hit(query: str, sample_db: Path) -> None:
    """A feature that the base lacks is never high, whatever generic tag stands beside it."""
    assert high(sample_db, query) == []


@pytest.mark.parametrize("query", ["renew"])
def test_front_matter_tags_are_not_high(query: str, sample_db: Path) -> None:
    """A tag of the front matter alone is medium at most (docs/decisions/trtc.md#page-tags)."""
    assert found(sample_db, query) != []
    assert high(sample_db, query) == []
    assert high(sample_db, query, product="live") == []


@pytest.mark.parametrize(("query", "product"), [("弹幕", "conference"), ("屏幕共享", "live"), ("美颜", "live")])
def test_a_product_limits_tags(query: str, product: str, sample_db: Path) -> None:
    """With a product, tags of other products' slices do not count (docs/decisions/trtc.md#given-product)."""
    with begun(sample_db, query, product=product) as search:
        assert list(tag.find(search)) == []


def test_a_tag_of_a_planned_slice(sample_db: Path) -> None:
    """A planned slice is found by its tags like any other."""
    assert found(sample_db, "token") == [("rtc-engine/join-channel", "tag")]


def test_via_names_the_tags(sample_db: Path) -> None:
    """A hit says over which tags it came."""
    with begun(sample_db, "barrage") as search:
        (hit,) = tag.find(search)
    assert "tag barrage" in hit.reasons


@pytest.mark.parametrize(
    ("query", "is_high"),
    [
        ("弹幕飘屏", True),
        ("弹幕导出成 Excel", False),
        ("屏幕共享时远程控制对方的电脑", False),
        ("礼物和弹幕", True),
        ("礼物和红包雨", False),
    ],
)
def test_every_term_counts(query: str, is_high: bool, sample_db: Path) -> None:
    """A slice that does not match an action or aspect of the query outside its body is no hit of high confidence."""
    assert bool(high(sample_db, query)) is is_high


@pytest.mark.parametrize(
    "query",
    [
        "Quxmeet 的屏幕共享",
        "Barvendor 弹幕怎么发",
        "布丁视频那种礼物",
        "用 Cobol 调接口发弹幕",
        "服务端接口发弹幕",
        "屏幕共享要买流量包吗",
        "弹幕要不要付费",
        "鸿蒙弹幕",
        "uniapp 屏幕共享",
        "弹幕和 Quxmeet 的聊天比怎么样",
    ],
)
def test_classes_outside_the_base(query: str, sample_db: Path) -> None:
    """Another vendor, a platform, a language, a server or a price that no page mentions leaves nothing high."""
    assert high(sample_db, query) == []

"""A question becomes spans: codes, ids, concepts, tags, products, words, and what nothing knows."""

from pathlib import Path

import pytest
from query_support import begun

from query.limits import MAX_CHARACTERS
from query.trtc.parse import ParsedQuery
from query.trtc.terms import TermKind


def question(db: Path, query: str) -> ParsedQuery:
    """A read question."""
    with begun(db, query) as search:
        return search.question


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("ＩＯＳ　推送４１４", "IOS 推送414"),
        ("離線推送收不到", "离线推送收不到"),
        ("－1002 −1002", "-1002 -1002"),
        ("（）：～", "():~"),
        ("iPhone", "iPhone"),
    ],
)
def test_folded_text(query: str, text: str, sample_db: Path) -> None:
    """Full width, traditional characters and minus signs are folded; letter case stays."""
    assert question(sample_db, query).text == text


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("live/danmaku-wall", ("live/danmaku-wall",)),
        ("LIVE/Danmaku-Wall.md", ("live/danmaku-wall",)),
        ("看 live/a 和 chat/b", ("live/a", "chat/b")),
        ("live/a live/a", ("live/a",)),
        ("slices/live/ios/a.md", ("slices/live", "live/ios", "ios/a", "slices/ios", "live/a")),
        ("看live/a怎么用", ("live/a",)),
        ("1/2", ()),
        ("/live/a", ()),
        ("live/", ()),
    ],
)
def test_ids(query: str, ids: tuple[str, ...], sample_db: Path) -> None:
    """Id-shaped strings are read whole, in lower case, each once, whether or not the index has them."""
    assert question(sample_db, query).ids == ids


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ("弹幕", [("弹幕", TermKind.CONCEPT)]),
        ("直播", [("直播", TermKind.PRODUCT)]),
        ("怎么", [("怎么", TermKind.STOP)]),
        ("zzqqx", [("zzqqx", TermKind.UNKNOWN)]),
        ("接口", [("接口", TermKind.WORD)]),
        ("怎么 弹幕", [("怎么", TermKind.STOP), ("弹幕", TermKind.CONCEPT)]),
    ],
)
def test_kinds(query: str, kinds: list[tuple[str, TermKind]], sample_db: Path) -> None:
    """Each span is what the index knows of it."""
    spans = question(sample_db, query).spans
    wanted = dict(kinds)
    assert {span.text: span.kind for span in spans if span.text in wanted} == wanted


QUERIES = [
    "怎么发弹幕",
    "直播间黑屏怎么办 -4101",
    "How do I share my screen with audio?",
    "useScreenCast() 报 ERR_CAST_BUSY",
    "live/danmaku-wall 与 chat/x",
    "😀 zzqqx 抽奖抽奖",
    "离線 ＩＯＳ",
    "",
    "a" * 3000,
    "弹" * 3000,
]


@pytest.mark.parametrize("query", QUERIES)
def test_spans_lie_side_by_side(query: str, sample_db: Path) -> None:
    """Spans come in order, do not overlap, and are the text at their place."""
    read = question(sample_db, query)
    edges = [edge for span in read.spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(read.text[span.start : span.end] == span.text for span in read.spans)
    assert all(span.start < span.end for span in read.spans)


@pytest.mark.parametrize("query", QUERIES)
def test_content_carries_the_question(query: str, sample_db: Path) -> None:
    """Stop words, products and context are no content, and what is said twice counts once."""
    read = question(sample_db, query)
    empty = {TermKind.STOP, TermKind.PRODUCT, TermKind.CONTEXT}
    texts = dict.fromkeys(span.text.lower() for span in read.spans if span.kind not in empty)
    spoken = dict.fromkeys(span.text.lower() for span in read.spans if span.kind is not TermKind.STOP)
    assert [span.text.lower() for span in read.content] == list(texts or spoken)


@pytest.mark.parametrize(
    ("query", "products"),
    [
        ("直播", ("live",)),
        ("直播还是会议", ("live", "conference")),
        ("会议，直播，会议", ("conference", "live")),
        ("RTC Engine 连麦", ("rtc-engine",)),
        ("弹幕", ()),
    ],
)
def test_products(query: str, products: tuple[str, ...], sample_db: Path) -> None:
    """The products that a question names come in its order, each once."""
    assert question(sample_db, query).products == products


def test_numbers_and_ids_are_no_words(sample_db: Path) -> None:
    """What is read as a code or an id is not read as a word as well."""
    assert question(sample_db, "-4001 live/danmaku-wall").spans == ()


@pytest.mark.parametrize(("length", "truncated"), [(MAX_CHARACTERS, False), (MAX_CHARACTERS + 1, True), (10**6, True)])
def test_long_questions(length: int, truncated: bool, sample_db: Path) -> None:
    """A longer question is cut and says so."""
    read = question(sample_db, "弹" * length)
    assert read.truncated is truncated
    assert len(read.text) <= MAX_CHARACTERS


@pytest.mark.parametrize(("query", "run"), [("zzqqx wwvvq", 2), ("抽奖zzqqx", 2), ("zzqqx，wwvvq", 2)])
def test_unknown_runs(query: str, run: int, sample_db: Path) -> None:
    """A run of what nothing knows is one span; a gap or another script begins a new one."""
    assert len(question(sample_db, query).spans) == run


@pytest.mark.parametrize(
    "query", ["uid 100018", "appid: 60006", "SDKAppID=1400000001", "端口 60003", "房间号是 1002", "room id 42"]
)
def test_the_name_of_a_given_value_is_no_subject(query: str, sample_db: Path) -> None:
    """Whoever gives a value asks nothing about its name (decision 27)."""
    assert question(sample_db, query).content == ()


def test_the_name_of_a_value_alone_is_one(sample_db: Path) -> None:
    """Without a value, the name is what is asked about."""
    assert next(span.text for span in question(sample_db, "SDKAppID 填错了").content) == "SDKAppID"


def test_a_mistyped_word_is_read_as_it_was_meant(sample_db: Path) -> None:
    """Both what was said and what was meant are kept."""
    read = question(sample_db, "旦木发不出去")
    assert [(piece.said, piece.meant) for piece in read.corrections] == [("旦木", "弹幕")]
    assert read.text.startswith("弹幕")

"""Parsing of queries: codes, ids, concepts, tags, products, words, and unknown text."""

from pathlib import Path

import pytest
from query_support import begun

from query.limits import MAX_CHARACTERS
from query.trtc.parse import ParsedQuery
from query.trtc.terms import TermKind


def parsed(db: Path, query: str) -> ParsedQuery:
    """A parsed query."""
    with begun(db, query) as search:
        return search.parsed


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
    assert parsed(sample_db, query).text == text


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
    assert parsed(sample_db, query).ids == ids


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
    """Each term is what the index knows of it."""
    spans = parsed(sample_db, query).terms
    wanted = dict(kinds)
    assert {term.text: term.kind for term in spans if term.text in wanted} == wanted


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
def test_terms_do_not_overlap(query: str, sample_db: Path) -> None:
    """Spans come in order, do not overlap, and are the text at their place."""
    found = parsed(sample_db, query)
    edges = [edge for term in found.terms for edge in (term.start, term.end)]
    assert edges == sorted(edges)
    assert all(found.text[term.start : term.end] == term.text for term in found.terms)
    assert all(term.start < term.end for term in found.terms)


@pytest.mark.parametrize("query", QUERIES)
def test_content_terms(query: str, sample_db: Path) -> None:
    """Stop words, products and context are no content terms, and a repeated text counts once."""
    found = parsed(sample_db, query)
    empty = {TermKind.STOP, TermKind.PRODUCT, TermKind.CONTEXT}
    texts = dict.fromkeys(term.text.lower() for term in found.terms if term.kind not in empty)
    named = dict.fromkeys(term.text.lower() for term in found.terms if term.kind is not TermKind.STOP)
    assert [term.text.lower() for term in found.content_terms] == list(texts or named)


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
    """The products that a query names come in its order, each once."""
    assert parsed(sample_db, query).products == products


def test_numbers_and_ids_are_no_words(sample_db: Path) -> None:
    """A code or an id is not a word as well."""
    assert parsed(sample_db, "-4001 live/danmaku-wall").terms == ()


@pytest.mark.parametrize(("length", "truncated"), [(MAX_CHARACTERS, False), (MAX_CHARACTERS + 1, True), (10**6, True)])
def test_long_questions(length: int, truncated: bool, sample_db: Path) -> None:
    """A longer query is cut and marked as truncated."""
    found = parsed(sample_db, "弹" * length)
    assert found.truncated is truncated
    assert len(found.text) <= MAX_CHARACTERS


@pytest.mark.parametrize(("query", "run"), [("zzqqx wwvvq", 2), ("抽奖zzqqx", 2), ("zzqqx，wwvvq", 2)])
def test_unknown_runs(query: str, run: int, sample_db: Path) -> None:
    """A run of unknown text is one term; a gap or another script begins a new one."""
    assert len(parsed(sample_db, query).terms) == run


def test_a_mistyped_word_is_corrected(sample_db: Path) -> None:
    """The typed text and its correction are both kept, and the text is corrected."""
    found = parsed(sample_db, "旦木发不出去")
    assert [(piece.typed, piece.name) for piece in found.corrections] == [("旦木", "弹幕")]
    assert found.text.startswith("弹幕")

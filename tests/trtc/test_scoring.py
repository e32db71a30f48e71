"""Field matches of a query: shapes, scores, tags, and features that the base does not have."""

from pathlib import Path

import pytest
from query_support import begun

from query.trtc.scoring import BODY, FIELD_WEIGHT

QUERIES = ["弹幕 礼物", "耳返没声音", "login usersig", "抽奖 弹幕", "zzqqx", "", "回声 -4001"]


@pytest.mark.parametrize("query", QUERIES)
def test_shapes(query: str, sample_db: Path) -> None:
    """Each content term has matches and a weight, and every field is a column of the full-text table."""
    with begun(sample_db, query) as search:
        matches = search.matches
        columns = {row[1] for row in search.index.rows("PRAGMA table_info(slice_words)")}
        assert set(FIELD_WEIGHT) <= columns
        assert BODY in FIELD_WEIGHT
        assert len(matches.matches) == len(matches.weights) == len(search.parsed.content_terms)
        assert {name for found in matches.matches for fields in found.values() for name in fields} <= set(FIELD_WEIGHT)


@pytest.mark.parametrize("query", QUERIES)
def test_scores(query: str, sample_db: Path) -> None:
    """A slice with a match has a score above zero and a coverage of 0 to 1; a slice without one scores zero."""
    with begun(sample_db, query) as search:
        matches = search.matches
        for number in search.slices:
            assert (matches.score(number) > 0) == (number in matches.slices())
            assert 0 <= matches.coverage(number) <= 1


def test_a_question_without_content(sample_db: Path) -> None:
    """A query without a subject has no matches and no coverage."""
    with begun(sample_db, "怎么") as search:
        assert search.matches.slices() == set()
        assert search.matches.coverage(1) == 0.0


@pytest.mark.parametrize(
    ("query", "tag", "slice_number"),
    [
        ("barrage", "barrage", 5),
        ("弹幕", "barrage", 5),
        ("CoGuest", "coguest", 7),
        ("co-guest", "coguest", 7),
        ("screen share", "screen-share", 10),
        ("屏幕共享", "screen-share", 10),
        ("SESSIONHUB", "SessionHub", 3),
    ],
)
def test_tag_hits(query: str, tag: str, slice_number: int, sample_db: Path) -> None:
    """A tag is found by its name without case and hyphens, and by its name in the other language."""
    with begun(sample_db, query) as search:
        hits = {(hit.tag, hit.slice) for hit in search.matches.tag_hits if hit.named}
    assert (tag, slice_number) in hits


@pytest.mark.parametrize(
    ("query", "origin"), [("renew", "page"), ("login", "index"), ("throttle", "index"), ("smooth", "index")]
)
def test_origins(query: str, origin: str, sample_db: Path) -> None:
    """Tags of the base's index and tags of front matter alone have different origins."""
    with begun(sample_db, query) as search:
        assert {hit.origin for hit in search.matches.tag_hits} == {origin}


@pytest.mark.parametrize("tag", ["room", "message", "join", "start", "session", "audience"])
def test_generic_tags(tag: str, sample_db: Path) -> None:
    """A tag that names no feature is marked as generic."""
    with begun(sample_db, tag) as search:
        assert {hit.generic for hit in search.matches.tag_hits if hit.tag == tag} == {True}


@pytest.mark.parametrize("query", ["PK", "跨房连线", "电子白板", "抽奖"])
def test_unsupported_features(query: str, sample_db: Path) -> None:
    """A concept without a tag in this base is an unsupported feature."""
    with begun(sample_db, query) as search:
        assert search.matches.unsupported_features == (0,)


@pytest.mark.parametrize("query", ["弹幕", "屏幕共享", "zzqqx", "room"])
def test_supported_or_unknown(query: str, sample_db: Path) -> None:
    """A concept with a tag is not an unsupported feature, nor is unknown text."""
    with begun(sample_db, query) as search:
        assert search.matches.unsupported_features == ()

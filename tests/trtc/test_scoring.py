"""What each slice says of each span of a question."""

from pathlib import Path

import pytest
from query_support import begun

from query.trtc.scoring import FIELD_WEIGHT, STRONG_FIELDS

QUERIES = ["弹幕 礼物", "耳返没声音", "login usersig", "抽奖 弹幕", "zzqqx", "", "回声 -4001"]


@pytest.mark.parametrize("query", QUERIES)
def test_shapes(query: str, sample_db: Path) -> None:
    """There is one set of fields and one weight for each content span, and every field is a column of the index."""
    with begun(sample_db, query) as search:
        evidence = search.evidence
        columns = {row[1] for row in search.index.rows("PRAGMA table_info(slice_words)")}
        assert set(FIELD_WEIGHT) <= columns
        assert set(FIELD_WEIGHT) >= STRONG_FIELDS
        assert len(evidence.fields) == len(evidence.weights) == len(search.question.content)
        assert {name for found in evidence.fields for fields in found.values() for name in fields} <= set(FIELD_WEIGHT)


@pytest.mark.parametrize("query", QUERIES)
def test_scores(query: str, sample_db: Path) -> None:
    """A slice that says something scores above zero and covers between nothing and all; one that does not, zero."""
    with begun(sample_db, query) as search:
        evidence = search.evidence
        for number in search.slices:
            assert (evidence.score(number) > 0) == (number in evidence.slices())
            assert 0 <= evidence.coverage(number) <= 1


def test_a_question_without_content(sample_db: Path) -> None:
    """Without a subject there is neither coverage nor evidence."""
    with begun(sample_db, "怎么") as search:
        assert search.evidence.slices() == set()
        assert search.evidence.coverage(1) == 0.0


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
    """A tag is led to by its name without case and hyphens, and by its name in the other language (decision 18)."""
    with begun(sample_db, query) as search:
        hits = {(hit.tag, hit.slice) for hit in search.evidence.tag_hits if hit.named}
    assert (tag, slice_number) in hits


@pytest.mark.parametrize(
    ("query", "origin"), [("renew", "page"), ("login", "index"), ("throttle", "index"), ("smooth", "index")]
)
def test_origins(query: str, origin: str, sample_db: Path) -> None:
    """Tags of the index and tags of the front matter alone are told apart (decision 26)."""
    with begun(sample_db, query) as search:
        assert {hit.origin for hit in search.evidence.tag_hits} == {origin}


@pytest.mark.parametrize("tag", ["room", "message", "join", "start", "session", "audience"])
def test_generic_tags(tag: str, sample_db: Path) -> None:
    """A tag that names no capability is marked as generic (decision 17)."""
    with begun(sample_db, tag) as search:
        assert {hit.generic for hit in search.evidence.tag_hits if hit.tag == tag} == {True}


@pytest.mark.parametrize("query", ["PK", "跨房连线", "电子白板", "抽奖"])
def test_lacking(query: str, sample_db: Path) -> None:
    """A feature that is known, but that no tag here carries, is lacking (decision 18)."""
    with begun(sample_db, query) as search:
        assert search.evidence.unsupported_features == (0,)


@pytest.mark.parametrize("query", ["弹幕", "屏幕共享", "zzqqx", "room"])
def test_not_lacking(query: str, sample_db: Path) -> None:
    """What a tag carries is not lacking, nor is what nothing knows."""
    with begun(sample_db, query) as search:
        assert search.evidence.unsupported_features == ()

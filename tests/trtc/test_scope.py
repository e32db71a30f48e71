"""Parts of a query that are not its question: negated and working features, circumstances, pasted material."""

from pathlib import Path

import pytest
from query_support import parsed_query

from query.trtc.scope import is_circumstance

NEGATIONS = {
    "礼物，不要弹幕": ["礼物"],
    "不用弹幕，只要礼物": ["礼物"],
    "别连麦，屏幕共享就行": ["屏幕共享"],
    "不是礼物，是弹幕": ["弹幕"],
    "除了弹幕，还能用礼物吗": ["礼物"],
    "弹幕正常，但礼物不行": ["礼物"],
    "barrage works fine but gift does not": ["gift"],
    "not the gift, the barrage": ["barrage"],
    "without gift, barrage only": ["barrage"],
}
NO_NEGATIONS = {
    "不要弹幕了，怎么办": "弹幕",
    "禁止发礼物": "礼物",
    "禁止弹幕": "弹幕",
    "弹幕和礼物的区别": "弹幕",
    "别人的礼物": "礼物",
    "screen share is not working": "screen share",
}


@pytest.mark.parametrize(("query", "features"), NEGATIONS.items(), ids=NEGATIONS)
def test_negated_features_are_no_content(query: str, features: list[str], sample_db: Path) -> None:
    """A feature in the scope of a negation, or reported as working, is not what the query is about."""
    named = [term.text for term in parsed_query(sample_db, query).content_terms if term.names_feature]
    assert named == features


@pytest.mark.parametrize(("query", "feature"), NO_NEGATIONS.items(), ids=NO_NEGATIONS)
def test_no_negation(query: str, feature: str, sample_db: Path) -> None:
    """A ban, a cancellation, a symptom and a word that only contains 别 ask about their object; so does a lone one."""
    assert feature in [term.text for term in parsed_query(sample_db, query).content_terms]


@pytest.mark.parametrize(
    ("query", "text", "wanted"),
    [
        ("弹幕之后看礼物", "弹幕", True),
        ("弹幕时看礼物", "弹幕", True),
        ("弹幕的时候看礼物", "弹幕", True),
        ("弹幕后台", "弹幕", False),
        ("弹幕时间", "弹幕", False),
        ("弹幕和礼物", "弹幕", False),
    ],
)
def test_circumstances(query: str, text: str, wanted: bool, sample_db: Path) -> None:
    """A term before 后, 前, 时 or 期间 only states when something happens."""
    found = parsed_query(sample_db, query)
    (term,) = [term for term in found.terms if term.text == text]
    assert is_circumstance(found.text, term) is wanted


PASTED = {
    "an absolute path": "弹幕发不出去 /storage/emulated/0/Android/data/files/gift/",
    "a label of a template": "弹幕发不出去\n日志文件：",
    "a Windows path": r"弹幕发不出去 C:\gift\barrage.log",
    "a stack frame": "弹幕发不出去\n    at gift.send (app.js:10:5)",
    "a request and its status": "弹幕发不出去\nGET https://example.com/gift 404 (Not Found)",
    "a log prefix": "弹幕发不出去\n[2026-01-05 10:23:40.120] [ERROR]",
    "an address": "弹幕发不出去 0x7ffdeadbeef",
}


@pytest.mark.parametrize("query", PASTED.values(), ids=PASTED)
def test_pasted_material_has_no_terms(query: str, sample_db: Path) -> None:
    """The terms of a query with pasted material are those of its question."""
    plain = [term.text for term in parsed_query(sample_db, "弹幕发不出去").content_terms]
    assert [term.text for term in parsed_query(sample_db, query).content_terms] == plain

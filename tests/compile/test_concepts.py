"""The vocabulary compiled against an index.

A base's synonyms joined to the vocabulary.
"""

import pytest

from indexer.compile.concepts import concept_keys, concept_tags, product_names, slice_postings, with_aliases
from indexer.records import Alias, Concept

GIFT = Concept("gift", "lexicon", (("name", "礼物"), ("name", "gift"), ("typo", "礼勿"), ("evokes", "礼物")), ("gift",))
BILLING = Concept("billing", "lexicon", (("name", "扣费"), ("evokes", "gift")), ("billing", "gift"))
MONITOR = Concept("ear-monitor", "lexicon", (("name", "耳返"), ("name", "耳返音量")), ("ear-monitor", "ear-return"))
HINT = Concept("观众", "hint", (("name", "观众"),), ("audience", "gift"))
ALL = (GIFT, BILLING, MONITOR, HINT)
#: The numbers of the concepts that have a tag.
TAGGED = frozenset({1, 2, 3, 4})


def test_words() -> None:
    """Every key of every word stands once per concept, at its greatest strength, sorted."""
    rows = concept_keys(ALL, {})
    found = {(row["key"], row["concept"]): row["strength"] for row in rows}
    assert found["礼物", 1] == "name"
    assert found["礼勿", 1] == "typo"
    assert found["gift", 1] == "name"
    assert found["gift", 2] == "evokes"
    assert len(found) == len(rows)
    assert list(found) == sorted(found)


def test_words_in_two_forms() -> None:
    """A word of several parts is known whole and by its stem."""
    concept = Concept("screen-share", "lexicon", (("name", "Screen sharing"),), ())
    assert [row["key"] for row in concept_keys([concept], {})] == ["screenshar", "screensharing"]


def test_tags() -> None:
    """Only tags of the index are led to; one that is another concept's name is broader, a hint's never is (24)."""
    rows = concept_tags(ALL, concept_keys(ALL, {}), {"gift", "earmonitor"}, {})
    assert [(row["concept"], row["key"], row["broader"]) for row in rows] == [
        (1, "gift", 0),
        (2, "gift", 1),
        (3, "earmonitor", 0),
        (4, "gift", 0),
    ]


FIELDS = {
    "a name": ("送礼物", {1: 1}),
    "twice, in two languages": ("礼物 gift", {1: 2}),
    "the longest word counts": ("耳返音量", {3: 1}),
    "apart": ("耳返，音量", {3: 1}),
    "suggested or misspelt does not count": ("礼勿", {}),
    "by its stem": ("gifts", {1: 1}),
    "inside another word": ("giftwrap", {}),
    "two concepts": ("观众送礼物", {1: 1, 4: 1}),
    "none": ("", {}),
}


@pytest.mark.parametrize(("text", "hits"), FIELDS.values(), ids=FIELDS)
def test_fields(text: str, hits: dict[int, int]) -> None:
    """How often the names of a concept stand in a field."""
    rows = slice_postings(concept_keys(ALL, {}), [{"name": "", "body": text}], TAGGED, {})
    assert {row["concept"]: row["hits"] for row in rows} == hits
    assert all((row["slice"], row["field"]) == (1, "body") for row in rows)


def test_fields_are_sorted() -> None:
    """Rows come by concept, slice and field, whatever the order of what is found."""
    slices = [{"name": "观众", "body": "礼物"}, {"name": "礼物", "body": "观众 礼物"}]
    rows = slice_postings(concept_keys(ALL, {}), slices, TAGGED, {})
    places = [(row["concept"], row["slice"], row["field"]) for row in rows]
    assert places == sorted(places)
    assert len(places) == 5


LOGIN = Concept("login", "lexicon", (("name", "登录"), ("evokes", "账号")), ("login",))
CASE = Concept("sign-in", "lexicon", (("name", "登录"),), (), "case")
CONCEPTS = (LOGIN, CASE)
WORDS = (("name", "登陆口"), ("evokes", "登录"))


def test_joins_the_concepts_that_the_term_names() -> None:
    """The words of a group go to every concept that its term names, but for those of NIM cases; numbers stay."""
    joined, case = with_aliases(CONCEPTS, [Alias("登录", "", WORDS)], (), {})
    assert joined.words == (*LOGIN.words, *WORDS)
    assert (joined.tags, case) == (("login",), CASE)


def test_the_name_of_a_concept_is_a_term() -> None:
    """A concept is named by its own name too, without case and hyphens; a word that only suggests it is no name."""
    assert with_aliases(CONCEPTS, [Alias("Log-In", "", WORDS)], (), {})[0].words[-2:] == WORDS
    assert with_aliases(CONCEPTS, [Alias("账号", "", WORDS)], (), {}) == CONCEPTS


def test_a_concept_of_its_own() -> None:
    """A term that nothing names is a concept at the end where one of its names is a tag, and else left out."""
    alias = Alias("贴纸", "chat", (("name", "sticker"), ("evokes", "emoji")))
    *_, own = with_aliases(CONCEPTS, [alias], {"sticker"}, {})
    words = (("name", "贴纸"), ("name", "sticker"), ("evokes", "emoji"))
    assert own == Concept("贴纸", "lexicon", words, ("贴纸", "sticker"))
    assert with_aliases(CONCEPTS, [alias], {"emoji"}, {}) == CONCEPTS


def test_products() -> None:
    """Where the term is the product, its strong words name it, and no concept has them."""
    product = Alias("rtc engine", "rtc-engine", (("name", "TRTC 引擎"), ("evokes", "rtc")))
    other = Alias("roomkit", "conference", (("name", "会议套件"),))
    assert product_names([product, other], {}) == [("trtc引擎", "rtc-engine")]
    assert with_aliases(CONCEPTS, [product], {"rtc", "trtc引擎"}, {}) == CONCEPTS


@pytest.mark.parametrize(("tagged", "hits"), [({1}, [1]), (set(), [])])
def test_words_inside_identifiers(tagged: set[int], hits: list[int]) -> None:
    """A word inside an identifier counts for a concept with a tag, and not for one without."""
    rows = slice_postings(concept_keys([GIFT], {}), [{"apis": "sendGift"}], tagged, {})
    assert [row["hits"] for row in rows] == hits


def test_a_word_beside_identifiers() -> None:
    """A concept without a tag is counted where its word is a word of its own."""
    rows = slice_postings(concept_keys([GIFT], {}), [{"body": "gift, sendGift, room.gift"}], set(), {})
    assert [row["hits"] for row in rows] == [1]

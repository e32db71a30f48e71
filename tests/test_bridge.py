"""The vocabulary compiled against an index."""

import pytest

from indexer.bridge import Concept, concept_fields, concept_tags, concept_words

GIFT = Concept("gift", "lexicon", (("name", "礼物"), ("name", "gift"), ("typo", "礼勿"), ("evokes", "礼物")), ("gift",))
BILLING = Concept("billing", "lexicon", (("name", "扣费"), ("evokes", "gift")), ("billing", "gift"))
MONITOR = Concept("ear-monitor", "lexicon", (("name", "耳返"), ("name", "耳返音量")), ("ear-monitor", "ear-return"))
HINT = Concept("观众", "hint", (("name", "观众"),), ("audience", "gift"))
ALL = (GIFT, BILLING, MONITOR, HINT)


def test_words() -> None:
    """Every key of every word stands once per concept, at its greatest strength, sorted."""
    rows = concept_words(ALL, {})
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
    assert [row["key"] for row in concept_words([concept], {})] == ["screenshar", "screensharing"]


def test_tags() -> None:
    """Only tags of the index are led to; one that is another concept's name is broader, a hint's never is (24)."""
    rows = concept_tags(ALL, concept_words(ALL, {}), {"gift", "earmonitor"}, {})
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
    rows = concept_fields(concept_words(ALL, {}), [{"name": "", "body": text}], {})
    assert {row["concept"]: row["hits"] for row in rows} == hits
    assert all((row["slice"], row["field"]) == (1, "body") for row in rows)


def test_fields_are_sorted() -> None:
    """Rows come by concept, slice and field, whatever the order of what is found."""
    slices = [{"name": "观众", "body": "礼物"}, {"name": "礼物", "body": "观众 礼物"}]
    rows = concept_fields(concept_words(ALL, {}), slices, {})
    places = [(row["concept"], row["slice"], row["field"]) for row in rows]
    assert places == sorted(places)
    assert len(places) == 5

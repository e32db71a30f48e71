"""The vocabulary files for TRTC have the documented form."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from indexer import lexicon
from indexer.records import Concept
from indexer.yaml_text import load_strings
from query.analysis.normalize import keys

FOLDER = Path(lexicon.__file__).parent / "data" / "vocabulary"
PAGES = sorted((FOLDER / "lexicon").glob("*.yaml"))
LISTS = ("tags", "zh", "en", "evokes", "typos")

#: The Keyword Hints table of the specification.
HINTS = {
    "互踢": ("kick-offline", "multi-instance"),
    "PK": ("battle", "BattleStore"),
    "黑屏": ("setLiveID", "black-screen"),
    "跨房连线": ("co-host", "CoHostStore"),
    "连麦": ("co-guest", "seat", "CoGuestStore"),
    "踢人": ("kick", "kickUserOutOfRoom"),
    "音效": ("audio-effect", "changer", "reverb", "ear-monitor"),
    "观众": ("audience", "LiveAudienceStore"),
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_form(page: Path) -> None:
    """A lexicon file is a list of concepts; each has only known fields, and each field is a list of words."""
    rows = load_strings(page.read_text("utf-8"))
    assert rows
    for row in rows:
        assert row.keys() <= {"concept", "context", "only", *LISTS}, row["concept"]
        assert row.get("context", "true") == "true", row["concept"]
        assert row.get("only", "nim") == "nim", row["concept"]
        for name in LISTS:
            words = row.get(name, [])
            assert isinstance(words, list), (row["concept"], name)
            assert all(isinstance(word, str) and word == word.strip() != "" for word in words), (row["concept"], name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_are_unique(page: Path) -> None:
    """Within one entry no name and no tag is listed twice."""
    for row in load_strings(page.read_text("utf-8")):
        for found in (Counter([*row.get("zh", []), *row.get("en", [])]), Counter(row.get("tags", []))):
            assert [word for word, times in found.items() if times > 1] == [], row["concept"]


def test_concepts() -> None:
    """Concepts are unique by name, each has words, and each word has a lookup key."""
    concepts = lexicon.load_concepts()
    names = Counter((concept.source, concept.name) for concept in concepts)
    assert [name for name, times in names.items() if times > 1] == []
    for concept in concepts:
        assert concept.words, concept.name
        assert all(keys(word, lexicon.load_variants()) for _, word in concept.words), concept.name


def test_hints_are_those_of_the_specification() -> None:
    """The hint table has the eight rows of the specification and comes before the lexicon."""
    hints = lexicon.load_concepts()[: len(HINTS)]
    assert {hint.name: hint.tags for hint in hints} == HINTS
    assert {hint.source for hint in hints} == {"hint"}
    assert {concept.source for concept in lexicon.load_concepts()[len(HINTS) :]} == {"lexicon"}


BROKEN = {
    "an unknown field": ({"concept": "a", "names": ["b"]}, "names"),
    "no concept": ({"zh": ["b"]}, "zh"),
}


@pytest.mark.parametrize(("row", "named"), BROKEN.values(), ids=BROKEN)
def test_refuses(row: dict[str, Any], named: str) -> None:
    """An entry of another form is refused with its file and what was wanted."""
    with pytest.raises(lexicon.LexiconError, match=rf"page\.yaml.*{named}.*wanted"):
        lexicon._concept(row, Path("page.yaml"))


def test_refuses_what_is_no_list(tmp_path: Path) -> None:
    """A vocabulary file that is not a list is refused by name."""
    page = tmp_path / "page.yaml"
    page.write_text("a: b", "utf-8")
    with pytest.raises(lexicon.LexiconError, match=r"page\.yaml: found dict; wanted a list"):
        list(lexicon._rows(page))


def test_generic_tags() -> None:
    """Tags that name no capability by themselves are generic, and a capability is not."""
    generic = lexicon.load_generic_tags()
    wanted = ("room", "list", "join", "message", "audio", "video", "start", "end", "state", "event", "send", "config")
    assert {key for tag in wanted for key in keys(tag, {})} <= generic
    assert not {"gift", "barrage", "coguest", "beauty"} & generic
    assert all(generic)


def test_stop_words() -> None:
    """Question words are stop words; the name of a concept is not."""
    stops = lexicon.load_stop_words()
    assert {"怎么", "如何", "the", "how"} <= stops
    assert not {"弹幕", "礼物", "gift", "连麦"} & stops
    assert all(stops)


def test_product_words() -> None:
    """Each product has its own id as a name; the pairs are sorted and unique."""
    pairs = lexicon.load_product_words()
    assert list(pairs) == sorted(set(pairs))
    assert {("live", "live"), ("chat", "chat"), ("conference", "conference"), ("rtcengine", "rtc-engine")} <= set(pairs)
    assert all(key and product for key, product in pairs)


def test_variants() -> None:
    """Each traditional or variant character maps to one other, simplified character."""
    variants = lexicon.load_variants()
    assert len(variants) > 2900
    assert all(len(simple) == 1 and chr(character) != simple for character, simple in variants.items())
    assert "離線推送".translate(dict(variants)) == "离线推送"


def test_every_file_is_read() -> None:
    """Every vocabulary file is one that a module reads."""
    names = {page.name for page in FOLDER.iterdir() if page.is_file()} - {"__init__.py"}
    readers = {
        "trtc_hints.yaml",
        "generic_tags.yaml",
        "stop_words.yaml",
        "product_words.yaml",
        "traditional.tsv",
        "sounds.tsv",
        "common_words.tsv",
    }
    assert names - readers == {"nim_products.yaml", "placeholders.yaml", "platforms.yaml"}


def test_generic_concepts_have_plain_names() -> None:
    """A concept with only generic tags has no name of a concept with a specific tag (发送消息 is no ``send``)."""
    generic, variants = lexicon.load_generic_tags(), lexicon.load_variants()

    def is_generic(concept: Concept) -> bool:
        return all(key in generic for tag in concept.tags for key in keys(tag, variants)[:1])

    def names(concept: Concept) -> set[str]:
        return {key for strength, word in concept.words if strength == "name" for key in keys(word, variants)[:1]}

    concepts = [c for c in lexicon.load_concepts() if c.source == "lexicon" and c.role == "subject" and c.tags]
    specific = set().union(*(names(concept) for concept in concepts if not is_generic(concept)))
    # 预览 is the whole name of both: a preview is nothing but a preview.
    shared = {concept.name: names(concept) & specific for concept in concepts if is_generic(concept)}
    assert {name: found for name, found in shared.items() if found} == {"preview": {"预览", "preview"}}

"""Normalized text, chunks, stems and keys: the same for what goes into an index and what comes from a query."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.lexicon import load_variants
from query.analysis.normalize import chunks, han_bigrams, keys, normalize, runs, split_word, stem, word_tokens

VARIANTS = load_variants()
ODD = "aBZ09-_.+#'/ \t,，（）é–−－４ＩＯＳ　离線推送薴髮iOSthe🙂\u0301"
TEXT = st.text(st.sampled_from(ODD) | st.characters(), max_size=30)

NORMALIZED = {
    "ＩＯＳ　推送": "IOS 推送",
    "４１４": "414",
    "：（）": ":()",
    "－1": "-1",
    "−1": "-1",
    "–1": "-1",
    "a−b": "a−b",
    "離線推送收不到": "离线推送收不到",
    "ﬁ": "fi",
}


@pytest.mark.parametrize(("text", "normalized"), NORMALIZED.items(), ids=NORMALIZED)
def test_normalize(text: str, normalized: str) -> None:
    """Width, minus signs and traditional characters are made equal; letter case stays."""
    assert normalize(text, VARIANTS) == normalized


@given(TEXT)
def test_normalize_is_idempotent(text: str) -> None:
    """A normalized text stays as it is."""
    once = normalize(text, VARIANTS)
    assert normalize(once, VARIANTS) == once


def test_every_variant_is_final() -> None:
    """No traditional character becomes one that would change again."""
    assert [chr(c) for c in VARIANTS if normalize(VARIANTS[c], VARIANTS) != VARIANTS[c]] == []


CHUNKS = {
    "iOS端收不到push": [("w", "ios"), ("h", "端收不到"), ("w", "push")],
    "V9升级V10": [("w", "v9"), ("h", "升级"), ("w", "v10")],
    "16KB Page": [("w", "16kb"), ("w", "page")],
    "C++ C# a/b": [("w", "c++"), ("w", "c#"), ("w", "a"), ("w", "b")],
    "9.19.4": [("w", "9.19.4")],
    "kick-offline。nim_core": [("w", "kickoffline"), ("w", "nimcore")],
    "1002报错": [("w", "1002"), ("h", "报错")],
    "😀，。!": [],
}


@pytest.mark.parametrize(("text", "found"), CHUNKS.items(), ids=CHUNKS)
def test_chunks(text: str, found: list[tuple[str, str]]) -> None:
    """Han runs and words; everything else separates."""
    assert [("h" if chunk.is_han else "w", chunk.text) for chunk in chunks(text)] == found


@given(TEXT)
def test_offsets_of_chunks(text: str) -> None:
    """Chunks are in order, do not overlap, lie inside the text, and are the ``runs`` of it."""
    found = list(chunks(text))
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert [(c.is_han, text[c.start : c.end], c.start) for c in found] == list(runs(text))


WORDS = {
    "kick-offline": ("kickoffline", ("kick", "offline")),
    "nim_core": ("nimcore", ("nim", "core")),
    "kickUserOutOfRoom": ("kickuseroutofroom", ("kick", "user", "out", "of", "room")),
    "HTTPServer": ("httpserver", ("http", "server")),
    "LiveListStore.liveInfo": ("liveliststoreliveinfo", ("live", "list", "store", "live", "info")),
    "iOS": ("ios", ()),
    "V10": ("v10", ()),
    "9.10": ("9.10", ()),
    "push": ("push", ()),
}


@pytest.mark.parametrize(("word", "split"), WORDS.items(), ids=WORDS)
def test_split_word(word: str, split: tuple[str, tuple[str, ...]]) -> None:
    """Hyphens, underscores, dots and camel case separate parts; a version is one part."""
    assert split_word(word) == split


STEMS = {
    "messages": "messag",
    "message": "messag",
    "sharing": "shar",
    "share": "shar",
    "running": "run",
    "calling": "call",
    "queries": "query",
    "access": "access",
    "ios": "ios",
    "弹幕": "弹幕",
    "v10s": "v10s",
}


@pytest.mark.parametrize(("word", "root"), STEMS.items(), ids=STEMS)
def test_stem(word: str, root: str) -> None:
    """Plural, -ing, -ed and a final e are cut off; short words and other scripts stay."""
    assert stem(word) == root


@given(st.text("abdegilnrsy", min_size=1, max_size=12))
def test_stem_is_a_beginning(word: str) -> None:
    """A stem is never empty and never longer than its word, and, except for a final y, the word begins with it."""
    root = stem(word)
    assert root
    assert len(root) <= len(word)
    assert word.startswith(root.removesuffix("y"))


SAME = {
    "hyphen": ("co-guest", "coguest"),
    "case": ("CoGuest", "co-guest"),
    "space": ("screen share", "screen-share"),
    "plural": ("gift", "gifts"),
    "verb": ("screen sharing", "screen share"),
    "article": ("kick a user", "kick user"),
    "width": ("ＰＫ", "pk"),
    "traditional": ("離線推送", "离线推送"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_same_key(one: str, other: str) -> None:
    """Spellings of one phrase share a key (docs/decisions/trtc.md#hint-targets-without-a-tag)."""
    assert set(keys(one, VARIANTS)) & set(keys(other, VARIANTS))


def test_different_keys() -> None:
    """``kick`` is no key of ``kick-offline``, nor ``q`` of ``q&a``."""
    assert not set(keys("kick", VARIANTS)) & set(keys("kick-offline", VARIANTS))
    assert not set(keys("q", VARIANTS)) & set(keys("q&a", VARIANTS))


@given(TEXT)
def test_form_of_keys(text: str) -> None:
    """A key has no capitals and no separators, and another separator gives the same keys."""
    found = keys(text, VARIANTS)
    assert all(key == key.lower() and not set(key) & set(" -\t") for key in found)
    assert keys(text.replace(" ", "\t"), VARIANTS) == found


TOKENS = {
    "messages": ("messag",),
    "kick-offline": ("kickoffline", "kick", "offlin"),
    "nim_core": ("nimcore", "nim", "cor"),
    "setLiveID": ("setliveid", "set", "liv", "id"),
    "9.19.4": ("9.19.4",),
    "414": ("414",),
}


@pytest.mark.parametrize(("word", "tokens"), TOKENS.items(), ids=TOKENS)
def test_word_tokens(word: str, tokens: tuple[str, ...]) -> None:
    """The tokens of a compound are its whole and its parts; that of a simple word is its stem."""
    assert word_tokens(word) == tokens


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12))
def test_bigrams_cover_the_run(run: str) -> None:
    """Overlapping pairs together give the run, and every pair of neighbors is one of them."""
    pairs = han_bigrams(run)
    assert pairs[0] + "".join(pair[-1] for pair in pairs[1:]) == run
    assert len(pairs) == max(1, len(run) - 1)


@pytest.mark.parametrize("invisible", ["\u200b", "\u200d", "\u2060", "\ufe0f", "\u00ad", "\0"])
def test_invisible_characters(invisible: str) -> None:
    """A character that does not show is removed, so that the word around it stays one word."""
    assert normalize(f"弹{invisible}幕 co{invisible}guest", {}) == "弹幕 coguest"

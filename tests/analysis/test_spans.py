"""Candidate spans: both forms give the same ones, and every word of the vocabulary is found."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.lexicon import load_concepts, load_variants
from query.analysis.normalize import keys, normalize
from query.analysis.spans import MAX_TOKENS, candidate_spans, longest_match, read_tokens, token_groups

VARIANTS = load_variants()
WORDS = st.sampled_from(
    [
        "kick",
        "User",
        "a",
        "the",
        "An",
        "co-guest",
        "the-room",
        "playTheGame",
        "C++",
        "a-b++",
        "9.1",
        "弹幕",
        "连麦",
        "iOS",
    ]
)
GAPS = st.sampled_from(["", " ", "-", "_", "/", ".", "'", ", ", "（", "\n", " 'a' ", "&", "\t"])
SENTENCES = st.lists(st.tuples(WORDS, GAPS), max_size=8).map(lambda pairs: "".join(w + gap for w, gap in pairs))


def _found(text: str) -> set[str]:
    return {key for span in candidate_spans(read_tokens(text), text) for key in span.keys}


def _runs(group: list[str]) -> set[str]:
    starts = range(len(group))
    return {"".join(group[i : i + n]) for i in starts for n in range(1, MAX_TOKENS + 1) if i + n <= len(group)}


@given(SENTENCES | st.text(max_size=20))
def test_both_forms_agree(text: str) -> None:
    """The candidate spans of a query are the runs of the groups that a build reads from its pages."""
    text = normalize(text, VARIANTS)
    whole = {span.keys[0] for span in candidate_spans(read_tokens(text), text)}
    assert whole == {run for group in token_groups(text) for run in _runs(group)}


@given(SENTENCES)
def test_offsets_of_tokens(text: str) -> None:
    """Tokens are in order, do not overlap, and lie inside the text."""
    found = read_tokens(text)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert all(0 <= token.start < token.end <= len(text) for token in found)


FOUND = {
    "a compound in any spelling": ("how to kick-offline", "kickoffline"),
    "camel case": ("use kickUserOutOfRoom now", "kickuseroutofroom"),
    "an article in a name": ("playTheGame", "playthegame"),
    "an article left out": ("kick a user", "kickuser"),
    "a quoted article": ("kick 'a' user", "kickuser"),
    "inside a Han run": ("主播怎么申请连麦啊", "申请连麦"),
    "across scripts": ("开启PK功能", "开启pk"),
    "by its stem": ("screen sharing", "screenshar"),
}


@pytest.mark.parametrize(("text", "key"), FOUND.values(), ids=FOUND)
def test_found(text: str, key: str) -> None:
    """A known name is looked up under this key."""
    assert key in _found(text)


NOT_FOUND = {
    "a comma between": ("kick, user", "kickuser"),
    "brackets between": ("弹（幕）", "弹幕"),
    "a new line": ("kick\nuser", "kickuser"),
    "part of a word": ("ticket", "tick"),
}


@pytest.mark.parametrize(("text", "key"), NOT_FOUND.values(), ids=NOT_FOUND)
def test_not_found(text: str, key: str) -> None:
    """Words with something else between them are not looked up as one name."""
    assert key not in _found(text)


#: Words of the vocabulary that no query can name: a final article, a sign between, more than twelve characters.
OUT_OF_REACH = {"q and a", "q&a", "webinar q and a", "后进来的人看不到前面的消息", "在另一台手机登录后这边掉了"}


def test_every_word_of_the_vocabulary_is_found() -> None:
    """A query that is a word of a concept is looked up under a key of that word."""
    words = {word for concept in load_concepts() for _, word in concept.words}
    lost = {word for word in words if not set(keys(word, VARIANTS)) & _found(normalize(word, VARIANTS))}
    assert lost <= OUT_OF_REACH


def test_longest() -> None:
    """The longest span is chosen; a span without a meaning covers nothing, so that shorter ones are read."""
    text = "直播间弹幕"
    words = {"直播间", "播间弹", "直播", "弹幕", "间弹"}
    found = list(candidate_spans(read_tokens(text), text))
    chosen = longest_match(text, found, lambda s: w if (w := text[s.start : s.end]) in words else None)
    assert chosen == ["直播间", "弹幕"]

"""Where a known word could stand: the two ways to ask agree, and every word of the vocabulary can be found."""

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
    return {key for surface in candidate_spans(read_tokens(text), text) for key in surface.keys}


def _runs(group: list[str]) -> set[str]:
    places = range(len(group))
    return {"".join(group[i : i + n]) for i in places for n in range(1, MAX_TOKENS + 1) if i + n <= len(group)}


@given(SENTENCES | st.text(max_size=20))
def test_both_ways_agree(text: str) -> None:
    """The surfaces of a question are the runs of the groups in which a build reads its pages."""
    text = normalize(text, VARIANTS)
    whole = {surface.keys[0] for surface in candidate_spans(read_tokens(text), text)}
    assert whole == {run for group in token_groups(text) for run in _runs(group)}


@given(SENTENCES)
def test_atoms_stand_where_they_say(text: str) -> None:
    """Atoms come in order, do not overlap, and lie inside the text."""
    found = read_tokens(text)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert all(0 <= atom.start < atom.end <= len(text) for atom in found)


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
    """A known word is looked up under this key."""
    assert key in _found(text)


NOT_FOUND = {
    "a comma between": ("kick, user", "kickuser"),
    "brackets between": ("弹（幕）", "弹幕"),
    "a new line": ("kick\nuser", "kickuser"),
    "part of a word": ("ticket", "tick"),
}


@pytest.mark.parametrize(("text", "key"), NOT_FOUND.values(), ids=NOT_FOUND)
def test_not_found(text: str, key: str) -> None:
    """What only happens to stand near is not looked up as one word."""
    assert key not in _found(text)


#: Words of the vocabulary that no question can name: a final article, a sign between, more than twelve characters.
OUT_OF_REACH = {"q and a", "q&a", "webinar q and a", "后进来的人看不到前面的消息", "在另一台手机登录后这边掉了"}


def test_every_word_of_the_vocabulary_is_found() -> None:
    """A question that is a word of a concept is looked up under a key of that word."""
    words = {word for concept in load_concepts() for _, word in concept.words}
    lost = {word for word in words if not set(keys(word, VARIANTS)) & _found(normalize(word, VARIANTS))}
    assert lost <= OUT_OF_REACH


def test_longest() -> None:
    """The longest surface wins its place; one that means nothing leaves it to shorter ones."""
    text = "直播间弹幕"
    words = {"直播间", "播间弹", "直播", "弹幕", "间弹"}
    found = list(candidate_spans(read_tokens(text), text))
    spoken = longest_match(text, found, lambda s: w if (w := text[s.start : s.end]) in words else None)
    assert spoken == ["直播间", "弹幕"]

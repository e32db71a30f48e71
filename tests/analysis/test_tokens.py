"""Tokens for Jaccard similarity, in each reading of the rule (docs/decisions/nim.md#tokens)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as some

from query.analysis.tokens import GENERIC_TAGS, TokenMode, fold_tag, jaccard_tokens, join_tokens, split_tokens

TEXTS = some.text(some.sampled_from("登录失败Aa9_-ａ４ 。，\n𠀀"), max_size=20)


@pytest.mark.parametrize(
    ("text", "char", "run", "bigram"),
    [
        pytest.param("", "", "", "", id="empty"),
        pytest.param("登录失败", "登 录 失 败", "登录失败", "登录 录失 失败", id="Han"),
        pytest.param("登", "登", "登", "登", id="one character"),
        pytest.param("登录登录", "登 录", "登录登录", "登录 录登", id="a set"),
        pytest.param("登录，失败", "登 录 失 败", "登录 失败", "登录 失败", id="punctuation separates"),
        pytest.param("登录SDK失败", "登 录 sdk 失 败", "登录 sdk 失败", "登录 sdk 失败", id="a word separates"),
        pytest.param("initSDK v9.19.4", *["initsdk v9 19 4"] * 3, id="versions fall apart"),
        pytest.param("kick-out LD_PATH", *["kick out ld_path"] * 3, id="underscores stay"),
        pytest.param("ＩＯＳ　４１４", "ios 414", "ios 414", "ios 414", id="full width"),
        pytest.param("@所有人 -1002", "所 有 人 1002", "所有人 1002", "所有 有人 1002", id="signs separate"),
        pytest.param("離線", "離 線", "離線", "離線", id="traditional characters stay"),
        pytest.param("𠀀𠮷", "𠀀 𠮷", "𠀀𠮷", "𠀀𠮷", id="Han beyond the first plane"),
        pytest.param("café über", "caf ber", "caf ber", "caf ber", id="only a to z"),
        pytest.param("かな ไทย 😀 ①", "1", "1", "1", id="other scripts separate, a circled digit is one"),
        pytest.param("ⅷ ﬁx", "viii fix", "viii fix", "viii fix", id="compatibility forms"),
    ],
)
def test_modes(text: str, char: str, run: str, bigram: str) -> None:
    """A text's tokens in the three readings."""
    for mode, wanted in ((TokenMode.CHAR, char), (TokenMode.RUN, run), (TokenMode.BIGRAM, bigram)):
        assert jaccard_tokens(text, mode) == set(wanted.split())


@pytest.mark.parametrize(
    "text", ["안녕", "\ue000\uf8ff", "\ua4d0\uabc0"], ids=["Hangul", "private use", "Lisu, Meetei"]
)
def test_what_is_no_chinese_character(text: str) -> None:
    """Letters of other scripts, and characters without a meaning, separate."""
    assert jaccard_tokens(text) == set()


def test_the_default_is_characters() -> None:
    """The literal reading of the rule is the default."""
    assert jaccard_tokens("登录") == jaccard_tokens("登录", TokenMode.CHAR)


@given(TEXTS, TEXTS, some.sampled_from(TokenMode))
def test_texts_join_at_a_separator(one: str, other: str, mode: TokenMode) -> None:
    """The tokens of two texts with a separator between them are those of both."""
    assert jaccard_tokens(f"{one} {other}", mode) == jaccard_tokens(one, mode) | jaccard_tokens(other, mode)


@given(TEXTS, some.sampled_from(TokenMode))
def test_case_and_width_make_no_difference(text: str, mode: TokenMode) -> None:
    """Letter case and width make no difference, and a token's tokens are itself."""
    tokens = jaccard_tokens(text, mode)
    assert tokens == jaccard_tokens(unicodedata.normalize("NFKC", text).upper(), mode)
    assert all(jaccard_tokens(token, mode) == {token} for token in tokens)


@pytest.mark.parametrize(
    ("tag", "folded"),
    [("SDK", "sdk"), (" ｓｄｋ　", "sdk"), ("IM-SDK", "im-sdk"), ("音视频 2.0", "音视频 2.0"), ("", "")],
)
def test_fold_tag(tag: str, folded: str) -> None:
    """A tag is compared whole without case, width and outer spaces; inner marks stay."""
    assert fold_tag(tag) == folded


def test_generic_tags() -> None:
    """The tags that name no subject, in the form in which they are compared."""
    assert {fold_tag(tag) for tag in ("通用", "咨询", "SDK", "Demo")} == GENERIC_TAGS


@given(some.sets(some.text("abc01_登录", min_size=1, max_size=3)))
def test_joined(tokens: set[str]) -> None:
    """A set of tokens is one text, whatever its order, and is split into the same set."""
    assert sorted(split_tokens(join_tokens(tokens))) == sorted(tokens)
    assert join_tokens(sorted(tokens, reverse=True)) == join_tokens(tokens)

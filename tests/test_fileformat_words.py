"""The words of the full-text index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fileformat.words import han_bigrams, word_tokens

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
    """A compound is found whole and by its parts; a simple word by its stem (A27)."""
    assert word_tokens(word) == tokens


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=12))
def test_bigrams_cover_the_run(run: str) -> None:
    """Overlapping pairs give the run back, and every pair of neighbours is one of them (B11)."""
    pairs = han_bigrams(run)
    assert pairs[0] + "".join(pair[-1] for pair in pairs[1:]) == run
    assert len(pairs) == max(1, len(run) - 1)

"""Mistyped words are read as they were meant; real words are left alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.index import open_index
from query.trtc.spelling import apply_corrections, correct_spelling, is_one_slip

WORDS = st.text("abcde", min_size=1, max_size=6)


def meant(db: Path, text: str) -> str:
    """The text with all of it open to respelling."""
    with open_index(db) as index:
        return apply_corrections(text, correct_spelling(index, text, [(0, len(text))]))


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("旦木", "弹幕"),
        ("送里勿动画", "送礼物动画"),
        ("barrgae", "barrage"),
        ("barage", "barrage"),
        ("barrrage", "barrage"),
    ],
)
def test_a_mistyped_name(said: str, wanted: str, sample_db: Path) -> None:
    """Characters that sound alike; a letter too few, too many, or two swapped."""
    assert meant(sample_db, said) == wanted


@pytest.mark.parametrize("text", ["弹幕", "大会", "barrage", "sitting", "zzqqxx", "坦", "farrage", "bar", ""])
def test_what_is_left_alone(text: str, sample_db: Path) -> None:
    """Names, everyday words that sound like one, short words, another first letter, what is like nothing."""
    assert meant(sample_db, text) == text


def test_what_is_known_is_never_respelt(sample_db: Path) -> None:
    """Only the stretches that are handed over are looked at."""
    with open_index(sample_db) as index:
        assert correct_spelling(index, "旦木和旦木", [(3, 5)])[0].start == 3
        assert correct_spelling(index, "旦木", []) == []


@given(word=WORDS, place=st.integers(0, 6), letter=st.sampled_from("abcde"))
def test_one_letter_more_is_one_slip_both_ways(word: str, place: int, letter: str) -> None:
    """Too many on one side is too few on the other."""
    longer = word[:place] + letter + word[place:]
    assert is_one_slip(word, longer)
    assert is_one_slip(longer, word)


@given(word=WORDS)
def test_a_word_is_no_slip_of_itself(word: str) -> None:
    """Nor is one with two letters more."""
    assert not is_one_slip(word, word)
    assert not is_one_slip(word, word + "xy")


@given(word=st.text("abcde", min_size=2, max_size=6), place=st.integers(0, 4))
def test_swapped_neighbours_are_one_slip(word: str, place: int) -> None:
    """Two letters in each other's place."""
    place = min(place, len(word) - 2)
    swapped = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    assert is_one_slip(word, swapped) is (word != swapped)

"""How words sound: the tables behind mistyped Chinese."""

from fileformat.fold import is_han
from indexer.sounds import load_common_words, load_sounds, sound_rows


def word(key: str, concept: int = 1, strength: str = "name") -> dict[str, object]:
    """A row of ``concept_word``."""
    return {"key": key, "concept": concept, "strength": strength, "word": key}


def test_each_character_has_one_sound() -> None:
    """A character under two syllables would sound differently on both sides."""
    every = "".join(load_sounds().values())
    assert len(every) == len(set(every)) > 6000
    assert all(map(is_han, every))


def test_common_words_have_two_characters() -> None:
    """Longer words have no everyday twins."""
    assert {len(common) for common in load_common_words()} == {2}


def test_names_are_listed_under_their_sound() -> None:
    """Names only, of two to six Chinese characters."""
    rows = sound_rows([word("弹幕"), word("美颜", 2), word("barrage"), word("礼"), word("弹木", 1, "typo")])
    assert [(row["sound"], row["key"], row["concept"]) for row in rows["concept_sound"]] == [
        ("dan mu", "弹幕", 1),
        ("mei yan", "美颜", 2),
    ]


def test_everyday_words_of_the_same_sound_are_listed() -> None:
    """大会 sounds like 打回, and is a word; 弹幕 sounds like none, and a name is none of them."""
    common = [row["key"] for row in sound_rows([word("打回"), word("弹幕")])["common_word"]]
    assert "大会" in common
    assert not {"打回", "弹幕"} & set(common)

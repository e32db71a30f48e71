"""How a Chinese word sounds: its toneless syllables. The same on both sides, or no mistyped word finds its name."""

from collections.abc import Mapping

#: A word of one character sounds like too many others; a phrase of more than six is never mistyped as a whole.
SHORTEST, LONGEST = 2, 6


def sound(word: str, sound_of: Mapping[str, str]) -> str:
    """The syllables of a word's characters; one that is not known sounds like nothing else."""
    return " ".join(sound_of.get(character, "?") for character in word)

"""The words of the full-text index, given how a Han run is cut. The same on both sides."""

from functools import cache

from fileformat.fold import split_word, stem


@cache
def word_tokens(word: str) -> tuple[str, ...]:
    """A compound -> its whole as it is and its stemmed parts; a simple word -> its stem."""
    whole, parts = split_word(word)
    return (whole, *map(stem, parts)) if parts else (stem(whole),)


def han_bigrams(run: str) -> list[str]:
    """Overlapping pairs of a Han run; a run of one character is itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]

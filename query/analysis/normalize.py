"""Text -> the form that is compared: folded characters, chunks, identifiers. The same rules on both sides.

Display text is never folded; only what goes into an index or comes from a query is.

The words of the full-text index, given how a Han run is cut. The same on both sides.

How a Chinese word sounds: its toneless syllables. The same on both sides, or no mistyped word finds its name.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import NamedTuple

#: str.translate table: traditional and variant characters -> simplified ones. The file carries it.
Variants = Mapping[int, str | int]

# Words with their inner hyphens and dots, Han included: a class of all Han characters takes milliseconds to compile.
_RUN = re.compile(r"\w+(?:[-.]\w+)*(?:\+\+|#)?")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+\d*|\d+|[^\W_]+")
_SPLIT = re.compile(r"[-_.]+")
_VERSION = re.compile(r"v?\d+(\.\d+)+")
#: English articles: a phrase is looked up without them (``kick a user`` as ``kick user``).
ARTICLES = frozenset({"a", "an", "the"})
_MINUS = re.compile(r"[−–﹣](?=\d)")


class Chunk(NamedTuple):
    """A run of Han characters, or one identifier, version or word.

    ``text`` is the folded whole without hyphens and underscores (``kick-offline`` -> ``kickoffline``);
    ``parts`` are the folded parts of a compound or camel-case name, empty where there is only one.
    ``start`` and ``end`` are offsets into the text that was chunked.
    """

    is_han: bool
    text: str
    parts: tuple[str, ...]
    start: int
    end: int


def normalize(text: str, variants: Variants) -> str:
    """NFKC, one minus sign, simplified characters; letter case is kept, since camel case carries word borders."""
    return _MINUS.sub("-", unicodedata.normalize("NFKC", text)).translate(variants)


def is_han(character: str) -> bool:
    """Whether a character is a Chinese one: unified ideographs with their extensions, and compatibility ones."""
    return (
        "\u3400" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003134f"
    )


def runs(normalised: str) -> Iterator[tuple[bool, str, int]]:
    """Cut text into Han runs and words as (is Han, as it stands, offset); everything else separates."""
    for match in _RUN.finditer(normalised):
        run = match[0]
        if run.isascii():
            yield False, run, match.start()
            continue
        start = match.start()
        for han, characters in groupby(run, is_han):
            piece = "".join(characters)
            word = piece if han else piece.strip("-.+#") + ("++" if piece.endswith("++") and len(piece) > 2 else "")
            if word:
                yield han, word, start + piece.index(word[0])
            start += len(piece)


def chunks(normalised: str) -> Iterator[Chunk]:
    """Like ``runs``, with words folded and split into their parts."""
    for han, run, start in runs(normalised):
        folded, parts = (run, ()) if han else split_word(run)
        yield Chunk(han, folded, parts, start, start + len(run))


@cache
def split_word(word: str) -> tuple[str, tuple[str, ...]]:
    """A word's folded whole, and its folded parts where there are two or more of two letters at least."""
    if _VERSION.fullmatch(word.lower()):
        return word.lower(), ()
    whole = word.lower().replace("-", "").replace("_", "").replace(".", "")
    pieces = [piece.lower() for run in _SPLIT.split(word) for piece in _PART.findall(run)]
    if len(pieces) < 2 or any(len(piece) < 2 and not piece.isdigit() for piece in pieces):
        pieces = [piece.lower() for piece in _SPLIT.split(word) if piece]
    return whole or word.lower(), tuple(pieces) if len(pieces) > 1 else ()


@cache
def stem(word: str) -> str:
    """A light English stem, for comparing words only: plural, -ing, -ed and a final e fall away."""
    if not word.isascii() or not word.isalpha() or len(word) < 4:
        return word
    for ending in ("ies", "ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            root = word[: -len(ending)]
            if ending == "ies":
                return root + "y"
            return root[:-1] if ending in {"ing", "ed"} and root[-1] == root[-2] and root[-1] != "l" else root
    return word


def keys(phrase: str, variants: Variants) -> tuple[str, ...]:
    """The keys under which a word or phrase is looked up, without case, hyphens, spaces and inner articles.

    ``Screen sharing`` -> ``screensharing`` and its stem ``screenshar``; Chinese stays as it is.
    """
    found = list(chunks(normalize(phrase, variants)))
    whole: list[str] = []
    stems: list[str] = []
    for number, chunk in enumerate(found, 1):
        if chunk.text in ARTICLES and number < len(found):
            continue
        whole.append(chunk.text)
        stems.extend(stem(part) for part in chunk.parts or (chunk.text,))
    return tuple(dict.fromkeys(key for key in ("".join(whole), "".join(stems)) if key))


@cache
def word_tokens(word: str) -> tuple[str, ...]:
    """A compound -> its whole as it is and its stemmed parts; a simple word -> its stem."""
    whole, parts = split_word(word)
    return (whole, *map(stem, parts)) if parts else (stem(whole),)


def han_bigrams(run: str) -> list[str]:
    """Overlapping pairs of a Han run; a run of one character is itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


#: A word of one character sounds like too many others; a phrase of more than six is never mistyped as a whole.
SHORTEST, LONGEST = 2, 6


def syllables_of(word: str, sound_of: Mapping[str, str]) -> str:
    """The syllables of a word's characters; one that is not known sounds like nothing else."""
    return " ".join(sound_of.get(character, "?") for character in word)

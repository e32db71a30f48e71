"""Text in the form in which it is compared: normalized characters, runs of Han and words, lookup keys.

The same rules apply to what goes into an index and to what comes from a query. Text that is shown is never changed.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import NamedTuple

#: str.translate table: traditional and variant characters -> simplified ones. The file contains it.
Variants = Mapping[int, str | int]

# Words with their inner hyphens and dots, including Han: a class of all Han characters takes milliseconds to compile.
_RUN = re.compile(r"\w+(?:[-.]\w+)*(?:\+\+|#)?")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+\d*|\d+|[^\W_]+")
_SPLIT = re.compile(r"[-_.]+")
_VERSION = re.compile(r"v?\d+(\.\d+)+")
#: Characters that do not show and separate nothing: zero-width ones, a soft hyphen, a variation selector, NUL.
INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200d\u2060\ufe0f\u00ad\0"))
_MINUS = re.compile(r"[−–﹣](?=\d)")
#: English articles. A phrase is looked up without them: ``kick a user`` as ``kick user``.
ARTICLES = frozenset({"a", "an", "the"})
#: Characters of a Chinese name that spelling correction can find. One character sounds like too many others, and
#: nobody mistypes the whole of a longer phrase.
SHORTEST_NAME, LONGEST_NAME = 2, 6


class Chunk(NamedTuple):
    """A run of Han characters, or one identifier, version or word.

    ``text`` is the lower-case whole without hyphens and underscores (``kick-offline`` -> ``kickoffline``). ``parts``
    are the lower-case parts of a compound or camel-case name, empty if there is only one. ``start`` and ``end`` are
    offsets into the text that was split.
    """

    is_han: bool
    text: str
    parts: tuple[str, ...]
    start: int
    end: int


def normalize(text: str, variants: Variants) -> str:
    """NFKC, one minus sign, simplified characters. Letter case stays, since camel case marks the parts of a word."""
    return _MINUS.sub("-", unicodedata.normalize("NFKC", text.translate(INVISIBLE))).translate(variants)


def is_han(character: str) -> bool:
    """Whether a character is Chinese: a unified ideograph, including the extensions, or a compatibility ideograph."""
    return (
        "\u3400" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003134f"
    )


def runs(normalized: str) -> Iterator[tuple[bool, str, int]]:
    """Split text into Han runs and words: (is Han, the run, its offset). Everything else separates."""
    for match in _RUN.finditer(normalized):
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


def chunks(normalized: str) -> Iterator[Chunk]:
    """Like ``runs``, with words in lower case and split into their parts."""
    for han, run, start in runs(normalized):
        whole, parts = (run, ()) if han else split_word(run)
        yield Chunk(han, whole, parts, start, start + len(run))


@cache
def split_word(word: str) -> tuple[str, tuple[str, ...]]:
    """A word as one lower-case whole, and its lower-case parts if there are several of two letters at least."""
    if _VERSION.fullmatch(word.lower()):
        return word.lower(), ()
    whole = word.lower().replace("-", "").replace("_", "").replace(".", "")
    pieces = [piece.lower() for run in _SPLIT.split(word) for piece in _PART.findall(run)]
    if len(pieces) < 2 or any(len(piece) < 2 and not piece.isdigit() for piece in pieces):
        pieces = [piece.lower() for piece in _SPLIT.split(word) if piece]
    return whole or word.lower(), tuple(pieces) if len(pieces) > 1 else ()


@cache
def stem(word: str) -> str:
    """A light English stem for comparing words: without plural, -ing, -ed and a final e."""
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
    """The lookup keys of a word or phrase: without case, hyphens, spaces and inner articles, whole and stemmed.

    ``Screen sharing`` -> ``screensharing`` and ``screenshar``; a Chinese phrase has one key.
    """
    found = list(chunks(normalize(phrase, variants)))
    whole = stems = ""
    for number, chunk in enumerate(found, 1):
        if chunk.text in ARTICLES and number < len(found):
            continue
        whole += chunk.text
        stems += "".join(map(stem, chunk.parts or (chunk.text,)))
    return tuple(dict.fromkeys(filter(None, (whole, stems))))


@cache
def word_tokens(word: str) -> tuple[str, ...]:
    """The full-text tokens of a word: the whole and the stemmed parts of a compound, else its stem."""
    whole, parts = split_word(word)
    return (whole, *map(stem, parts)) if parts else (stem(whole),)


def han_bigrams(run: str) -> list[str]:
    """Overlapping pairs of characters of a Han run; a run of one character is itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def syllables_of(word: str, sound_of: Mapping[str, str]) -> str:
    """The phonetic key of a Chinese word: its syllables without tone, ``?`` for a character without a known sound."""
    return " ".join(sound_of.get(character, "?") for character in word)

"""Text -> the form that is compared: folded characters, chunks, identifiers. The same rules on both sides.

Display text is never folded; only what goes into an index or comes from a query is.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

#: str.translate table: traditional and variant characters -> simplified ones. The file carries it.
Variants = Mapping[int, str | int]

_HAN = "㐀-䶿一-鿿豈-﫿\U00020000-\U0003134f"
_WORD = rf"[^\W{_HAN}]+"
_CHUNK = re.compile(rf"(?P<han>[{_HAN}]+)|(?P<word>{_WORD}(?:[-.]{_WORD})*(?:\+\+|#)?)")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+\d*|\d+|[^\W_]+")
_SPLIT = re.compile(r"[-_.]+")
_VERSION = re.compile(r"v?\d+(\.\d+)+")
_MINUS = re.compile(r"[−–﹣](?=\d)")


@dataclass(frozen=True, slots=True)
class Chunk:
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


def normalise(text: str, variants: Variants) -> str:
    """NFKC, one minus sign, simplified characters; letter case is kept, since camel case carries word borders."""
    return _MINUS.sub("-", unicodedata.normalize("NFKC", text)).translate(variants)


def chunks(normalised: str) -> Iterator[Chunk]:
    """Cut normalised text into Han runs and words; everything else separates."""
    for match in _CHUNK.finditer(normalised):
        if match["han"]:
            yield Chunk(True, match["han"], (), match.start(), match.end())
        else:
            yield Chunk(False, *split_word(match["word"]), match.start(), match.end())


def runs(normalised: str) -> Iterator[tuple[bool, str]]:
    """Like ``chunks``, but only (is it Han, the run or word as it stands): what a build of megabytes can afford."""
    for match in _CHUNK.finditer(normalised):
        yield match.lastgroup == "han", match[0]


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
    """The keys under which a word or phrase is looked up, without case, hyphens and spaces.

    ``Screen sharing`` -> ``screensharing`` and its stem ``screenshar``; Chinese stays as it is.
    """
    whole: list[str] = []
    stems: list[str] = []
    for chunk in chunks(normalise(phrase, variants)):
        whole.append(chunk.text)
        stems.extend(stem(part) for part in chunk.parts or (chunk.text,))
    return tuple(dict.fromkeys(key for key in ("".join(whole), "".join(stems)) if key))

"""Tokens of the similarity sets, and the tokens that stand for a concept.

Jaccard tokens follow the specification to the letter (docs/decisions/nim.md#tokens). They are not the words of the
full-text index: here every Chinese character is a token of its own. Traditional characters are not changed here;
except for ``--literal``, the caller normalizes both sides first.
"""

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from itertools import groupby

from query.analysis.normalize import han_bigrams, is_han

_LATIN = re.compile(r"[a-z0-9_]+")
#: Tags that name no subject, in lower case. They are left out of both sides before comparing
#: (docs/decisions/nim.md#tags-that-say-nothing).
GENERIC_TAGS = frozenset({"通用", "咨询", "sdk", "demo"})
#: Characters around a phrase that do not change it.
WRAPPING = " \t\n。．.!！,，;；:：()（）[]【】\"'“”*`_"
#: ``meta`` key of the phrases that count as no answer and no cause (docs/decisions/nim.md#placeholders), one a line.
PLACEHOLDERS_KEY = "nim.placeholders"
#: Characters below this one are readable text, and stand for no concept.
_FIRST_CONCEPT_CHARACTER = 0x100


class TokenMode(StrEnum):
    """``char``: the rule as this project reads it; ``run`` and ``bigram`` reproduce other readings."""

    CHAR = "char"
    RUN = "run"
    BIGRAM = "bigram"


def jaccard_tokens(text: str, mode: TokenMode = TokenMode.CHAR) -> frozenset[str]:
    """The set of tokens of a text: NFKC, lower case, runs of Han and of ``[a-z0-9_]``; all else separates."""
    folded = unicodedata.normalize("NFKC", text).lower()
    tokens = set(_LATIN.findall(folded))
    if mode is TokenMode.CHAR:
        return frozenset(tokens.union(filter(is_han, folded)))
    for run in ("".join(characters) for han, characters in groupby(folded, is_han) if han):
        tokens.update([run] if mode is TokenMode.RUN else han_bigrams(run))
    return frozenset(tokens)


def join_tokens(tokens: Iterable[str]) -> str:
    """A set of tokens as one text: the single characters, then each longer token behind a space; sorted."""
    ordered = sorted(tokens)
    return " ".join(("".join(t for t in ordered if len(t) == 1), *(t for t in ordered if len(t) > 1)))


def split_tokens(joined: str) -> list[str]:
    """The inverse of ``join_tokens``."""
    single, *longer = joined.split(" ")
    return [*single, *longer]


def fold_tag(tag: str) -> str:
    """A tag, product or platform as it is compared whole: NFKC, lower case, no outer spaces."""
    return unicodedata.normalize("NFKC", tag).lower().strip()


def bare_phrase(text: str) -> str:
    """A phrase as placeholders are compared: without brackets and punctuation around it, case folded."""
    return text.strip(WRAPPING).casefold()


def concept_term(concept: int) -> str:
    """The token of a full-text column that stands for a concept."""
    return f"c{concept}"


def concept_character(concept: int) -> str:
    """The character that stands for a concept in a set of concepts."""
    return chr(_FIRST_CONCEPT_CHARACTER + concept)

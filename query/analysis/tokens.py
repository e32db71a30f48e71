"""Tokens for Jaccard similarity (spec/decisions-nim 1): a literal reading of the specification's rule.

Not the words of the full-text index: here every Chinese character is a token of its own. Traditional characters
stay what they are; who compares folds both sides before (``fold.normalise``), but for ``--literal``.

How a concept stands in the file where it is no number: as a full-text term, and as one character of a set.
"""

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from itertools import groupby

from query.analysis.normalize import han_bigrams, is_han


class TokenMode(StrEnum):
    """``char``: the rule as this project reads it; ``run`` and ``bigram`` reproduce other readings."""

    CHAR = "char"
    RUN = "run"
    BIGRAM = "bigram"


_LATIN = re.compile(r"[a-z0-9_]+")

#: Tags that name no subject and leave both sides before comparing (decision 3), folded.
GENERIC_TAGS = frozenset({"通用", "咨询", "sdk", "demo"})


#: What may stand around a phrase without changing it.
WRAPPING = " \t\n。．.!！,，;；:：()（）[]【】\"'“”*`_"
#: ``meta`` key of the phrases that count as no answer and no cause (decision 6), bare, one a line.
PLACEHOLDERS_KEY = "nim.placeholders"


def bare(text: str) -> str:
    """A phrase as placeholders are compared: without brackets and closing punctuation around it, case folded."""
    return text.strip(WRAPPING).casefold()


def fold_tag(tag: str) -> str:
    """A tag, product or platform as it is compared whole: NFKC, lower case, outer spaces gone."""
    return unicodedata.normalize("NFKC", tag).lower().strip()


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
    """A set of tokens as one text: the single characters, then each longer one behind a space; sorted."""
    known = sorted(tokens)
    return " ".join(("".join(t for t in known if len(t) == 1), *(t for t in known if len(t) > 1)))


def split_tokens(joined: str) -> list[str]:
    """The inverse of ``join_tokens``."""
    single, *longer = joined.split(" ")
    return [*single, *longer]


#: Below are the characters that a person would read as text.
_FIRST_MARK = 0x100


def concept_term(concept: int) -> str:
    """The term of a full-text column that says a text names the concept."""
    return f"c{concept}"


def concept_character(concept: int) -> str:
    """The character that stands for the concept in a set of concepts."""
    return chr(_FIRST_MARK + concept)

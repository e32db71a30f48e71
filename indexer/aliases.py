"""The synonyms that a TRTC base brings along, joined to the vocabulary (decision 24)."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from fileformat.fold import Variants, keys
from indexer.bridge import Concept
from indexer.records import Alias


def with_aliases(
    concepts: Sequence[Concept], aliases: Iterable[Alias], tag_keys: Container[str], variants: Variants
) -> tuple[Concept, ...]:
    """The concepts with the words of each group that does not name a product; they keep their numbers.

    A group joins the concepts that its term names. One whose term no concept has is a concept of its own, at the
    end, if any of its names is a tag: one without would tell that the base has nothing on the subject.
    """
    joined = list(concepts)
    for alias in (alias for alias in aliases if not _names_product(alias, variants)):
        own = set(keys(alias.term, variants)[:1])
        places = [n for n, concept in enumerate(concepts) if concept.role != "case" and own & _names(concept, variants)]
        for place in places:
            joined[place] = replace(joined[place], words=tuple(dict.fromkeys((*joined[place].words, *alias.words))))
        names = (alias.term, *(word for strength, word in alias.words if strength == "name"))
        if not places and any(key in tag_keys for name in names for key in keys(name, variants)[:1]):
            joined.append(Concept(alias.term, "lexicon", (("name", alias.term), *alias.words), names))
    return tuple(joined)


def product_words(aliases: Iterable[Alias], variants: Variants) -> list[tuple[str, str]]:
    """(key, product id) of the groups whose term is a product; a word that only suggests one does not name it."""
    return [
        (key, alias.product)
        for alias in aliases
        if _names_product(alias, variants)
        for strength, word in alias.words
        if strength == "name"
        for key in keys(word, variants)
    ]


def _names_product(alias: Alias, variants: Variants) -> bool:
    return bool(alias.product) and keys(alias.term, variants)[:1] == keys(alias.product, variants)[:1]


def _names(concept: Concept, variants: Variants) -> set[str]:
    words = (concept.name, *(word for strength, word in concept.words if strength == "name"))
    return {key for word in words for key in keys(word, variants)[:1]}

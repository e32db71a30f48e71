"""``tooling/aliases.yaml`` of the later public layout -> groups of synonyms. Nothing depends on it: faults are told."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from indexer.errors import SourceRefused
from indexer.frontmatter import text_of
from indexer.records import Alias, Severity
from indexer.sources.trtc_catalogue import note_unkept
from indexer.sources.trtc_pages import Reading

ALIASES = "tooling/aliases.yaml"
#: How strongly a variant means the term -> how strongly its word names a concept (schema.sql, concept_word).
_STRENGTH = {"strong": "name", "weak": "evokes"}


def aliases_of(reading: Reading, files: Sequence[str]) -> tuple[Alias, ...]:
    """The groups that all questions share, then those of each product; those of relations have no counterpart.

    ``files`` are those that the base has.
    """
    if ALIASES not in files:
        return ()
    try:
        found = reading.index(ALIASES, "common and products", ("common",))
    except SourceRefused as error:
        reading.reject(ALIASES, str(error))
        return ()
    note_unkept(reading, ALIASES, "the aliases", [found], frozenset({"common", "products"}))
    products = found.get("products") or {}
    if not isinstance(products, dict):
        reading.find(ALIASES, 0, Severity.ERROR, "alias-shape", "products is no mapping")
        products = {}
    groups = [("", found.get("common")), *products.items()]
    return tuple(alias for product, listed in groups for alias in _groups(reading, product, listed))


def _groups(reading: Reading, product: str, listed: Any) -> Iterator[Alias]:
    where = product or "common"
    for group in listed if isinstance(listed, list) else [listed] if listed else []:
        term = text_of(group.get("canonical")) if isinstance(group, dict) else ""
        variants = group.get("variants") if term else None
        words = tuple(_words(variants)) if isinstance(variants, list) else ()
        if words:
            yield Alias(term, product, words)
        else:
            detail = f"{where}: {term or 'a group'}: wanted canonical and a list of variants"
            reading.find(ALIASES, 0, Severity.ERROR, "alias-shape", detail)


def _words(variants: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """(strength, word) of each variant; one without a strength is weak, as the base's own search has it."""
    for variant in variants:
        fields: Mapping[str, Any] = variant if isinstance(variant, dict) else {"value": variant}
        word = text_of(fields.get("value"))
        if word:
            yield _STRENGTH.get(text_of(fields.get("strength")).lower(), "evokes"), word

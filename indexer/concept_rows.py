"""The rows of every table that tells of concepts: what they are called, where they lead, who names them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from fileformat.concepts import concept_mark
from fileformat.fold import Variants, keys
from indexer import bridge, lexicon
from indexer.aliases import product_words, with_aliases
from indexer.records import Alias
from indexer.rows import Row, Rows
from indexer.sounds import sound_rows


def bridge_rows(slices: Sequence[Mapping[str, str]], tags: Iterable[str], aliases: Sequence[Alias] = ()) -> Rows:
    """The rows of the vocabulary tables, compiled against these slices and tags, with the base's own synonyms."""
    variants = lexicon.load_variants()
    tag_keys = _tag_keys(tags, variants)
    concepts = with_aliases(lexicon.load_concepts(), aliases, tag_keys, variants)
    words = bridge.concept_words(concepts, variants, lexicon.load_stop_words()) if aliases else _concept_words()
    products = sorted({*lexicon.load_product_words(), *product_words(aliases, variants)})
    spoken = [row for row in words if concepts[row["concept"] - 1].role != "case"]
    return {
        "concept": [{"id": n, "name": c.name, "source": c.source, "role": c.role} for n, c in enumerate(concepts, 1)],
        "concept_word": [row | {"word": _spelling(row, concepts[row["concept"] - 1])} for row in words],
        **sound_rows(spoken),
        "concept_tag": bridge.concept_tags(concepts, words, tag_keys, variants),
        "product_word": [{"key": key, "product_id": product} for key, product in products],
        "stop_word": [{"key": key} for key in sorted(lexicon.load_stop_words())],
        "concept_field": bridge.concept_fields(spoken, slices, variants),
    }


def _tag_keys(tags: Iterable[str], variants: Variants) -> dict[str, bool]:
    """The key of every tag, and whether it is generic."""
    generic = lexicon.load_generic_tags()
    return {key: key in generic for tag in tags for key in keys(tag, variants)[:1]}


def _spelling(row: Row, concept: bridge.Concept) -> str | None:
    """A word as the data file writes it, where ``--explain`` may show it and its key tells less."""
    return row["word"] if row["strength"] == "name" and concept.role != "case" and row["word"] != row["key"] else None


def nim_concepts(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The concepts that each text names."""
    return bridge.concepts_named(_concept_words(), texts, lexicon.load_variants())


def concept_set_rows(named: Iterable[Sequence[int]]) -> list[Row]:
    """Rows of ``nim_concept``: each unit's concepts as one character each."""
    return [{"unit": n, "concepts": "".join(map(concept_mark, concepts))} for n, concepts in enumerate(named, 1)]


@cache
def _concept_words() -> list[Row]:
    """The keys of every concept; both halves of a build need them."""
    return bridge.concept_words(lexicon.load_concepts(), lexicon.load_variants(), lexicon.load_stop_words())

"""The reader of the later public layout: products.yaml, an index per platform, pages -> TrtcBase.

How its parts map to the records, and so to the answers:

- **id, product**: as written, ``product/ability``: the ids of the specification's layout.
- **platforms**: those whose index lists the id, and those that its entry adds. One id in two indexes is one slice
  with two platforms. Where a product has no index: the folders that hold a page of the id; as ever not the front
  matter's ``platforms`` (decision 13).
- **tags**: ``tags``, ``keywords`` and ``trigger-keywords`` of an index; those of a page alone are page tags
  (decision 26). One that is an error code is a code that the index lists, and so an exact hit.
- **name, description**: of the first platform that has them. A page that lists itself describes itself by its first
  paragraph where its front matter does not.
- **pages**: the overview ``slices/{product}/{ability}.md``, the file of each entry, and
  ``slices/{product}/{platform}/{ability}.md`` of its platforms.
- **related**: the front matter's ``related`` (decision 22), then ``prerequisites``; one without a product is of the
  slice's own.
- **planned**: the entry's own ``status``; a slice is planned where every platform's entry is. The
  ``public_release`` of products.yaml plans products, not pages.
- **relations**: ``cross_product_scenarios``; they name products, and no slice.
- **scenarios**: see ``trtc_catalogue``; what triggers one stands in for a missing description.
- **aliases** of ``tooling/``: words of the concepts or products that they stand for.
- **docs/, the rest of tooling/**, guides for authors: seen, told, not searched.

``tooling/aliases.yaml`` of the later public layout -> groups of synonyms. Nothing depends on it: faults are told.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from indexer.errors import SourceRefused
from indexer.reading.front_matter import text_of
from indexer.reading.trtc.catalogue import REGISTER, Catalogue, note_unkept
from indexer.reading.trtc.folder import PAGE_FOLDERS
from indexer.reading.trtc.listed import SliceReader, by_id, product_of, relation_of, scenario_of
from indexer.reading.trtc.pages import Reading
from indexer.records import Alias, Severity, TrtcBase

_PRODUCTS, _RELATIONS = "products", "cross_product_scenarios"
#: Folder of the root -> why its files are seen and not searched.
_NOT_SEARCHED = {
    "docs": "official documents and how-tos: the docs skill's, no slice (specification, out of scope)",
    "tooling": "the dispatcher's signals: no counterpart in a slice search",
}


def read_split(root: Path) -> TrtcBase:
    """Read the base at ``root``, which holds products.yaml.

    Raises:
        SourceRefused: products.yaml or a platform's index is no mapping, no YAML, too large, or an alias bomb.
    """
    reading = Reading(root)
    listed_in = reading.relative(root / REGISTER)
    entries, relations = _register(reading)
    products = tuple(product_of(entry, listed_in) for entry in entries)
    catalogue = Catalogue(reading, [product.id for product in products])
    listings = catalogue.slices()
    reader = SliceReader(reading, listings, catalogue.files)
    slices = tuple(reader.slice(group) for group in by_id(listings))
    scenarios = tuple(scenario_of(reading, listing) for listing in catalogue.scenarios())
    aliases = aliases_of(reading, catalogue.files)
    _note_left(reading, catalogue.files)
    return TrtcBase(
        products=products,
        relations=tuple(relation_of(entry, listed_in) for entry in relations),
        slices=slices,
        scenarios=scenarios,
        aliases=aliases,
        files=reading.files,
        findings=tuple(sorted(reading.findings)),
    )


def _register(reading: Reading) -> tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]:
    """The products and the relations of products.yaml."""
    register = reading.index(REGISTER, f"{_PRODUCTS} and {_RELATIONS}", ())
    products, relations = (reading.entries(REGISTER, register, key) for key in (_PRODUCTS, _RELATIONS))
    note_unkept(reading, REGISTER, "the register", [register], frozenset({_PRODUCTS, _RELATIONS}))
    note_unkept(reading, REGISTER, _PRODUCTS, products, frozenset({"id", "name", "description", "llms_file"}))
    note_unkept(reading, REGISTER, _RELATIONS, relations, frozenset({"id", "products", "slices", "description"}))
    return products, relations


def _note_left(reading: Reading, files: Sequence[str]) -> None:
    """Decision 15: what no listing has is told, never searched."""
    for file in files:
        path = reading.root / file
        if reading.relative(path) in reading.claimed:
            continue
        folder = PurePosixPath(file).parts[0]
        if folder in PAGE_FOLDERS:
            reading.record_unused(path, "unlisted", f"no index lists this {folder.removesuffix('s')} page")
        else:
            reading.record_unused(
                path, "not-searched", _NOT_SEARCHED.get(folder, "no part of what a slice search reads")
            )


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

"""Reads the later public layout: products.yaml, an index per platform, and pages.

How its parts map to the records, and so to the answers:

- **id, product**: as written, ``product/ability``: the ids of the specification's layout.
- **platforms**: those whose index lists the id, and those that its entry adds. An id in two indexes is one slice with
  two platforms. For a product without an index: the platform folders that have a page of the id. The ``platforms`` of
  a front matter never count (docs/decisions/trtc.md#platforms-from-the-index).
- **tags**: ``tags``, ``keywords`` and ``trigger-keywords`` of an index; those of pages alone are page tags
  (docs/decisions/trtc.md#page-tags). A tag that is an error code is a code that the index lists: an exact hit.
- **name, description**: of the first platform that has one. A page that lists itself is described by its first
  paragraph if its front matter has no description.
- **pages**: the overview ``slices/{product}/{ability}.md``, the file of each entry, and
  ``slices/{product}/{platform}/{ability}.md`` of its platforms.
- **related**: ``related`` of the front matter (docs/decisions/trtc.md#related), then ``prerequisites``; an id without
  a product belongs to the slice's product.
- **planned**: the ``status`` of the entry; a slice is planned if every platform's entry is. ``public_release`` of
  products.yaml plans products, not pages, and is ignored.
- **relations**: ``cross_product_scenarios``, which name products and no slices.
- **scenarios**: see ``catalogue``; the trigger words are the description if there is none.
- **aliases**: the synonyms of ``tooling/aliases.yaml``. No other file depends on it, so an error in it stops nothing.
- **docs/, the rest of tooling/ and the authors' guides** are reported, and not searched.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from indexer.errors import SourceRefused
from indexer.reading.front_matter import text_of
from indexer.reading.trtc.catalogue import REGISTER, Catalogue, note_unused_keys
from indexer.reading.trtc.folder import printed_path
from indexer.reading.trtc.listed import SliceReader, by_id, product_of, relation_of, scenario_of
from indexer.reading.trtc.pages import FileReader
from indexer.records import Alias, Severity, TrtcBase

ALIASES = "tooling/aliases.yaml"
#: Strength of a variant in the aliases file -> strength of a word of a concept.
_STRENGTH = {"strong": "name", "weak": "evokes"}
_PRODUCTS, _RELATIONS = "products", "cross_product_scenarios"
#: Folder of the root -> why its files are not searched.
_NOT_SEARCHED = {
    "docs": "official documents are not slices",
    "tooling": "the slice search does not use the dispatcher's data",
}


def read_split(root: Path) -> TrtcBase:
    """Read the base at ``root``, which contains products.yaml.

    Raises:
        SourceRefused: products.yaml or a platform's index cannot be read or trusted; see ``FileReader.read_index``.
    """
    files = FileReader(root)
    listed_in = printed_path(REGISTER)
    entries, relations = _register(files)
    products = tuple(product_of(entry, listed_in) for entry in entries)
    catalogue = Catalogue(files, [product.id for product in products])
    listings = catalogue.slices()
    reader = SliceReader(files, listings, catalogue.paths)
    slices = tuple(reader.slice(group) for group in by_id(listings))
    scenarios = tuple(scenario_of(files, listing) for listing in catalogue.scenarios())
    aliases = read_aliases(files) if ALIASES in catalogue.paths else ()
    files.note_unused(catalogue.paths, "no index lists", _NOT_SEARCHED)
    return TrtcBase(
        products=products,
        relations=tuple(relation_of(entry, listed_in) for entry in relations),
        slices=slices,
        scenarios=scenarios,
        aliases=aliases,
        files=files.ledger,
        findings=tuple(sorted(files.findings)),
    )


def _register(files: FileReader) -> tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]:
    """The products and the relations of products.yaml."""
    register = files.read_index(REGISTER, f"{_PRODUCTS} and {_RELATIONS}", ())
    products, relations = (files.entries(REGISTER, register, key) for key in (_PRODUCTS, _RELATIONS))
    note_unused_keys(files, REGISTER, "the register", [register], frozenset({_PRODUCTS, _RELATIONS}))
    note_unused_keys(files, REGISTER, _PRODUCTS, products, frozenset({"id", "name", "description", "llms_file"}))
    note_unused_keys(files, REGISTER, _RELATIONS, relations, frozenset({"id", "products", "slices", "description"}))
    return products, relations


def read_aliases(files: FileReader) -> tuple[Alias, ...]:
    """The synonym groups that all products share, then those of each product; groups of relations are not used."""
    try:
        found = files.read_index(ALIASES, "common and products", ("common",))
    except SourceRefused as error:
        files.claimed.add(printed_path(ALIASES))
        files.reject(ALIASES, str(error))
        return ()
    note_unused_keys(files, ALIASES, "the aliases", [found], frozenset({"common", "products"}))
    products = found.get("products") or {}
    if not isinstance(products, dict):
        files.add_finding(ALIASES, 0, Severity.ERROR, "alias-shape", "products is not a mapping")
        products = {}
    groups = [("", found.get("common")), *products.items()]
    return tuple(alias for product, listed in groups for alias in _groups(files, product, listed))


def _groups(files: FileReader, product: str, listed: Any) -> Iterator[Alias]:
    for group in listed if isinstance(listed, list) else [listed] if listed else []:
        term = text_of(group.get("canonical")) if isinstance(group, dict) else ""
        variants = group.get("variants") if term else None
        words = tuple(_words(variants)) if isinstance(variants, list) else ()
        if words:
            yield Alias(term, product, words)
        else:
            detail = f"{product or 'common'}: {term or 'a group'}: wanted canonical and a list of variants"
            files.add_finding(ALIASES, 0, Severity.ERROR, "alias-shape", detail)


def _words(variants: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """(strength, word) of each variant; a variant without a strength is weak, as in the base's own search."""
    for variant in variants:
        fields: Mapping[str, Any] = variant if isinstance(variant, dict) else {"value": variant}
        word = text_of(fields.get("value"))
        if word:
            yield _STRENGTH.get(text_of(fields.get("strength")).lower(), "evokes"), word

"""Findings that need a whole base: missing references, duplicate ids, copies. Nothing is repaired here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias, TypeVar

from indexer.records import Base, Finding, NimBase, Product, Relation, Scenario, Severity, Slice, TrtcBase, Unit
from query.analysis.case_ref import case_ref
from query.analysis.normalize import Variants, normalize

#: A record that some file lists under an id.
_Listed: TypeAlias = Product | Relation | Scenario | Slice
_T = TypeVar("_T", bound=_Listed)


def check_trtc(base: TrtcBase) -> Iterator[Finding]:
    """References to ids that are not in the index, records that lack something, and ids that are listed twice."""
    known = {record.id for record in base.slices}
    references: list[tuple[_Listed, str, tuple[str, ...]]] = [
        *((r, f"relation {r.id}", r.slices) for r in base.relations),
        *((s, f"scenario {s.id}", s.slices) for s in base.scenarios),
        *((s, f"slice {s.id} (related)", s.related) for s in base.slices),
    ]
    for record, name, ids in references:
        for unknown in dict.fromkeys(i for i in ids if i not in known):
            yield _note(record, "dangling", f"{name} names {unknown}, which is not in the index")
    for relation in base.relations:
        if not relation.slices:
            yield _note(relation, "no-slices", f"relation {relation.id} names no slice, so no answer uses it")
    products = {product.id for product in base.products}
    for slice_ in base.slices:
        if slice_.product not in products:
            detail = f"slice {slice_.id} belongs to product {slice_.product}, which is not listed"
            yield _note(slice_, "unknown-product", detail)
        if not slice_.tags:
            yield _note(slice_, "no-tags", f"slice {slice_.id} has no tags")
    for type_name, records in (("product", base.products), ("slice", base.slices), ("scenario", base.scenarios)):
        for second in _second_of_each(records):
            detail = f"{type_name} {second.id} is listed twice; the first one is used"
            yield Finding(Base.TRTC, second.listed_in, 0, Severity.ERROR, "double-id", detail)


def _note(record: _Listed, kind: str, detail: str) -> Finding:
    return Finding(Base.TRTC, record.listed_in, 0, Severity.NOTE, kind, detail)


def _second_of_each(records: Iterable[_Listed]) -> list[_Listed]:
    """The second record of each id that is listed more than once."""
    groups: dict[str, list[_Listed]] = {}
    for record in records:
        groups.setdefault(record.id, []).append(record)
    return [group[1] for group in groups.values() if len(group) > 1]


def first_of_each(base: TrtcBase) -> TrtcBase:
    """The base with only the first product, slice and scenario of each id."""
    return replace(
        base,
        products=_first_by_id(base.products),
        slices=_first_by_id(base.slices),
        scenarios=_first_by_id(base.scenarios),
    )


def _first_by_id(records: Iterable[_T]) -> tuple[_T, ...]:
    first: dict[str, _T] = {}
    for record in records:
        first.setdefault(record.id, record)
    return tuple(first.values())


def copies(base: NimBase, variants: Variants) -> Mapping[int, int]:
    """The number of each unit, from 1 -> the number of the first unit with the same title, root cause and solution.

    The texts are compared after normalization; file names do not matter (docs/decisions/nim.md#copies).
    """
    first: dict[tuple[str, ...], int] = {}
    return {number: first.setdefault(_copy_key(unit, variants), number) for number, unit in enumerate(base.units, 1)}


def _copy_key(unit: Unit, variants: Variants) -> tuple[str, ...]:
    texts = (unit.display_title, unit.root_cause, unit.solution)
    return tuple(" ".join(normalize(text, variants).lower().split()) for text in texts)


def check_nim(base: NimBase, copy_of: Mapping[int, int]) -> Iterator[Finding]:
    """A note for each copy, which names the unit that it repeats."""
    for number, original in copy_of.items():
        if number != original:
            unit, first = base.units[number - 1], base.units[original - 1]
            detail = f"the same title, cause and solution as {case_ref(first.path, first.entry)}"
            yield Finding(Base.NIM, unit.path, unit.line, Severity.NOTE, "copy", detail)

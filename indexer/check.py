"""Findings that need the whole base: dangling references, double ids, copies. Reports; never repairs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from fileformat.fold import Variants, normalise
from indexer.records import Base, Finding, NimBase, Severity, TrtcBase, Unit

_INDEX = "knowledge-base/index.yaml"


def check_trtc(base: TrtcBase) -> Iterator[Finding]:
    """What index.yaml and the pages name but the index lacks, and ids that stand twice."""
    known = {record.id for record in base.slices}
    named: list[tuple[str, tuple[str, ...]]] = [
        *((f"relation {r.id}", r.slices) for r in base.relations),
        *((f"scenario {s.id}", s.slices) for s in base.scenarios),
        *((f"slice {s.id} (related)", s.related) for s in base.slices),
    ]
    for owner, ids in named:
        for unknown in dict.fromkeys(i for i in ids if i not in known):
            yield _note("dangling", f"{owner} names {unknown}, which the index does not have")
    products = {product.id for product in base.products}
    for record in base.slices:
        if record.product not in products:
            yield _note("unknown-product", f"slice {record.id} is of product {record.product}, which is not listed")
        if not record.tags:
            yield _note("no-tags", f"slice {record.id} has no tags")
    for name, all_ids in (
        ("product", [p.id for p in base.products]),
        ("slice", [s.id for s in base.slices]),
        ("scenario", [s.id for s in base.scenarios]),
    ):
        for double in _doubles(all_ids):
            yield Finding(
                Base.TRTC, _INDEX, 0, Severity.ERROR, "double-id", f"{name} {double} stands twice; the first counts"
            )


def _note(kind: str, detail: str) -> Finding:
    return Finding(Base.TRTC, _INDEX, 0, Severity.NOTE, kind, detail)


def _doubles(ids: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return list(dict.fromkeys(i for i in ids if i in seen or seen.add(i)))  # type: ignore[func-returns-value]  # set.add as a filter


def first_of_each(base: TrtcBase) -> TrtcBase:
    """The base with only the first product, slice and scenario of each id."""
    products = {record.id: record for record in reversed(base.products)}
    slices = {record.id: record for record in reversed(base.slices)}
    scenarios = {record.id: record for record in reversed(base.scenarios)}
    return replace(
        base,
        products=tuple(p for p in base.products if products[p.id] is p),
        slices=tuple(s for s in base.slices if slices[s.id] is s),
        scenarios=tuple(s for s in base.scenarios if scenarios[s.id] is s),
    )


def copies(base: NimBase, variants: Variants) -> Mapping[int, int]:
    """Decision 15: the number of each unit -> the number of the first unit with the same text.

    Same means the same normalised title, root cause and solution; a unit without any text of its own is no copy.
    """
    first: dict[tuple[str, ...], int] = {}
    found: dict[int, int] = {}
    for number, unit in enumerate(base.units, 1):
        found[number] = first.setdefault(_copy_key(unit, variants), number)
    return found


def _copy_key(unit: Unit, variants: Variants) -> tuple[str, ...]:
    texts = (unit.display_title, unit.root_cause, unit.solution)
    return tuple(" ".join(normalise(text, variants).lower().split()) for text in texts)


def check_nim(base: NimBase, copy_of: Mapping[int, int]) -> Iterator[Finding]:
    """Copies, each named with the unit that it repeats."""
    for number, original in copy_of.items():
        if number != original:
            unit, first = base.units[number - 1], base.units[original - 1]
            detail = f"the same title, cause and solution as {first.path}" + (f"#{first.entry}" if first.entry else "")
            yield Finding(Base.NIM, unit.path, unit.line, Severity.NOTE, "copy", detail)

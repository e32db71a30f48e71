"""Findings that need the whole base: dangling references, double ids, copies. Reports; never repairs.

Which files the sources hold just now, and their hashes: enough to tell that nothing has changed.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from indexer.reading.decode import nfc
from indexer.reading.nim import folder as nim_folder
from indexer.reading.trtc import folder as trtc_folder
from indexer.records import Base, Finding, NimBase, Product, Relation, Scenario, Severity, Slice, TrtcBase, Unit
from query.analysis.case_ref import case_ref
from query.analysis.normalize import Variants, normalize

#: A record that some file lists under an id.
_Listed: TypeAlias = Product | Relation | Scenario | Slice


def check_trtc(base: TrtcBase) -> Iterator[Finding]:
    """What an index and the pages name but no index has, and ids that stand twice."""
    known = {record.id for record in base.slices}
    named: list[tuple[_Listed, str, tuple[str, ...]]] = [
        *((r, f"relation {r.id}", r.slices) for r in base.relations),
        *((s, f"scenario {s.id}", s.slices) for s in base.scenarios),
        *((s, f"slice {s.id} (related)", s.related) for s in base.slices),
    ]
    for record, owner, ids in named:
        for unknown in dict.fromkeys(i for i in ids if i not in known):
            yield _note(record, "dangling", f"{owner} names {unknown}, which the index does not have")
    for relation in base.relations:
        if not relation.slices:
            yield _note(relation, "no-slices", f"relation {relation.id} names no slice, so it leads to none")
    products = {product.id for product in base.products}
    for slice_ in base.slices:
        if slice_.product not in products:
            detail = f"slice {slice_.id} is of product {slice_.product}, which is not listed"
            yield _note(slice_, "unknown-product", detail)
        if not slice_.tags:
            yield _note(slice_, "no-tags", f"slice {slice_.id} has no tags")
    records: tuple[tuple[str, Sequence[_Listed]], ...] = (
        ("product", base.products),
        ("slice", base.slices),
        ("scenario", base.scenarios),
    )
    for name, listed in records:
        for double in _doubles(listed):
            detail = f"{name} {double.id} stands twice; the first counts"
            yield Finding(Base.TRTC, double.listed_in, 0, Severity.ERROR, "double-id", detail)


def _note(record: _Listed, kind: str, detail: str) -> Finding:
    return Finding(Base.TRTC, record.listed_in, 0, Severity.NOTE, kind, detail)


def _doubles(records: Iterable[_Listed]) -> list[_Listed]:
    """The second record of each id that stands more than once."""
    seen: dict[str, list[_Listed]] = {}
    for record in records:
        seen.setdefault(record.id, []).append(record)
    return [same[1] for same in seen.values() if len(same) > 1]


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
    return tuple(" ".join(normalize(text, variants).lower().split()) for text in texts)


def check_nim(base: NimBase, copy_of: Mapping[int, int]) -> Iterator[Finding]:
    """Copies, each named with the unit that it repeats."""
    for number, original in copy_of.items():
        if number != original:
            unit, first = base.units[number - 1], base.units[original - 1]
            detail = f"the same title, cause and solution as {case_ref(first.path, first.entry)}"
            yield Finding(Base.NIM, unit.path, unit.line, Severity.NOTE, "copy", detail)


#: (base, path as the ledger prints it) -> SHA-256 of the bytes.
Census = Mapping[tuple[str, str], str]


def source_hashes(trtc: Path | None, nim: Path | None) -> Census:
    """Hash every file that the readers would look at; one that cannot be read hashes as empty text."""
    found: dict[tuple[str, str], str] = {}
    if trtc is not None:
        root = trtc_folder.find_root(trtc)
        for path in trtc_folder.source_files(root):
            found[Base.TRTC, nfc(f"{trtc_folder.ROOT_NAME}/{path.relative_to(root).as_posix()}")] = _hash(path)
    if nim is not None:
        for page in nim_folder.case_files(nim_folder.find_root(nim)):
            found[Base.NIM, page.relative] = "" if page.problem else _hash(page.path)
    return found


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""

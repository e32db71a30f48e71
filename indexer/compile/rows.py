"""Records -> rows of the ordinary tables, as {table: [row, ...]}, in the order in which they are inserted."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from indexer.compile.fulltext import prose_codes
from indexer.data import standard_product
from indexer.records import Base, ErrorCode, Finding, NimBase, Slice, SlicePage, SourceFile, TrtcBase, Unit
from query.analysis.normalize import Variants, keys

Row = dict[str, Any]
Rows = dict[str, list[Row]]


def dictionary_row(  # noqa: PLR0913  # one parameter per column
    key: str,
    kind: str,
    ref: str | int = "",
    strength: str | None = None,
    rank: int | None = None,
    word: str | None = None,
) -> Row:
    """One row of ``dictionary``; schema.sql lists the kinds and what ``ref`` is for each."""
    return {"key": key, "kind": kind, "ref": ref, "strength": strength, "rank": rank, "word": word}


def ledger_rows(files: Iterable[SourceFile], findings: Iterable[Finding], units: Sequence[Unit] = ()) -> Rows:
    """The build ledger: every file seen, where the NIM units of each begin, and everything found."""
    first = {unit.path: number for number, unit in reversed(list(enumerate(units, 1)))}
    return {
        "source_file": [_file_row(f, first.get(f.path, 0) if f.base == Base.NIM else 0) for f in sorted(files)],
        "finding": [
            {
                "id": n,
                "base": f.base,
                "path": f.path,
                "line": f.line,
                "severity": f.severity,
                "kind": f.kind,
                "detail": f.detail,
            }
            for n, f in enumerate(sorted(findings), 1)
        ],
    }


def _file_row(file: SourceFile, first_unit: int) -> Row:
    return {
        "base": file.base,
        "path": file.path,
        "status": file.status,
        "sha256": bytes.fromhex(file.sha256),
        "size": file.size,
        "units": file.units,
        "first_unit": first_unit,
    }


def trtc_rows(base: TrtcBase, generic: frozenset[str], variants: Variants) -> Rows:
    """Everything the indexes and their pages say; references to what the index lacks are dropped."""
    numbers = {record.id: number for number, record in enumerate(base.slices, 1)}
    rows: Rows = {
        "product": [
            {"id": n, "product_id": p.id, "name": p.name, "description": p.description, "llms_file": p.llms_file}
            for n, p in enumerate(base.products, 1)
        ],
        "slice": [_slice_row(n, record) for n, record in enumerate(base.slices, 1)],
        "slice_tag": [row for n, s in enumerate(base.slices, 1) for row in _tag_rows(n, s, generic, variants)],
        "slice_platform": [
            {"slice": n, "platform": platform}
            for n, s in enumerate(base.slices, 1)
            for platform in sorted({platform.lower() for platform in s.platforms})
        ],
        "slice_related": [
            {"slice": n, "position": position, "related": numbers[related]}
            for n, s in enumerate(base.slices, 1)
            for position, related in enumerate((r for r in s.related if r in numbers and r != s.id), 1)
        ],
    }
    rows |= _page_rows(base.slices)
    rows |= _relation_rows(base, numbers)
    rows |= _scenario_rows(base, numbers)
    return rows


def _slice_row(number: int, record: Slice) -> Row:
    return {
        "id": number,
        "slice_id": record.id,
        "product_id": record.product,
        "name": record.name,
        "description": record.description,
        "file": record.file,
        "planned": int(record.planned),
    }


def _tag_rows(number: int, record: Slice, generic: frozenset[str], variants: Variants) -> list[Row]:
    """Each tag once by its key; one that stands both in the index and in a page is the index's.

    The rule is docs/decisions/trtc.md#page-tags.
    """
    tags: dict[str, tuple[str, str]] = {}
    for origin, listed in (("index", record.tags), ("name", (record.name,)), ("page", record.page_tags)):
        for tag in listed:
            for key in keys(tag, variants)[:1]:
                tags.setdefault(key, (tag, origin))
    return [
        {
            "slice": number,
            "position": position,
            "tag": tag,
            "key": key,
            "origin": origin,
            "generic": int(key in generic),
        }
        for position, (key, (tag, origin)) in enumerate(tags.items(), 1)
    ]


def _page_rows(slices: tuple[Slice, ...]) -> Rows:
    pages: list[Row] = []
    codes: list[Row] = []
    for number, record in enumerate(slices, 1):
        for page in record.pages:
            page_id = len(pages) + 1
            pages.append(
                {"id": page_id, "slice": number, "platform": page.platform, "path": page.path, "text": page.text}
            )
            for place, code in _codes(page):
                codes.append(_code_row(len(codes) + 1, number, page_id, place, code))
        for listed in record.codes:
            code = ErrorCode(listed, record.description, "keywords", 0)
            codes.append(_code_row(len(codes) + 1, number, None, "index", code))
    return {"slice_page": pages, "error_code": codes}


def _codes(page: SlicePage) -> list[tuple[str, ErrorCode]]:
    return [("table", code) for code in page.codes] + [("prose", code) for code in prose_codes(page)]


def _code_row(row_id: int, number: int, page: int | None, place: str, code: ErrorCode) -> Row:
    written = code.code if code.code.lstrip("-").isdigit() else code.code.upper()
    return {
        "id": row_id,
        "slice": number,
        "page": page,
        "code": written,
        "magnitude": written.removeprefix("-"),
        "place": place,
        "section": code.section,
        "line": code.line,
        "text": code.text,
    }


def _relation_rows(base: TrtcBase, numbers: Mapping[str, int]) -> Rows:
    relations = list(enumerate(base.relations, 1))
    return {
        "relation": [{"id": n, "relation_id": r.id, "description": r.description} for n, r in relations],
        "relation_product": [
            {"relation": n, "product_id": product} for n, r in relations for product in sorted(set(r.products))
        ],
        "relation_slice": [
            {"relation": n, "position": position, "slice": numbers[slice_id]}
            for n, r in relations
            for position, slice_id in enumerate((s for s in r.slices if s in numbers), 1)
        ],
    }


def _scenario_rows(base: TrtcBase, numbers: Mapping[str, int]) -> Rows:
    scenarios = list(enumerate(base.scenarios, 1))
    return {
        "scenario": [
            {
                "id": n,
                "scenario_id": s.id,
                "name": s.name,
                "description": s.description,
                "file": s.file,
                "planned": int(s.planned),
                "text": s.text,
            }
            for n, s in scenarios
        ],
        "scenario_slice": [
            {"scenario": n, "position": position, "slice": numbers[slice_id]}
            for n, s in scenarios
            for position, slice_id in enumerate((i for i in dict.fromkeys(s.slices) if i in numbers), 1)
        ],
    }


def nim_rows(base: NimBase, copies: Mapping[int, int], variants: Variants) -> Rows:
    """Every unit with its tags, customers and platforms; ``copies`` says of a unit's number whose copy it is."""
    units = list(enumerate(base.units, 1))
    return {
        "nim_unit": [_unit_row(n, unit, copies[n]) for n, unit in units],
        "nim_tag": [{"unit": n, "position": p, "tag": tag} for n, unit in units for p, tag in enumerate(unit.tags, 1)],
        "dictionary": _tag_entries(base.units, variants),
        "nim_customer": [
            {"unit": n, "position": p, "customer": customer}
            for n, unit in units
            for p, customer in enumerate(unit.customers, 1)
        ],
        "nim_platform": [
            {"unit": n, "platform": platform} for n, unit in units for platform in sorted(set(unit.platforms))
        ],
        "nim_folder": _folder_rows(base.units),
    }


def _folder_rows(units: Iterable[Unit]) -> list[Row]:
    counts = Counter((standard_product(unit.product_folder), unit.feature_folder) for unit in units)
    return [{"scope": s, "feature_folder": folder, "units": counts[s, folder]} for s, folder in sorted(counts)]


def _tag_entries(units: Iterable[Unit], variants: Variants) -> list[Row]:
    """The dictionary entry of each tag: its first spelling, and the number of units that have it."""
    rows: dict[str, Row] = {}
    for tag in (tag for unit in units for tag in unit.tags):
        for key in keys(tag, variants)[:1]:
            rows.setdefault(key, dictionary_row(key, "nim tag", tag, rank=0))["rank"] += 1
    return [rows[key] for key in sorted(rows)]


def _unit_row(number: int, unit: Unit, copy_of: int) -> Row:
    stored = {name: getattr(unit, name) for name in Unit.__slots__ if name not in {"platforms", "tags", "customers"}}
    derived = {"answered": int(unit.answered), "scope": standard_product(unit.product_folder), "copy_of": copy_of}
    return {"id": number, **stored, **derived}

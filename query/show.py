"""Documents about the index itself: ``info``, ``verify`` and ``show``."""

import unicodedata
from typing import Any

from query.analysis.case_ref import parse_case_ref
from query.errors import IndexUnreadable, UsageError
from query.index import Index
from query.integrity import DIGEST_KEY, mismatch
from query.limits import sanitize_text
from query.trtc.request import check_platform

_SLICE = """
SELECT id, slice_id, product_id, name, description, file, CASE planned WHEN 1 THEN 'planned' ELSE 'active' END
FROM slice WHERE slice_id = :id COLLATE NOCASE ORDER BY slice_id <> :id
"""
_TAGS = "SELECT tag FROM slice_tag WHERE slice = ? AND origin = 'index' ORDER BY position"
_PLATFORMS = "SELECT platform FROM slice_platform WHERE slice = ? ORDER BY platform"
_PAGES = "SELECT platform, path, text FROM slice_page WHERE slice = ? ORDER BY id"
_CODES = "SELECT DISTINCT code, text, section FROM error_code WHERE slice = ? AND place <> 'prose' ORDER BY id"
_SCENARIO = """
SELECT id, scenario_id, name, description, file, CASE planned WHEN 1 THEN 'planned' ELSE 'active' END, text
FROM scenario WHERE scenario_id = :id COLLATE NOCASE ORDER BY scenario_id <> :id
"""
_SCENARIO_SLICES = """
SELECT slice.slice_id FROM scenario_slice JOIN slice ON slice.id = scenario_slice.slice
WHERE scenario_slice.scenario = ? ORDER BY scenario_slice.position
"""
_UNIT = """
SELECT nim_unit.* FROM source_file JOIN nim_unit ON nim_unit.id BETWEEN first_unit AND first_unit + units - 1
WHERE base = 'nim' AND source_file.path = ? AND entry = ?
"""
_UNIT_LISTS = {
    "tags": "SELECT tag FROM nim_tag WHERE unit = ? ORDER BY position",
    "customers": "SELECT customer FROM nim_customer WHERE unit = ? ORDER BY position",
    "platforms": "SELECT platform FROM nim_platform WHERE unit = ? ORDER BY platform",
}
_UNIT_COLUMNS = "SELECT name FROM pragma_table_info('nim_unit')"
_INTERNAL_COLUMNS = frozenset({"id", "copy_of", "line", "scope"})


def info(index: Index) -> dict[str, Any]:
    """Schema version, digest, whether personal details were left out, and the counts of each source."""
    meta = index.meta
    counts: dict[str, dict[str, int]] = {"trtc": {}, "nim": {}}
    for key, value in meta.items():
        if key.startswith("count."):
            _, base, name = key.split(".")
            counts[base][name] = int(value)
    return {
        "schema_version": int(meta["schema_version"]),
        "digest": meta[DIGEST_KEY],
        "tokenizer": meta["tokenizer"],
        "redacted": meta.get("redacted") == "1",
        "commits": {base: meta.get(f"{base}.commit") or None for base in counts},
        "sources": counts,
    }


def verify(index: Index) -> dict[str, Any]:
    """Check the structure of the file and recompute both its hashes.

    Raises:
        IndexUnreadable: the structure is damaged, or a hash differs from the stored one.
    """
    faults = [row[0] for row in index.rows("PRAGMA integrity_check(5)")]
    if faults != ["ok"]:
        raise IndexUnreadable(f"{index.path}: damaged: {' '.join('; '.join(faults).split())}")
    difference = index.computed(mismatch)
    if difference:
        raise IndexUnreadable(f"{index.path}: damaged or altered: {difference}")
    return {"ok": True, "digest": index.meta[DIGEST_KEY]}


def show(index: Index, wanted: str, platform: str | None = None) -> dict[str, Any]:
    """One slice, scenario or NIM unit (``knowledge/....md`` or ``....md#n``), whole.

    Slice and scenario ids are found in any letter case. If two differ in case only, the exact one is shown.

    Raises:
        UsageError: the index has nothing of that id, or there is no such platform.
    """
    wanted, platform = sanitize_text(wanted).strip(), check_platform(platform)
    document = _slice(index, wanted, platform) or _scenario(index, wanted) or _unit(index, wanted)
    if document is None:
        raise UsageError(f"ID {wanted!r}: not in the index; wanted a slice id, a scenario id or a knowledge/... path")
    return document


def _slice(index: Index, wanted: str, platform: str | None) -> dict[str, Any] | None:
    for number, *about in index.rows(_SLICE, {"id": wanted}):
        return {
            "kind": "slice",
            **dict(zip(("id", "product", "name", "description", "file", "status"), about, strict=True)),
            "tags": _column(index, _TAGS, number),
            "platforms": _column(index, _PLATFORMS, number),
            "error_codes": [
                {"code": code, "text": text, "section": section}
                for code, text, section in index.rows(_CODES, (number,))
            ],
            "pages": [
                {"platform": of_platform or None, "path": path, "text": text}
                for of_platform, path, text in index.rows(_PAGES, (number,))
                if platform is None or of_platform in {"", platform}
            ],
        }
    return None


def _scenario(index: Index, wanted: str) -> dict[str, Any] | None:
    for number, *about, text in index.rows(_SCENARIO, {"id": wanted}):
        return {
            "kind": "scenario",
            **dict(zip(("id", "name", "description", "file", "status"), about, strict=True)),
            "slices": _column(index, _SCENARIO_SLICES, number),
            "text": text,
        }
    return None


def _unit(index: Index, wanted: str) -> dict[str, Any] | None:
    path, entry = parse_case_ref(wanted)
    columns = _column(index, _UNIT_COLUMNS)
    for row in index.rows(_UNIT, (unicodedata.normalize("NFC", path), entry)):
        stored = dict(zip(columns, row, strict=True))
        return {
            "kind": "case",
            **{name: value for name, value in stored.items() if name not in _INTERNAL_COLUMNS},
            "answered": bool(stored["answered"]),
            **{name: _column(index, sql, stored["id"]) for name, sql in _UNIT_LISTS.items()},
        }
    return None


def _column(index: Index, sql: str, *parameters: Any) -> list[Any]:
    return [value for (value,) in index.rows(sql, parameters)]

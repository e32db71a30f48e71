"""What an index says of itself: info, verify, show."""

import unicodedata
from typing import Any

from query.analysis.case_ref import parse_case_ref
from query.errors import IndexUnreadable, UsageError
from query.index import Index
from query.integrity import DIGEST_KEY, mismatch
from query.limits import sanitize_text
from query.trtc.request import check_platform

_SLICE = "SELECT id, slice_id, product_id, name, description, file, planned FROM slice WHERE slice_id = ?"
_TAGS = "SELECT tag FROM slice_tag WHERE slice = ? AND origin = 'index' ORDER BY position"
_PLATFORMS = "SELECT platform FROM slice_platform WHERE slice = ? ORDER BY platform"
_PAGES = "SELECT platform, path, text FROM slice_page WHERE slice = ? ORDER BY id"
_CODES = "SELECT DISTINCT code, text, section FROM error_code WHERE slice = ? AND place <> 'prose' ORDER BY id"
_SCENARIO = "SELECT id, scenario_id, name, description, file, planned, text FROM scenario WHERE scenario_id = ?"
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
_INTERNAL = frozenset({"id", "copy_of", "line", "scope", "has_cause"})


def info(index: Index) -> dict[str, Any]:
    """Schema version, digest, whether personal details were left out, and what each source gave."""
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
    """Check the file's structure and recompute both its hashes.

    Raises:
        IndexUnreadable: something does not hold.
    """
    verdicts = [row[0] for row in index.rows("PRAGMA integrity_check(5)")]
    if verdicts != ["ok"]:
        raise IndexUnreadable(f"{index.path}: damaged: {' '.join('; '.join(verdicts).split())}")
    what = index.computed(mismatch)
    if what:
        raise IndexUnreadable(f"{index.path}: damaged or altered: {what}")
    return {"ok": True, "digest": index.meta[DIGEST_KEY]}


def show(index: Index, wanted: str, platform: str | None) -> dict[str, Any]:
    """One slice, scenario or NIM unit (``knowledge/....md`` or ``....md#n``), whole.

    Raises:
        UsageError: the index has nothing of that id, or there is no such platform.
    """
    wanted, platform = sanitize_text(wanted).strip(), check_platform(platform)
    for find in (_slice, _scenario, _unit):
        found = find(index, wanted, platform)
        if found is not None:
            return found
    raise UsageError(f"ID {wanted!r}: not in the index; wanted a slice id, a scenario id or a knowledge/... path")


def _slice(index: Index, wanted: str, platform: str | None) -> dict[str, Any] | None:
    rows = index.rows(_SLICE, (wanted.lower(),))
    if not rows:
        return None
    number, slice_id, product, name, description, file, planned = rows[0]
    pages = [
        {"platform": place or None, "path": path, "text": text}
        for place, path, text in index.rows(_PAGES, (number,))
        if platform is None or place in {"", platform}
    ]
    return {
        "kind": "slice",
        "id": slice_id,
        "product": product,
        "name": name,
        "description": description,
        "file": file,
        "status": "planned" if planned else "active",
        "tags": [row[0] for row in index.rows(_TAGS, (number,))],
        "platforms": [row[0] for row in index.rows(_PLATFORMS, (number,))],
        "error_codes": [
            {"code": code, "text": text, "section": section} for code, text, section in index.rows(_CODES, (number,))
        ],
        "pages": pages,
    }


def _scenario(index: Index, wanted: str, _: str | None) -> dict[str, Any] | None:
    rows = index.rows(_SCENARIO, (wanted.lower(),))
    if not rows:
        return None
    number, scenario_id, name, description, file, planned, text = rows[0]
    return {
        "kind": "scenario",
        "id": scenario_id,
        "name": name,
        "description": description,
        "file": file,
        "status": "planned" if planned else "active",
        "slices": [row[0] for row in index.rows(_SCENARIO_SLICES, (number,))],
        "text": text,
    }


def _unit(index: Index, wanted: str, _: str | None) -> dict[str, Any] | None:
    path, entry = parse_case_ref(wanted)
    rows = index.rows(_UNIT, (unicodedata.normalize("NFC", path), entry))
    if not rows:
        return None
    columns = [row[0] for row in index.rows(_UNIT_COLUMNS)]
    stored = dict(zip(columns, rows[0], strict=True))
    lists = {name: [row[0] for row in index.rows(sql, (stored["id"],))] for name, sql in _UNIT_LISTS.items()}
    shown = {name: value for name, value in stored.items() if name not in _INTERNAL}
    return {"kind": "case", **shown, "answered": bool(stored["answered"]), **lists}

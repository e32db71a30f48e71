"""Documents about the index itself: ``info``, ``verify`` and ``show``."""

import json
import unicodedata
from typing import Any

from query.analysis.case_ref import parse_case_ref
from query.errors import IndexUnreadable, UsageError
from query.index import Index
from query.integrity import DIGEST_KEY, mismatch
from query.limits import sanitize_text
from query.trtc.request import check_platform

_SLICE = """
SELECT json_object(
  'kind', 'slice', 'id', slice_id, 'product', product_id, 'name', name, 'description', description, 'file', file,
  'status', CASE planned WHEN 1 THEN 'planned' ELSE 'active' END,
  'tags', (SELECT json_group_array(tag) FROM (
    SELECT tag FROM slice_tag WHERE slice = s.id AND origin = 'index' ORDER BY position)),
  'platforms', (SELECT json_group_array(platform) FROM (
    SELECT platform FROM slice_platform WHERE slice = s.id ORDER BY platform)),
  'error_codes', (SELECT json_group_array(json_object('code', code, 'text', text, 'section', section)) FROM (
    SELECT DISTINCT code, text, section FROM error_code WHERE slice = s.id AND place <> 'prose' ORDER BY id)),
  'pages', (SELECT json_group_array(json_object('platform', nullif(platform, ''), 'path', path, 'text', text)) FROM (
    SELECT platform, path, text FROM slice_page
    WHERE slice = s.id AND (:platform IS NULL OR platform IN ('', :platform)) ORDER BY id))
) AS document FROM slice s WHERE slice_id = :id COLLATE NOCASE ORDER BY slice_id <> :id
"""
_SCENARIO = """
SELECT json_object(
  'kind', 'scenario', 'id', scenario_id, 'name', name, 'description', description, 'file', file,
  'status', CASE planned WHEN 1 THEN 'planned' ELSE 'active' END,
  'slices', (SELECT json_group_array(slice_id) FROM (
    SELECT slice_id FROM scenario_slice t JOIN slice s ON s.id = t.slice WHERE scenario = c.id ORDER BY position)),
  'text', text
) AS document FROM scenario c WHERE scenario_id = :id COLLATE NOCASE ORDER BY scenario_id <> :id
"""
_CASE = """
SELECT json_object(
  'kind', 'case', 'path', u.path, 'entry', entry, 'track_type', track_type, 'sub_type', sub_type,
  'product', product, 'product_folder', product_folder, 'feature', feature, 'feature_folder', feature_folder,
  'platform', platform, 'title', title, 'display_title', display_title, 'description', description,
  'root_cause', root_cause, 'solution', solution, 'answered', json(CASE answered WHEN 1 THEN 'true' ELSE 'false' END),
  'details', details, 'source', source, 'created', created, 'updated', updated, 'frequency', frequency,
  'tags', (SELECT json_group_array(tag) FROM (SELECT tag FROM nim_tag WHERE unit = u.id ORDER BY position)),
  'customers', (SELECT json_group_array(customer) FROM (
    SELECT customer FROM nim_customer WHERE unit = u.id ORDER BY position)),
  'platforms', (SELECT json_group_array(platform) FROM (
    SELECT n.platform FROM nim_platform n WHERE unit = u.id ORDER BY n.platform))
) AS document FROM source_file f JOIN nim_unit u ON u.id BETWEEN first_unit AND first_unit + units - 1
WHERE base = 'nim' AND f.path = :path AND entry = :entry
"""


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
    path, entry = parse_case_ref(unicodedata.normalize("NFC", wanted))
    parameters = {"id": wanted, "platform": platform, "path": path, "entry": entry}
    for sql in (_SLICE, _SCENARIO, _CASE):
        for (document,) in index.rows(sql, parameters):
            shown: dict[str, Any] = json.loads(document)
            return shown
    raise UsageError(f"ID {wanted!r}: not in the index; wanted a slice id, a scenario id or a knowledge/... path")

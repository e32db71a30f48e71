"""JSON Schemas of what the commands print, generated from the contract so that they cannot drift from it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from query.contract import Confidence, ContentLoaded, Status, Strategy

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_TEXTS = {"type": "array", "items": _TEXT}


def schemas() -> dict[str, Any]:
    """Command -> the schema of its JSON document."""
    return {"trtc": _trtc(), "info": _info(), "verify": _verify()}


def _object(properties: dict[str, Any], optional: Iterable[str] = ()) -> dict[str, Any]:
    left_out = set(optional)
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in left_out],
        "additionalProperties": False,
    }


def _one_of(values: type[StrEnum]) -> dict[str, Any]:
    return {"type": "string", "enum": [value.value for value in values]}


def _trtc() -> dict[str, Any]:
    match = _object(
        {
            "slice_id": _TEXT,
            "confidence": _one_of(Confidence),
            "match_strategy": _one_of(Strategy),
            "content_loaded": _one_of(ContentLoaded),
            "file_paths_read": _TEXTS,
            "related": _TEXTS,
        }
    )
    response = _object(
        {
            "status": _one_of(Status),
            "matches": {"type": "array", "items": match},
            "ambiguous_candidates": _TEXTS,
            "reason": {"type": ["string", "null"]},
        }
    )
    response["allOf"] = [_populated()]
    siblings = {
        "explain": {"type": "object"},
        "content": {"type": "array", "items": _object({"path": _TEXT, "text": _TEXT})},
    }
    document = _object({"response": response, **siblings}, optional=siblings)
    return {"$schema": _DIALECT, "title": "rtckb trtc", **document}


def _populated() -> dict[str, Any]:
    """Matches exactly where the status has some (specification, "status semantics")."""
    with_matches = [Status.MATCHED.value, Status.STATUS_PLANNED.value]
    return {
        "if": {"properties": {"status": {"enum": with_matches}}},
        "then": {"properties": {"matches": {"minItems": 1}}},
        "else": {"properties": {"matches": {"maxItems": 0}, "reason": _TEXT}},
    }


def _info() -> dict[str, Any]:
    trtc = ("slices", "planned", "scenarios", "files_seen", "findings")
    nim = ("files_seen", "files_read", "files_repaired", "files_rejected", "units", "cases", "entries", "duplicates")
    sources = {"trtc": _object(dict.fromkeys(trtc, _COUNT)), "nim": _object(dict.fromkeys(nim, _COUNT))}
    commit = {"type": ["string", "null"]}
    document = _object(
        {
            "schema_version": _COUNT,
            "digest": _TEXT,
            "tokenizer": _TEXT,
            "commits": _object({"trtc": commit, "nim": commit}),
            "sources": _object(sources),
        }
    )
    return {"$schema": _DIALECT, "title": "rtckb info", **document}


def _verify() -> dict[str, Any]:
    return {"$schema": _DIALECT, "title": "rtckb verify", **_object({"ok": {"const": True}, "digest": _TEXT})}

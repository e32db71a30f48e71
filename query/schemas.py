"""JSON Schemas of what the commands print, generated from the contract so that they cannot drift from it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from query.analysis.tokens import TokenMode
from query.diff.sections import SECTIONS
from query.nim.contract import SHOWN, Grade, Level, TagMode, TrackType
from query.trtc.contract import Confidence, ContentLoaded, Status, Strategy

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_TEXTS = {"type": "array", "items": _TEXT}
_ORIGINS = {"type": "object", "additionalProperties": _TEXT}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}


def schemas() -> dict[str, Any]:
    """Command -> the schema of its JSON document."""
    return {
        "trtc": _trtc(),
        "nim": _nim(),
        "show": _show(),
        "info": _info(),
        "verify": _verify(),
        "diff": _diff(),
        "eval": _eval(),
    }


def _object(properties: dict[str, Any], optional: Iterable[str] = ()) -> dict[str, Any]:
    left_out = set(optional)
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in left_out],
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _each(value: dict[str, Any]) -> dict[str, Any]:
    """An object of any keys, each with such a value."""
    return {"type": "object", "additionalProperties": value}


#: Counts and share of correct first answers; null where nobody measured.
_MEASURED = {"anyOf": [_object({"answers": _COUNT, "correct": _COUNT, "share": _SHARE}), {"type": "null"}]}


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
            "matches": _list(match),
            "ambiguous_candidates": _TEXTS,
            "reason": {"type": ["string", "null"]},
        }
    )
    response["allOf"] = [_populated()]
    siblings = {
        "explain": {"type": "object"},
        "content": _list(_object({"path": _TEXT, "text": _TEXT})),
    }
    document = _object({"response": response, **siblings}, optional=siblings)
    return {"$schema": _DIALECT, "title": "rtckb trtc", **document}


def _nim() -> dict[str, Any]:
    response = _object(
        {
            "marker": {"type": "string", "pattern": r"^\[nim-kb-search\] 已触发 \| 类型=[^\n\r]*$"},
            "request": _nim_request(),
            "scan": _object({"level": _one_of(Level), "units": _COUNT, "qualified": _COUNT}),
            "matches": _cases(_one_of(Grade), {"type": "number", "minimum": 0, "maximum": 1}),
            "nearest": _cases({"type": "null"}, {"type": "number"}),
            "notes": _TEXTS,
        }
    )
    sure = {"place": _TEXT, "grade": _TEXT, "measured": _MEASURED}
    unsupported_features = sure | {"rule": _TEXT, "score": {"anyOf": [_SHARE, {"type": "null"}]}, "wanted": _SHARE}
    lists = {"matches": _list(_object(sure)), "closest": _list(_object(unsupported_features))}
    siblings = {"explain": _object({"origins": _ORIGINS} | lists)}
    return {"$schema": _DIALECT, "title": "rtckb nim", **_object({"response": response, **siblings}, optional=siblings)}


def _nim_request() -> dict[str, Any]:
    """What was given or recognised; null is undetermined."""
    names = ("product", "feature", "platform", "sub_type", "title", "root_cause", "solution", "description")
    track = {"enum": [*(value.value for value in TrackType), None]}
    modes = {"token_mode": _one_of(TokenMode), "tag_mode": _one_of(TagMode), "literal": {"type": "boolean"}}
    fields = {key: {"type": ["string", "null"]} for key in names} | {"tags": _TEXTS, "origins": _ORIGINS}
    return _object({"text": _TEXT, "track_type": track, **fields, **modes})


def _cases(grade: dict[str, Any], score: dict[str, Any]) -> dict[str, Any]:
    """At most five cases; ``nearest`` ones have no grade, and scores of their own scale.

    ``answered`` flags what decision 6 wants flagged: false is a case whose answer is a placeholder or missing.
    """
    case = _object(
        {
            "path": _TEXT,
            "entry": {"type": ["integer", "null"], "minimum": 1},
            "track_type": _TEXT,
            "grade": grade,
            "score": score,
            "scores": {"type": "object", "additionalProperties": score},
            **dict.fromkeys(("title", "product", "feature", "platform", "root_cause", "solution"), _TEXT),
            "answered": {"type": "boolean", "description": "false: the answer is missing or a placeholder"},
            "customers": _TEXTS,
            "updated": _TEXT,
            "frequency": _COUNT,
            "duplicates": _TEXTS,
            "merge": {"type": "boolean"},
        }
    )
    case["if"] = {"properties": {"grade": {"const": Grade.HIGH.value}}}
    case["then"], case["else"] = ({"properties": {"merge": {"const": merge}}} for merge in (True, False))
    return {"type": "array", "items": case, "maxItems": SHOWN}


def _populated() -> dict[str, Any]:
    """Matches exactly where the status has some (specification, "status semantics")."""
    with_matches = [Status.MATCHED.value, Status.STATUS_PLANNED.value]
    return {
        "if": {"properties": {"status": {"enum": with_matches}}},
        "then": {"properties": {"matches": {"minItems": 1}}},
        "else": {"properties": {"matches": {"maxItems": 0}, "reason": _TEXT}},
    }


def _show() -> dict[str, Any]:
    planned = {"type": "string", "enum": ["planned", "active"]}
    about = {"id": _TEXT, "name": _TEXT, "description": _TEXT, "file": _TEXT, "status": planned}
    page = _object({"platform": {"type": ["string", "null"]}, "path": _TEXT, "text": _TEXT})
    code = _object({"code": _TEXT, "text": _TEXT, "section": _TEXT})
    lists = {"tags": _TEXTS, "platforms": _TEXTS, "error_codes": {"type": "array", "items": code}}
    pages = _list(page)
    texts = (
        "path track_type sub_type product product_folder feature feature_folder platform title display_title "
        "description root_cause solution details source created updated"
    )
    counts = {"entry": _COUNT, "frequency": _COUNT, "answered": {"type": "boolean"}}
    case = dict.fromkeys(texts.split(), _TEXT) | counts | dict.fromkeys(("tags", "customers", "platforms"), _TEXTS)
    kinds = {
        "slice": about | {"product": _TEXT} | lists | {"pages": pages},
        "scenario": about | {"slices": _TEXTS, "text": _TEXT},
        "case": case,
    }
    shapes = [_object({"kind": {"const": kind}} | fields) for kind, fields in kinds.items()]
    return {"$schema": _DIALECT, "title": "rtckb show", "type": "object", "oneOf": shapes}


def _eval() -> dict[str, Any]:
    figures = _each(_SHARE)
    judged = {"rows": _COUNT, "figures": figures}
    change = _each(_object({"won": _TEXTS, "lost": _TEXTS}))
    counts = dict.fromkeys(("unchanged", "only_old", "only_new"), _COUNT)
    calibrated = dict.fromkeys(("command", "found_by", "grade"), _TEXT) | {"answers": _COUNT, "correct": _COUNT}
    asked_for = {
        "misses": _list(_object({"id": _TEXT, "missed": _TEXTS, "got": _TEXT})),
        "calibration": _list(_object(calibrated)),
        "against": _object({"fixed": change, "broken": change, **counts}),
    }
    groups = {"by_kind": _each(figures), "by_lang": _each(figures), "contested": _object(judged)}
    document = judged | groups | {"verdicts": _each(_TEXTS)} | asked_for
    return {"$schema": _DIALECT, "title": "rtckb eval", **_object(document, optional=asked_for)}


def _info() -> dict[str, Any]:
    trtc = ("slices", "planned", "scenarios", "files_seen", "findings")
    nim = ("files_seen", "files_read", "files_repaired", "files_rejected", "units", "cases", "entries", "duplicates")
    personal = ("personal", "customers", "emails", "keys", "mobiles", "mentions")
    found = (*nim, *(f"files_{kind}" for kind in personal))
    sources = {"trtc": _object(dict.fromkeys(trtc, _COUNT)), "nim": _object(dict.fromkeys(found, _COUNT))}
    commit = {"type": ["string", "null"]}
    document = _object(
        {
            "schema_version": _COUNT,
            "digest": _TEXT,
            "tokenizer": _TEXT,
            "redacted": {"type": "boolean"},
            "commits": _object({"trtc": commit, "nim": commit}),
            "sources": _object(sources),
        }
    )
    return {"$schema": _DIALECT, "title": "rtckb info", **document}


def _verify() -> dict[str, Any]:
    return {"$schema": _DIALECT, "title": "rtckb verify", **_object({"ok": {"const": True}, "digest": _TEXT})}


def _diff() -> dict[str, Any]:
    moved, changed = _object({"from": _TEXT, "to": _TEXT}), _object({"id": _TEXT, "fields": _TEXTS | {"minItems": 1}})
    lists = {"moved": {"type": "array", "items": moved}, "changed": {"type": "array", "items": changed}}
    section = _object({"came": _TEXTS, "went": _TEXTS, **lists})
    about = {"equal": {"type": "boolean"}, "old": _TEXT, "new": _TEXT, "build": _TEXTS, "tables": _TEXTS}
    return {"$schema": _DIALECT, "title": "rtckb diff", **_object(about | dict.fromkeys(SECTIONS, section))}

"""JSON Schemas of what the commands print.

They are written by hand. Enumerations come from the contracts of the searches, and tests hold every document of the
commands against its schema.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from query.analysis.tokens import TokenMode
from query.diff.sections import SECTIONS
from query.nim.contract import MAX_SHOWN, Grade, Level, TagMode, TrackType
from query.trtc.contract import Confidence, ContentLoaded, Status, Strategy

Schema: TypeAlias = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Schema = {"type": "string"}
_TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_FLAG: Schema = {"type": "boolean"}


def schemas() -> dict[str, Schema]:
    """Command -> the schema of its JSON document."""
    documents = {
        "trtc": _trtc(),
        "nim": _nim(),
        "show": _show(),
        "info": _info(),
        "verify": _object({"ok": {"const": True}, "digest": _TEXT}),
        "diff": _diff(),
        "eval": _eval(),
    }
    return {name: {"$schema": _DIALECT, "title": f"rtckb {name}", **schema} for name, schema in documents.items()}


def _object(properties: Mapping[str, Schema], optional: Iterable[str] = ()) -> Schema:
    """An object of exactly these properties, all required but for the optional ones."""
    required = [name for name in properties if name not in set(optional)]
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def _all(names: str, schema: Schema = _TEXT) -> dict[str, Schema]:
    """Properties of equal schemas."""
    return dict.fromkeys(names.split(), schema)


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _each(value: Schema) -> Schema:
    """An object of any keys, all with such a value."""
    return {"type": "object", "additionalProperties": value}


def _one_of(values: type[StrEnum]) -> Schema:
    return {"type": "string", "enum": [value.value for value in values]}


_TEXTS = _list(_TEXT)
#: Counts and share of correct first answers; null if not measured.
_MEASURED: Schema = {"anyOf": [_object(_all("answers correct", _COUNT) | {"share": _SHARE}), {"type": "null"}]}


def _trtc() -> Schema:
    match = {
        "slice_id": _TEXT,
        "confidence": _one_of(Confidence),
        "match_strategy": _one_of(Strategy),
        "content_loaded": _one_of(ContentLoaded),
        "file_paths_read": _TEXTS,
        "related": _TEXTS,
    }
    fields = {"status": _one_of(Status), "matches": _list(_object(match)), "ambiguous_candidates": _TEXTS}
    with_matches = {"enum": [Status.MATCHED.value, Status.STATUS_PLANNED.value]}
    condition = {
        "if": {"properties": {"status": with_matches}},
        "then": {"properties": {"matches": {"minItems": 1}}},
        "else": {"properties": {"matches": {"maxItems": 0}, "reason": _TEXT}},
    }
    response = _object(fields | {"reason": _TEXT_OR_NULL}) | {"allOf": [condition]}
    siblings = {"explain": {"type": "object"}, "content": _list(_object(_all("path text")))}
    return _object({"response": response, **siblings}, optional=siblings)


def _nim() -> Schema:
    origins = _each(_TEXT)
    #: What was given or recognized; null is undetermined.
    request = {
        "text": _TEXT,
        "track_type": {"enum": [*(value.value for value in TrackType), None]},
        **_all("product feature platform sub_type title root_cause solution description", _TEXT_OR_NULL),
        "tags": _TEXTS,
        "origins": origins,
        "token_mode": _one_of(TokenMode),
        "tag_mode": _one_of(TagMode),
        "literal": _FLAG,
    }
    response = {
        "marker": {"type": "string", "pattern": r"^\[nim-kb-search\] 已触发 \| 类型=[^\n\r]*$"},
        "request": _object(request),
        "scan": _object({"level": _one_of(Level), "units": _COUNT, "qualified": _COUNT}),
        "matches": _cases(_one_of(Grade), _SHARE),
        "nearest": _cases({"type": "null"}, {"type": "number"}),
        "notes": _TEXTS,
    }
    graded = {"place": _TEXT, "grade": _TEXT, "measured": _MEASURED}
    missed = {"rule": _TEXT, "score": {"anyOf": [_SHARE, {"type": "null"}]}, "wanted": _SHARE}
    lists = {"matches": _list(_object(graded)), "closest": _list(_object(graded | missed))}
    siblings = {"explain": _object({"origins": origins} | lists)}
    return _object({"response": _object(response), **siblings}, optional=siblings)


def _cases(grade: Schema, score: Schema) -> Schema:
    """At most five cases. Those of ``nearest`` have no grade, and scores of another scale."""
    case = _object(
        {
            "path": _TEXT,
            "entry": {"type": ["integer", "null"], "minimum": 1},
            "track_type": _TEXT,
            "grade": grade,
            "score": score,
            "scores": _each(score),
            **_all("title product feature platform root_cause solution"),
            "answered": _FLAG | {"description": "false: the answer is missing or a placeholder"},
            "customers": _TEXTS,
            "updated": _TEXT,
            "frequency": _COUNT,
            "duplicates": _TEXTS,
            "merge": _FLAG,
        }
    )
    case["if"] = {"properties": {"grade": {"const": Grade.HIGH.value}}}
    case["then"], case["else"] = ({"properties": {"merge": {"const": merge}}} for merge in (True, False))
    return _list(case) | {"maxItems": MAX_SHOWN}


def _show() -> Schema:
    about = _all("id name description file") | {"status": {"type": "string", "enum": ["planned", "active"]}}
    page = {"platform": _TEXT_OR_NULL, **_all("path text")}
    texts = (
        "path track_type sub_type product product_folder feature feature_folder platform title display_title "
        "description root_cause solution details source created updated"
    )
    kinds: dict[str, dict[str, Schema]] = {
        "slice": about
        | {"product": _TEXT, "error_codes": _list(_object(_all("code text section"))), "pages": _list(_object(page))}
        | _all("tags platforms", _TEXTS),
        "scenario": about | {"slices": _TEXTS, "text": _TEXT},
        "case": _all(texts)
        | _all("entry frequency", _COUNT)
        | {"answered": _FLAG}
        | _all("tags customers platforms", _TEXTS),
    }
    shapes = [_object({"kind": {"const": kind}} | fields) for kind, fields in kinds.items()]
    return {"type": "object", "oneOf": shapes}


def _info() -> Schema:
    trtc = "slices planned scenarios files_seen findings"
    nim = "files_seen files_read files_repaired files_rejected units cases entries duplicates"
    personal = "files_personal files_customers files_emails files_keys files_mobiles files_mentions"
    counts = {"trtc": trtc, "nim": f"{nim} {personal}"}
    sources = {base: _object(_all(names, _COUNT)) for base, names in counts.items()}
    return _object(
        {
            "schema_version": _COUNT,
            "digest": _TEXT,
            "tokenizer": _TEXT,
            "redacted": _FLAG,
            "commits": _object(_all("trtc nim", _TEXT_OR_NULL)),
            "sources": _object(sources),
        }
    )


def _diff() -> Schema:
    changed = {"id": _TEXT, "fields": _TEXTS | {"minItems": 1}}
    lists = {"moved": _list(_object(_all("from to"))), "changed": _list(_object(changed))}
    section = _object({"came": _TEXTS, "went": _TEXTS, **lists})
    about = {"equal": _FLAG, "old": _TEXT, "new": _TEXT, "build": _TEXTS, "tables": _TEXTS}
    return _object(about | dict.fromkeys(SECTIONS, section))


def _eval() -> Schema:
    figures = _each(_SHARE)
    judged = {"rows": _COUNT, "figures": figures}
    change = _each(_object({"won": _TEXTS, "lost": _TEXTS}))
    counts = _all("unchanged only_old only_new", _COUNT)
    optional = {
        "misses": _list(_object({"id": _TEXT, "missed": _TEXTS, "got": _TEXT})),
        "calibration": _list(_object(_all("command found_by grade") | _all("answers correct", _COUNT))),
        "against": _object({"fixed": change, "broken": change, **counts}),
    }
    groups = {"by_kind": _each(figures), "by_lang": _each(figures), "contested": _object(judged)}
    return _object(judged | groups | {"verdicts": _each(_TEXTS)} | optional, optional=optional)

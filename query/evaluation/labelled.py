"""Files of labelled queries: JSON lines, one row for each query, with what is expected of its answer."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from query.errors import RtckbError
from query.trtc.contract import Confidence

#: The fields of ``expect`` in a TRTC row that are lists of texts.
_LISTS = ("top1", "relevant", "must_not", "file_paths", "related_contains", "ambiguous_candidates")
#: A row of a labelled file. ``id`` is always there.
Labelled = Mapping[str, Any]


class BadLabels(RtckbError):
    """A labelled file that is not JSON lines of the documented form."""


def read_labelled(path: Path) -> list[Labelled]:
    """Read a labelled file. The id of a row without one is its line.

    Raises:
        BadLabels: names the file, the line, what was found and wanted.
    """
    rows: dict[str, Labelled] = {}
    lines_of: dict[str, int] = {}
    try:
        lines = path.read_text("utf-8-sig").split("\n")  # JSON text may contain the other line ends of Unicode
    except (OSError, UnicodeDecodeError) as error:
        raise BadLabels(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadLabels(f"{path}:{number}: no JSON ({error}); wanted one object a line") from error
        fault = _fault(row)
        if fault:
            raise BadLabels(f"{path}:{number}: {fault}")
        row = {"id": f"line {number}"} | row
        if row["id"] in rows:
            raise BadLabels(f"{path}:{number}: id {row['id']!r} is on line {lines_of[row['id']]} too; wanted one each")
        rows[row["id"]], lines_of[row["id"]] = row, number
    if not rows:
        raise BadLabels(f"{path}: no rows")
    return list(rows.values())


def is_nim(row: Labelled) -> bool:
    """Whether a row expects units of the NIM base, or none of them."""
    return "paths" in row["expect"] or row["expect"].get("none") is True


def accepted_statuses(row: Labelled) -> list[str]:
    """The statuses that count as right for a TRTC row: ``expect.status``, and the alternatives in ``status_alt``."""
    status = row["expect"]["status"]
    return [*([status] if isinstance(status, str) else status), *_alternatives(row)]


def _fault(row: Any) -> str:
    """Why a row cannot be judged: the field, what was found and what was wanted; empty if it can be."""
    expect = row.get("expect") if isinstance(row, dict) else None
    if not isinstance(expect, dict) or not (expect.get("none") is True or {"paths", "status"} & expect.keys()):
        return "wanted an object with a query, and expect with status, top1 and relevant, or with paths or none"
    if not isinstance(row.get("query"), str) or not row["query"].strip():
        return f"query: found {row.get('query')!r}; wanted a text"
    texts, lists = _fields(row)
    wrong = [(name, value, "a text") for name, value in texts.items() if not isinstance(value or "", str)]
    wrong += [(name, value, "a list of texts") for name, value in lists.items() if not _are_texts(value)]
    if expect.get("max_confidence", Confidence.HIGH) not in {*Confidence}:
        wrong.append(("max_confidence", expect["max_confidence"], ", ".join(Confidence)))
    return next((f"{name}: found {value!r}; wanted {wanted}" for name, value, wanted in wrong), "")


def _fields(row: Labelled) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a row that must be texts, and those that must be lists of texts."""
    expect = row["expect"]
    texts = {name: row.get(name) for name in ("id", "product", "platform", "intent")}
    lists = {name: expect[name] for name in (*_LISTS, "paths") if name in expect}
    if is_nim(row):
        fields = row.get("fields") or {}
        given = fields.items() if isinstance(fields, dict) else [("", fields)]
        texts |= {f"fields.{name}": value for name, value in given if name != "tags"}
        return texts, lists | {f"fields.{name}": value or [] for name, value in given if name == "tags"}
    (texts if isinstance(expect["status"], str) else lists)["status"] = expect["status"]
    return texts, {"top1": None, "relevant": None, "status_alt": _alternatives(row)} | lists


def _alternatives(row: Labelled) -> Any:
    return row["expect"].get("status_alt") or row.get("status_alt") or []


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)

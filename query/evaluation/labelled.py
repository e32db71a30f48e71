"""Files of labelled questions: JSON lines, one row a question with what is expected of its answer."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from query.errors import RtckbError
from query.trtc.contract import Confidence

#: What a TRTC row may list of its answer.
_WANTED_LISTS = ("top1", "relevant", "must_not", "file_paths", "related_contains", "ambiguous_candidates")
#: A row of a labelled file; ``id`` is always there.
Labelled = Mapping[str, Any]


class BadLabels(RtckbError):
    """A labelled file that is not JSON lines of the documented form."""


def read_labelled(path: Path) -> list[Labelled]:
    """Read a labelled file; a row without an id is called by its line.

    Raises:
        BadLabels: names the file, the line, what was found and wanted.
    """
    rows: list[Labelled] = []
    lines_of: dict[str, int] = {}
    try:
        lines = path.read_text("utf-8-sig").splitlines()
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
        if row["id"] in lines_of:
            raise BadLabels(
                f"{path}:{number}: id {row['id']!r} stands on line {lines_of[row['id']]} too; wanted one each"
            )
        lines_of[row["id"]] = number
        rows.append(row)
    if not rows:
        raise BadLabels(f"{path}: no rows")
    return rows


def _fault(row: Any) -> str:
    """What keeps a row from being judged: the field, what was found, what was wanted; empty if nothing does."""
    expect = row.get("expect") if isinstance(row, dict) else None
    if not isinstance(expect, dict) or not (expect.get("none") is True or {"paths", "status"} & expect.keys()):
        return "wanted an object with a query, and expect with status, top1 and relevant, or with paths or none"
    if not isinstance(row.get("query"), str) or not row["query"].strip():
        return f"query: found {row.get('query')!r}; wanted a text"
    texts, lists = _shape(row)
    wrong = [(name, value, "a text") for name, value in texts.items() if not isinstance(value or "", str)]
    wrong += [(name, value, "a list of texts") for name, value in lists.items() if not _are_texts(value)]
    if "max_confidence" in expect and expect["max_confidence"] not in {*Confidence}:
        wrong.append(("max_confidence", expect["max_confidence"], ", ".join(Confidence)))
    return next((f"{name}: found {value!r}; wanted {wanted}" for name, value, wanted in wrong), "")


def _shape(row: Labelled) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a row that are texts, and those that are lists of texts."""
    expect = row["expect"]
    fields = row.get("fields") or {}
    texts = {name: row.get(name) for name in ("id", "product", "platform", "intent")}
    lists = {name: expect[name] for name in (*_WANTED_LISTS, "paths") if name in expect}
    if is_nim(row):
        given = {f"fields.{name}": value for name, value in _items(fields)}
        tags = {"fields.tags": given.pop("fields.tags") or []} if "fields.tags" in given else {}
        return texts | given, lists | tags
    return texts | {"status": expect["status"]}, {"top1": None, "relevant": None} | lists


def _items(fields: Any) -> Iterable[tuple[str, Any]]:
    return fields.items() if isinstance(fields, dict) else [("", fields)]


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_nim(row: Labelled) -> bool:
    """Whether a row expects units of the NIM base, or none of them."""
    return "paths" in row["expect"] or row["expect"].get("none") is True

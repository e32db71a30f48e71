"""Comparison with another run over the same rows, row by row: equal figures may hide rows that got worse."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from query.evaluation.labelled import BadLabels

#: Row id -> the figures that it lowers.
Missed = Mapping[str, list[str]]


def read_run(path: Path) -> Missed:
    """The verdicts of an earlier run.

    Raises:
        BadLabels: names the file, what was found and wanted.
    """
    wanted = "wanted what 'rtckb eval FILE.jsonl --format json' printed"
    try:
        document = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise BadLabels(f"{path}: cannot be read ({error}); {wanted}") from error
    verdicts = document.get("verdicts") if isinstance(document, dict) else None
    if not isinstance(verdicts, dict) or not all(isinstance(missed, list) for missed in verdicts.values()):
        raise BadLabels(f"{path}: found no verdicts in it; {wanted}")
    return verdicts


def compared(old: Missed, new: Missed) -> dict[str, Any]:
    """``broken``: the rows that lost a figure; ``fixed``: those that only won some; with the figures of each.

    Rows without a change, and rows of one run only, are counted.
    """
    shared = [row for row in new if row in old]
    changes = {row: _change(old[row], new[row]) for row in shared if set(old[row]) != set(new[row])}
    return {
        "fixed": {row: change for row, change in changes.items() if not change["lost"]},
        "broken": {row: change for row, change in changes.items() if change["lost"]},
        "unchanged": len(shared) - len(changes),
        "only_old": len(old.keys() - new.keys()),
        "only_new": len(new.keys() - old.keys()),
    }


def _change(old: list[str], new: list[str]) -> dict[str, list[str]]:
    return {"won": sorted(set(old) - set(new)), "lost": sorted(set(new) - set(old))}


def change_text(change: Mapping[str, Any]) -> str:
    """A comparison for a person."""
    lines = [f"{len(change['fixed'])} fixed, {len(change['broken'])} broken, {change['unchanged']} unchanged"]
    for name in ("fixed", "broken"):
        for row, figures in change[name].items():
            changed = "".join(f"  {how} {', '.join(figures[how])}" for how in ("won", "lost") if figures[how])
            lines.append(f"{name}  {row}{changed}")
    if change["only_old"] or change["only_new"]:
        lines.append(f"{change['only_old']} rows of the older run alone, {change['only_new']} of this one")
    return "\n".join(lines)

"""Answers on the labelled development sets stay as good as they are: a floor under every figure, kind and language."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import SHARED
from query_support import document

#: One file per labelled set: what ``rtckb eval`` printed of it, less a little; ``false-high`` is a ceiling.
FLOORS = Path(__file__).parent / "floors"
#: How far a floor lies under what was reached.
_LESS = 0.01
GROUPS = ("by_kind", "by_lang")


def _labelled(name: str) -> Path:
    file = SHARED / "eval" / f"{name}.jsonl"
    if not file.is_file():
        pytest.skip(f"the labelled set is not beside this checkout (../shared/eval/{name}.jsonl)")
    return file


def _figures(file: Path, db: Path) -> dict[str, dict[str, float]]:
    """Figures under ``all``, ``by_kind symptom``, ``by_lang zh``."""
    told: dict[str, Any] = document(db, "eval", str(file))
    groups = {f"{group} {value}".strip(): found for group in GROUPS for value, found in told[group].items()}
    return {"all": told["figures"], **groups}


def _floor(figure: str, reached: float) -> float:
    return round(min(1.0, reached + _LESS) if figure == "false-high" else max(0.0, reached - _LESS), 3)


def _holds(figure: str, reached: float, floor: float) -> bool:
    return reached <= floor if figure == "false-high" else reached >= floor


@pytest.mark.parametrize("name", sorted(path.stem for path in FLOORS.glob("*.json")))
def test_figures_hold(name: str, real_db: Path, request: pytest.FixtureRequest) -> None:
    """No figure of any kind or language falls below its floor, so that a trade of one for another is seen."""
    reached = _figures(_labelled(name), real_db)
    path = FLOORS / f"{name}.json"
    if request.config.getoption("--update-floors", default=False):
        floors = {group: {f: _floor(f, share) for f, share in found.items()} for group, found in reached.items()}
        path.write_text(json.dumps(floors, ensure_ascii=False, indent=1) + "\n", "utf-8")
    floors = json.loads(path.read_text("utf-8"))
    fallen = {
        f"{group}: {figure}": (reached[group][figure], floor)
        for group, found in floors.items()
        for figure, floor in found.items()
        if not _holds(figure, reached[group][figure], floor)
    }
    assert fallen == {}


#: The same for rows of which every right answer is a slice of the later layout.
SPLIT_FLOORS = {"status": 0.97, "hit@1": 0.86, "hit@3": 0.94, "precision of high": 0.97, "contract": 0.96}


def test_figures_of_the_later_layout(split_db: Path, tmp_path: Path) -> None:
    """Questions about what both layouts have are answered about as well from either."""
    with closing(sqlite3.connect(split_db)) as db:
        known = {slice_id for (slice_id,) in db.execute("SELECT slice_id FROM slice")}
    lines = _labelled("trtc-dev").read_text("utf-8").splitlines()
    kept = [line for line in lines if (right := json.loads(line)["expect"]["top1"]) and known.issuperset(right)]
    assert len(kept) > 0.7 * len(lines)
    (tmp_path / "kept.jsonl").write_text("\n".join(kept), "utf-8")
    figures = _figures(tmp_path / "kept.jsonl", split_db)["all"]
    assert {figure: figures[figure] for figure, floor in SPLIT_FLOORS.items() if figures[figure] < floor} == {}

"""Answers to the labelled questions stay as good as they are: a floor under every figure, and the rows that miss one.

The sets under ``tests/evaluation`` guard the ranking in every clone, those of ``../shared/eval`` where they exist.
After an intended change, review the rows and record them::

    PYTHONPATH=tests pytest -n 0 -p golden_plugin --update-floors tests/test_quality.py

Recording takes over the missed rows and raises floors. A floor is lowered by hand.
"""

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import SHARED
from labelled_base import labelled_sources
from query_support import document

from indexer.build import build

#: One file per labelled set: ``floors`` by group and figure (``false-high`` is a ceiling), and ``missed`` by row.
FLOORS = Path(__file__).parent / "floors"
#: The sets of this repository; all others are in ``../shared/eval``.
OWN = Path(__file__).parent / "evaluation"
#: The fixture with the index of each set; all others ask the real bases.
INDEX = {"sample-trtc": "labelled_db", "sample-nim": "labelled_db", "trtc-split-dev": "split_db"}
_RECORD = "to record: PYTHONPATH=tests pytest -n 0 -p golden_plugin --update-floors tests/test_quality.py"


@pytest.fixture(scope="module")
def labelled_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the base that the sets of this repository ask."""
    folder = tmp_path_factory.mktemp("labelled")
    build(labelled_sources(folder), folder / "labelled.db")
    return folder / "labelled.db"


def _labelled(name: str) -> Path:
    file = (OWN if name.startswith("sample-") else SHARED / "eval") / f"{name}.jsonl"
    if not file.is_file():
        pytest.skip(f"the labelled set is not beside this checkout (../shared/eval/{name}.jsonl)")
    return file


def _figures(run: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """Figures under ``all``, ``by_kind symptom``, ``by_lang zh``."""
    groups = {f"{group} {value}".strip(): run[group][value] for group in ("by_kind", "by_lang") for value in run[group]}
    return {"all": run["figures"], **groups}


def _missed(run: Mapping[str, Any]) -> dict[str, list[str]]:
    return {row: missed for row, missed in run["verdicts"].items() if missed}


@pytest.fixture(scope="module", params=sorted(path.stem for path in FLOORS.glob("*.json")))
def measured(request: pytest.FixtureRequest) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """The file of one set's floors, its content, and what ``rtckb eval`` prints now."""
    path, labelled = FLOORS / f"{request.param}.json", _labelled(request.param)
    run = document(request.getfixturevalue(INDEX.get(request.param, "real_db")), "eval", str(labelled))
    recorded = json.loads(path.read_text("utf-8"))
    if request.config.getoption("--update-floors", default=False):
        recorded = _recorded(recorded["floors"], run, labelled)
        path.write_text(_text(recorded), "utf-8")
    return path, recorded, run


def _recorded(floors: Mapping[str, Mapping[str, float]], run: Mapping[str, Any], labelled: Path) -> dict[str, Any]:
    """Today's missed rows, and the floors of the same groups, each raised to one row below today's figure."""
    expected = [json.loads(line)["expect"] for line in labelled.read_text("utf-8").split("\n") if line.strip()]
    answerable = sum(bool(expect.get("top1") or expect.get("paths")) for expect in expected)
    reached = {group: _figures(run)[group] for group in floors}

    def floor(group: str, figure: str) -> float:
        rows = len(expected) - answerable if figure == "false-high" or "none" in figure else answerable
        less = 1 / rows if group == "all" else 0.01
        if figure == "false-high":
            return min(floors[group].get(figure, 1.0), round(reached[group][figure] + less, 3))
        return max(floors[group].get(figure, 0.0), round(reached[group][figure] - less, 3))

    raised = {group: {figure: floor(group, figure) for figure in figures} for group, figures in reached.items()}
    return {"floors": raised, "missed": dict(sorted(_missed(run).items()))}


def _text(recorded: Mapping[str, Mapping[str, Any]]) -> str:
    """JSON with one group or row to a line."""
    parts = []
    for name, lines in recorded.items():
        members = ",\n".join(f"  {json.dumps(key, ensure_ascii=False)}: {json.dumps(lines[key])}" for key in lines)
        parts.append(f' "{name}": {{\n{members}\n }}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def test_figures_hold(measured: tuple[Path, dict[str, Any], dict[str, Any]]) -> None:
    """No figure falls below its floor."""
    path, recorded, run = measured
    reached = _figures(run)
    fallen = {
        f"{group}: {figure}": (reached[group][figure], floor)
        for group, floors in recorded["floors"].items()
        for figure, floor in floors.items()
        if (reached[group][figure] - floor) * (-1 if figure == "false-high" else 1) < 0
    }
    assert fallen == {}, f"figures and floors of {path.name}; a floor is lowered by hand"


def test_rows_that_miss(measured: tuple[Path, dict[str, Any], dict[str, Any]]) -> None:
    """Exactly the recorded rows miss a figure, so that a fix is recorded and a trade of rows is seen."""
    path, recorded, run = measured
    old, new = recorded["missed"], _missed(run)
    changed = {row: (old.get(row, []), new.get(row, [])) for row in {**old, **new} if old.get(row) != new.get(row)}
    assert changed == {}, f"rows that miss other figures than {path.name} has, as (recorded, now); {_RECORD}"


#: Floors for rows of which every right answer is a slice of the later layout.
SPLIT_FLOORS = {"status": 0.97, "hit@1": 0.86, "hit@3": 0.94, "precision of high": 0.97, "contract": 0.96}


def test_figures_of_the_later_layout(split_db: Path, tmp_path: Path) -> None:
    """Questions about what both layouts have are answered about as well from either."""
    with closing(sqlite3.connect(split_db)) as db:
        known = {slice_id for (slice_id,) in db.execute("SELECT slice_id FROM slice")}
    lines = _labelled("trtc-dev").read_text("utf-8").splitlines()
    kept = [line for line in lines if (right := json.loads(line)["expect"]["top1"]) and known.issuperset(right)]
    assert len(kept) > 0.7 * len(lines)
    (tmp_path / "kept.jsonl").write_text("\n".join(kept), "utf-8")
    figures = document(split_db, "eval", str(tmp_path / "kept.jsonl"))["figures"]
    assert {figure: figures[figure] for figure, floor in SPLIT_FLOORS.items() if figures[figure] < floor} == {}

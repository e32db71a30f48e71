"""Answers on the labelled development sets stay at least as good as they are: a floor under every figure."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import SHARED

from query.cli import eval_command

#: Labelled file -> figure -> floor, just under what was reached; ``false-high`` is a ceiling.
FLOORS = {
    "trtc-dev.jsonl": {
        "status": 0.96,
        "hit@1": 0.86,
        "hit@3": 0.94,
        "precision of high": 0.97,
        "contract": 0.98,
    },
    "nim-dev.jsonl": {
        "bare hit@1": 0.67,
        "bare hit@5": 0.83,
        "fields hit@1": 0.89,
        "fields hit@5": 0.97,
        "fields first match right": 0.89,
        "fields none left empty": 0.87,
    },
}
FALSE_HIGH_AT_MOST = 0.02


def _figures(file: Path, db: Path) -> dict[str, float]:
    done = CliRunner().invoke(eval_command, [str(file), "--db", str(db), "--format", "json"])
    assert done.exit_code == 0, done.output
    figures: dict[str, float] = json.loads(done.stdout)["figures"]
    return figures


@pytest.mark.parametrize("name", FLOORS)
def test_figures_hold(name: str, real_db: Path) -> None:
    """No figure falls below its floor."""
    file = SHARED / "eval" / name
    if not file.is_file():
        pytest.skip(f"the labelled set is not beside this checkout (../shared/eval/{name})")
    figures = _figures(file, real_db)
    assert {figure: figures[figure] for figure, floor in FLOORS[name].items() if figures[figure] < floor} == {}
    assert figures.get("false-high", 0.0) <= FALSE_HIGH_AT_MOST

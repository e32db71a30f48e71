"""Questions that were answered wrong once, asked of the real base."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from query_support import answer

QUESTIONS = yaml.safe_load(Path(__file__).with_name("adversarial.yaml").read_text("utf-8"))
_LEVELS = ("low", "medium", "high")


@pytest.mark.parametrize("case", QUESTIONS, ids=[f"{case['line']} {case['query']}" for case in QUESTIONS])
def test_answer(case: dict[str, Any], real_db: Path) -> None:
    """The answer has what its row states."""
    response = answer(real_db, case["query"], **{name: case[name] for name in ("product", "platform") if name in case})
    slices = [match["slice_id"] for match in response["matches"]]
    assert case.get("status", response["status"]) == response["status"]
    assert case.get("first") in (None, *slices[:1])
    assert case.get("absent") not in slices
    assert case.get("reason", "") in (response["reason"] or "")
    highest = _LEVELS[: _LEVELS.index(case.get("confidence", "high")) + 1]
    assert {match["confidence"] for match in response["matches"]} <= {*highest}

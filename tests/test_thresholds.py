"""Every threshold of the ranking has one case at or just above it and one just below, over small invented bases."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from query_support import document

from indexer.build import Sources, build

CASES = Path(__file__).parent / "thresholds"
NIM: list[dict[str, Any]] = yaml.safe_load((CASES / "nim.yaml").read_text("utf-8"))


def _words(text: str) -> str:
    """``x1..x3`` in a text written out."""
    return re.sub(
        r"([a-z]+)(\d+)\.\.\1(\d+)", lambda m: " ".join(f"{m[1]}{n}" for n in range(int(m[2]), int(m[3]) + 1)), text
    )


def _sides(entries: list[dict[str, Any]]) -> list[Any]:
    """Both cases of each entry, named by the rule."""
    sides = ("above", "below")
    return [pytest.param(entry[side], id=f"{entry['rule']}: {side}") for entry in entries for side in sides]


def _unit(unit: Mapping[str, Any]) -> str:
    """One page of the case base."""
    fields = {"track_type": unit.get("type", "排查类"), "product": unit.get("product", "IM-SDK")}
    fields |= {"feature": unit.get("feature", "功能"), "platform": unit.get("platform", "通用")}
    fields |= {
        "title": _words(unit["title"]),
        "tags": unit.get("tags", []),
        "root_cause": _words(unit.get("cause", "")),
    }
    fields |= {"solution": _words(unit.get("solution", "")), "created": "2026-01-01", "updated": "2026-01-01"}
    head = "\n".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items())
    return f"---\n{head}\n---\n\n## 问题描述\n\n{_words(unit.get('symptom', ''))}\n"


@pytest.fixture(scope="module")
def nim_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the units of all entries."""
    folder = tmp_path_factory.mktemp("nim-thresholds")
    for entry in NIM:
        for name, unit in entry["units"].items():
            place = (unit.get("product", "IM-SDK"), unit.get("feature", "功能"), unit.get("platform", "通用"))
            page = folder.joinpath("knowledge", *place, f"{name}.md")
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(_unit(unit), "utf-8")
    build(Sources(None, folder), folder / "nim.db")
    return folder / "nim.db"


@pytest.mark.parametrize("case", _sides(NIM))
def test_case_search(case: dict[str, Any], nim_db: Path) -> None:
    """The answer is as the case expects it on its side of the threshold."""
    ask = dict(case["ask"])
    options = [f"--tag={tag}" for tag in ask.pop("tags", ())]
    query = _words(ask.pop("query", ask.get("title", "")))
    names = {"cause": "root-cause"}
    options += [f"--{names.get(name, name)}={_words(value)}" for name, value in ask.items()]
    response = document(nim_db, "nim", *options, "--", query)["response"]
    matches = {Path(match["path"]).stem: match["grade"] for match in response["matches"]}
    nearest = [Path(unit["path"]).stem for unit in response["nearest"]]
    got = {"ask": case["ask"], "matches": matches, "shown": [*matches], "level": response["scan"]["level"]}
    got |= {"qualified": response["scan"]["qualified"], "nearest": nearest[: len(case.get("nearest", ()))]}
    assert {name: got[name] for name in case} == case

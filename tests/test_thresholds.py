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
NIM, TRTC = (yaml.safe_load((CASES / f"{name}.yaml").read_text("utf-8")) for name in ("nim", "trtc"))
#: The number of slices to which the base of slices is padded.
SLICES = 100


def _words(text: str) -> str:
    """``x1..x3`` and ``z[a-c]`` in a text written out."""

    def numbers(match: re.Match[str]) -> str:
        return " ".join(f"{match[1]}{n}" for n in range(int(match[2]), int(match[3]) + 1))

    def letters(match: re.Match[str]) -> str:
        return " ".join(match[1] + chr(n) for n in range(ord(match[2]), ord(match[3]) + 1))

    return re.sub(r"(\w+)\[([a-z])-([a-z])\]", letters, re.sub(r"([a-z]+)(\d+)\.\.\1(\d+)", numbers, text))


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


def _page(slice_id: str, fields: Mapping[str, Any]) -> str:
    """The page of one slice; its sections have only what its fields give."""
    rows = [f"| `{code}` | x | x |" for code in fields.get("codes", ())]
    table = ["## 错误码", "| 错误码 | 描述 | 处理建议 |", "|---|---|---|", *rows] if rows else []
    heading = [f"## {fields['headings']}"] if "headings" in fields else []
    trouble = ["## 排障指南", fields["trouble"]] if "trouble" in fields else []
    text = [fields.get("body", ""), *heading, *trouble, *table]
    return f"---\nid: {slice_id}\ntags: {json.dumps(fields.get('page', []))}\n---\n" + "\n".join(text) + "\n"


def _listed(slice_id: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of one slice in the base's index."""
    return {
        "id": slice_id,
        "name": str(fields.get("name", slice_id.replace("/", " "))),
        "tags": fields.get("index", []),
        "platforms": ["web"],
        "file": f"slices/{slice_id}.md",
        "description": fields.get("description", ""),
        "status": "active",
    }


@pytest.fixture(scope="module")
def trtc_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the slices of all entries, padded to ``SLICES``."""
    root = tmp_path_factory.mktemp("trtc-thresholds")
    slices = {f"live/{name}": fields for entry in TRTC for name, fields in entry["slices"].items()}
    slices |= {f"live/padding-{n}": {} for n in range(SLICES - len(slices))}
    scenarios = [
        {"id": name, "name": fields["name"], "slices": [f"live/{member}" for member in fields["slices"]]}
        for entry in TRTC
        for name, fields in entry.get("scenarios", {}).items()
    ]
    index = {
        "products": [{"id": "live", "name": "Live"}],
        "slices": [_listed(slice_id, fields) for slice_id, fields in slices.items()],
        "scenarios": scenarios,
    }
    base = root / "knowledge-base"
    for slice_id, fields in slices.items():
        page = base / "slices" / f"{slice_id}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_page(slice_id, fields), "utf-8")
    (base / "index.yaml").write_text(yaml.safe_dump(index, allow_unicode=True, sort_keys=False), "utf-8")
    build(Sources(root, None), root / "trtc.db")
    return root / "trtc.db"


@pytest.mark.parametrize("case", _sides(TRTC))
def test_slice_search(case: dict[str, Any], trtc_db: Path) -> None:
    """The answer is as the case expects it on its side of the threshold."""
    options = [f"--{name}={case[name]}" for name in ("product", "intent", "limit") if name in case]
    matches = document(trtc_db, "trtc", *options, "--", _words(str(case["query"])))["response"]["matches"]
    hits = {match["slice_id"].removeprefix("live/"): match["match_strategy"] for match in matches}
    got = {"hits": hits, "first": dict([*hits.items()][:1]), "loaded": [match["content_loaded"] for match in matches]}
    wanted = {name: case[name] for name in got if name in case}
    assert {name: got[name] for name in wanted} == wanted
    assert [*hits] == [*wanted.get("hits", hits)]

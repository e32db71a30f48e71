"""Labelled NIM rows are searched with the query alone and with fields, and judged by paths, copies and emptiness."""

import json
from pathlib import Path
from typing import Any

import pytest
from query_support import invoke

from query.evaluation.labelled import read_labelled
from query.evaluation.nim import judge
from query.index import open_index

CASE = "knowledge/IM/消息发送/小程序/排查-切后台再回来发不出消息.md"
QUERY = "小程序切后台再回来发不出消息"
FIELDS: dict[str, Any] = {"product": "?", "title": QUERY, "tags": ["小程序", "切后台", "消息发送失败"]}


@pytest.mark.parametrize(
    ("expect", "wanted"),
    [
        ({"paths": [CASE]}, {"bare hit@1": 1, "fields hit@1": 1, "bare MRR": 1, "fields hit@5": 1}),
        ({"paths": ["knowledge/elsewhere.md"]}, {"bare hit@1": 0, "fields hit@5": 0, "bare MRR": 0}),
        ({"none": True}, {"fields none left empty": 0}),
    ],
    ids=["the case", "another", "none"],
)
def test_a_row(sample_db: Path, expect: dict[str, Any], wanted: dict[str, float]) -> None:
    """Each figure of a row, for the query alone and with the fields of a caller."""
    row = {"query": QUERY, "fields": FIELDS, "expect": expect}
    with open_index(sample_db) as index:
        figures = dict(judge(index, row).checks)
    assert {name: figures[name] for name in wanted} == wanted


def test_an_empty_answer_is_right(sample_db: Path, tmp_path: Path) -> None:
    """A row may expect nothing but ``none: true``; an empty answer is right for it."""
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"query": "zzz", "expect": {"none": True}}) + "\n", "utf-8")
    assert len(read_labelled(path)) == 1
    document = json.loads(invoke(sample_db, "eval", str(path)).stdout)
    assert document["figures"] == {"bare none left empty": 1, "fields none left empty": 1}


def test_first_answers_are_kept_for_calibration(sample_db: Path) -> None:
    """One first answer with the query alone, one with fields."""
    with open_index(sample_db) as index:
        verdict = judge(index, {"query": QUERY, "fields": FIELDS, "expect": {"paths": [CASE]}})
    assert [first[:2] for first in verdict.first_answers] == [("nim", "bare"), ("nim", "fields")]
    assert all(first.is_right for first in verdict.first_answers)

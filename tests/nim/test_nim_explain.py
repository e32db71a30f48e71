"""The explanation of a NIM answer: how sure each grade is, and what a miss lacked."""

from pathlib import Path
from typing import Any

import pytest
from query_support import document, invoke

BADGE = ("桌面角标数字清不掉", "--product", "IM-SDK", "--tag", "推送", "--tag", "角标", "--tag", "未读数")


def explained(db: Path, *argv: str) -> Any:
    """The ``explain`` sibling."""
    return document(db, "nim", *argv, "--explain")["explain"]


@pytest.mark.parametrize("query", ["蓝牙耳机一戴上就听不见", "手机桌面图标上的未读数字清不掉"])
def test_a_miss_names_the_closest(query: str, sample_db: Path) -> None:
    """Nothing qualified: up to three of the nearest, each below the threshold of its type."""
    told = explained(sample_db, query)
    nearest = document(sample_db, "nim", query)["response"]["nearest"]
    assert told["matches"] == []
    assert [case["place"].split("#")[0] for case in told["closest"]] == [case["path"] for case in nearest[:3]]
    assert {case["rule"] for case in told["closest"]} == {"tags and title"}
    assert all(case["score"] < case["wanted"] in {0.4, 0.5} for case in told["closest"])


def test_where_causes_are_compared_they_decide(sample_db: Path) -> None:
    """A cause on both sides: the conclusion fell short, however alike tags and title are (decision 5)."""
    told = explained(sample_db, *BADGE, "--root-cause", "磁盘满了")
    trouble = [case for case in told["closest"] if case["rule"] == "conclusion"]
    assert trouble
    assert {(case["score"], case["wanted"]) for case in trouble} == {(None, 0.6)}


def test_nothing_is_near(sample_db: Path) -> None:
    """What shares nothing with any case has no closest."""
    assert explained(sample_db, "zzz")["closest"] == []


def test_a_match_needs_no_closest(sample_db: Path) -> None:
    """Its grade is told beside what was measured of it: nothing, in this file."""
    told = explained(sample_db, *BADGE)
    assert told["closest"] == []
    assert [case["measured"] for case in told["matches"]] == [None] * len(told["matches"])
    assert told["matches"]


def test_for_a_person(sample_db: Path) -> None:
    """Each closest case on a line of its own."""
    text = invoke(sample_db, "nim", "蓝牙耳机一戴上就听不见", "--explain", "--format", "text").stdout
    assert "closest knowledge/" in text
    assert ", wanted 0.50" in text

"""The explanation of a NIM answer: origins, measured accuracy, and why the nearest cases do not qualify."""

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
    """If nothing qualifies, up to three of the nearest cases are explained, each below the threshold of its type."""
    explanation = explained(sample_db, query)
    nearest = document(sample_db, "nim", query)["response"]["nearest"]
    assert explanation["matches"] == []
    assert [case["place"].split("#")[0] for case in explanation["closest"]] == [case["path"] for case in nearest[:3]]
    assert {case["rule"] for case in explanation["closest"]} == {"tags and title"}
    assert all(case["score"] < case["wanted"] in {0.4, 0.5} for case in explanation["closest"])


def test_where_causes_are_compared_they_decide(sample_db: Path) -> None:
    """With a cause on both sides the conclusion decides, however similar tags and title are."""
    explanation = explained(sample_db, *BADGE, "--root-cause", "磁盘满了")
    trouble = [case for case in explanation["closest"] if case["rule"] == "conclusion"]
    assert trouble
    assert {(case["score"], case["wanted"]) for case in trouble} == {(None, 0.6)}


def test_nothing_is_near(sample_db: Path) -> None:
    """A text that shares nothing with any case has no closest case."""
    assert explained(sample_db, "zzz")["closest"] == []


def test_a_match_needs_no_closest(sample_db: Path) -> None:
    """A match has its grade and the measured accuracy, which this index does not have."""
    explanation = explained(sample_db, *BADGE)
    assert explanation["closest"] == []
    assert [case["measured"] for case in explanation["matches"]] == [None] * len(explanation["matches"])
    assert explanation["matches"]


def test_for_a_person(sample_db: Path) -> None:
    """In the text, each closest case has a line of its own."""
    text = invoke(sample_db, "nim", "蓝牙耳机一戴上就听不见", "--explain", "--format", "text").stdout
    assert "closest knowledge/" in text
    assert ", wanted 0.50" in text

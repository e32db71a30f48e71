"""The explanation of a NIM answer: how sure each grade is, and what a miss lacked."""

from pathlib import Path
from typing import Any

import pytest
from query_support import document, invoke

BADGE = ("桌面角标数字清不掉", "--product", "IM-SDK", "--tag", "推送", "--tag", "角标", "--tag", "未读数")


def explained(db: Path, *argv: str) -> Any:
    """The ``explain`` sibling."""
    return document(db, "nim", *argv, "--explain")["explain"]


@pytest.mark.parametrize("query", ["蓝牙耳机一戴上就听不见", "zzz", "天气"])
def test_a_miss_names_the_closest(query: str, sample_db: Path) -> None:
    """Nothing qualified: up to three of the nearest, each below the threshold of its type."""
    told = explained(sample_db, query)
    nearest = document(sample_db, "nim", query)["response"]["nearest"]
    assert told["matches"] == []
    assert [case["place"].split("#")[0] for case in told["closest"]] == [case["path"] for case in nearest[:3]]
    assert all(case["score"] < case["wanted"] in {0.4, 0.5} for case in told["closest"])


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

"""Labelled questions become figures."""

import json
from pathlib import Path
from typing import Any

import pytest
from query_support import invoke

from query.evaluate import BadLabels, apart, by_kind, figures, judge, judged_text, read_labelled

EXPECT: dict[str, Any] = {"status": "matched", "top1": ["live/a"], "relevant": ["live/b"]}
NOTHING: dict[str, Any] = {"status": "no_match", "top1": [], "relevant": []}


def row(**expect: Any) -> dict[str, Any]:
    """A labelled row."""
    return {"id": "r", "query": "q", "expect": EXPECT | expect}


def response(*ids: str, confidence: str = "high", status: str = "matched", **first: Any) -> dict[str, Any]:
    """An answer with these slices."""
    match = {"confidence": confidence, "match_strategy": "tag", "content_loaded": "full"}
    match |= {"file_paths_read": ["p"], "related": ["live/r"]} | first
    matches = [{"slice_id": slice_id, **match} for slice_id in ids]
    return {"status": status, "matches": matches, "ambiguous_candidates": ["live", "call"], "reason": "because x"}


@pytest.mark.parametrize(
    ("ids", "missed"),
    [
        (["live/a"], ()),
        (["live/b", "live/a"], ("hit@1",)),
        (["live/x", "live/y", "live/b"], ("hit@1", "precision of high")),
        (["live/x", "live/y", "live/z", "live/a"], ("hit@1", "hit@3", "precision of high")),
        ([], ("hit@1", "hit@3")),
    ],
)
def test_ranks(ids: list[str], missed: tuple[str, ...]) -> None:
    """hit@1 wants rank 1 among top1, hit@3 any of the first three among top1 and relevant."""
    assert judge(row(), response(*ids)).missed == missed


def test_status() -> None:
    """Another status than the expected one is missed."""
    assert judge(row(), response("live/a", status="status_planned")).missed == ("status",)


@pytest.mark.parametrize(("confidence", "false_high"), [("high", True), ("medium", False), ("low", False)])
def test_false_high(confidence: str, false_high: bool) -> None:
    """Where no match is right, a high one is a false high."""
    labelled = {"query": "q", "expect": NOTHING}
    assert ("no false high" in judge(labelled, response("live/a", confidence=confidence)).missed) is false_high


@pytest.mark.parametrize(
    ("expect", "holds"),
    [
        ({"strategy": "tag"}, True),
        ({"strategy": "exact"}, False),
        ({"confidence": "high"}, True),
        ({"confidence": "low"}, False),
        ({"content_loaded": "full"}, True),
        ({"content_loaded": "summary"}, False),
        ({"file_paths": ["p"]}, True),
        ({"file_paths": ["p", "q"]}, False),
        ({"related_contains": ["live/r"]}, True),
        ({"related_contains": ["live/a"]}, True),
        ({"related_contains": ["live/q"]}, False),
        ({"reason_contains": "because"}, True),
        ({"reason_contains": "since"}, False),
        ({"ambiguous_candidates": ["live"]}, True),
        ({"ambiguous_candidates": ["chat"]}, False),
        ({"max_confidence": "high"}, True),
        ({"max_confidence": "medium"}, False),
        ({"must_not": ["live/q"]}, True),
        ({"must_not": ["live/a"]}, False),
    ],
)
def test_contract(expect: dict[str, Any], holds: bool) -> None:
    """Each extra assertion counts, and only where the row makes it."""
    verdict = judge(row(**expect), response("live/a"))
    assert [held for name, held in verdict.checks if name == "contract"] == [holds]


def test_figures() -> None:
    """A figure is the share of its checks that hold; false-high the share that does not."""
    rows = [row(), row(), {"query": "n", "expect": NOTHING}]
    answers = iter([response("live/a"), response("live/x"), response("live/x", status="no_match")])
    plain, contested = apart(judge(asked, answer) for asked, answer in zip(rows, answers, strict=True))
    assert contested == []
    assert figures(plain) == {"status": 1.0, "hit@1": 0.5, "hit@3": 0.5, "false-high": 1.0, "precision of high": 1 / 3}


def test_contested_rows_come_apart() -> None:
    """A contested row counts in no figure of the others."""
    rows = [row(), {**row(), "contested": True}]
    plain, contested = apart(judge(asked, response("live/a")) for asked in rows)
    assert (len(plain), len(contested)) == (1, 1)


def test_figures_of_each_kind() -> None:
    """The rows of one kind have figures of their own."""
    verdicts = [judge({**row(), "kind": kind}, response(found)) for kind, found in (("a", "live/a"), ("b", "live/x"))]
    assert {kind: found["hit@1"] for kind, found in by_kind(verdicts).items()} == {"a": 1.0, "b": 0.0}


def test_a_missed_row_for_a_person() -> None:
    """What was asked, missed, wanted and got stand in the text."""
    text = judged_text(judge(row(), response("live/x")))
    assert all(part in text for part in ("'q'", "hit@1", "live/a", "live/x"))


GOOD = json.dumps(row())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("\n\n", "no rows"),
        (f"{GOOD}\n{{", ":2: no JSON"),
        (f"\n{GOOD}\n[]", ":3: wanted an object"),
        ("{}", ":1: wanted an object"),
        ('{"query": "q"}', ":1: wanted an object"),
        ('{"query": 1, "expect": {}}', ":1: wanted an object"),
        ('{"query": "q", "expect": {}}', ":1: wanted an object"),
        ('{"query": "q", "expect": {"status": "matched", "top1": "x", "relevant": []}}', ":1: wanted an object"),
        (json.dumps(row() | {"product": 3}), ":1: wanted an object"),
    ],
)
def test_bad_labels(text: str, message: str, tmp_path: Path, sample_db: Path) -> None:
    """A file that is not as documented is told with its line, exit code 1."""
    path = tmp_path / "rows.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(BadLabels) as caught:
        read_labelled(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    result = invoke(sample_db, "eval", str(path))
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.parametrize("name", ["missing", "folder", "binary"])
def test_unreadable_labels(name: str, tmp_path: Path) -> None:
    """A file that is missing, a folder or no text is told."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0")
    with pytest.raises(BadLabels, match="cannot be read"):
        read_labelled(tmp_path / name)


def test_the_command(tmp_path: Path, sample_db: Path) -> None:
    """The command answers each row by its product, platform and intent, and prints the figures."""
    rows = [
        {"id": "1", "query": "弹幕", "expect": {"status": "matched", "top1": ["live/danmaku-wall"], "relevant": []}},
        {"id": "2", "query": "弹幕", "product": "chat", "expect": NOTHING | {"status": "no_slice"}},
        {"id": "3", "query": "弹幕", "expect": NOTHING},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    told = json.loads(invoke(sample_db, "eval", str(path), "--misses").stdout)
    assert told["rows"] == 3
    assert told["figures"]["hit@1"] == 1.0
    assert told["figures"]["false-high"] == 0.5
    assert [miss["id"] for miss in told["misses"]] == ["3"]


def test_a_row_with_an_invalid_product(tmp_path: Path, sample_db: Path) -> None:
    """A product that the index lacks is a usage error, as it is for a search."""
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row() | {"product": "im"}), "utf-8")
    result = invoke(sample_db, "eval", str(path))
    assert result.exit_code == 2
    assert "chat, call, rtc-engine, live, conference" in result.stderr

"""The siblings of a response: how the query was read, and the pages that were read."""

from pathlib import Path
from typing import Any

import pytest
from query_support import document, invoke

from indexer.build import Sources


def explained(db: Path, *argv: str) -> Any:
    """The ``explain`` sibling."""
    return document(db, "trtc", *argv, "--explain")["explain"]


def test_how_it_was_read(sample_db: Path) -> None:
    """The folded text, the intent, the codes and the ids are told."""
    told = explained(sample_db, "彈幕 －４２１５ live/x")
    assert told["read_as"] == "弹幕 -4215 live/x"
    assert told["intent"] == "error-code"
    assert told["codes"] == ["-4215"]
    assert told["ids"] == ["live/x"]
    assert told["truncated"] is False


def test_a_hint_is_told_as_one(sample_db: Path) -> None:
    """A bridge says whether a row of the hint table or the lexicon led over it, and to which tags."""
    (span,) = [span for span in explained(sample_db, "连麦")["spans"] if span["text"] == "连麦"]
    assert "hint" in {bridge["source"] for bridge in span["bridges"]}
    assert "seat" in span["tags"]


@pytest.mark.parametrize("query", ["弹幕", "-4002", "team-standup", "连麦 RTC Engine", "啸叫", "站会"])
def test_every_match_is_explained(query: str, sample_db: Path) -> None:
    """Each match, in order, says what led to it."""
    told = document(sample_db, "trtc", query, "--explain")
    matches = told["explain"]["matches"]
    assert [match["slice_id"] for match in matches] == [match["slice_id"] for match in told["response"]["matches"]]
    assert all(match["via"] for match in matches)
    assert all(0 <= match["coverage"] <= 1 for match in matches)


@pytest.mark.parametrize("query", ["zzqqx", "该用哪个产品", "。"])
def test_an_empty_answer_is_explained_too(query: str, sample_db: Path) -> None:
    """Without matches, the reading of the query is still told."""
    assert explained(sample_db, query)["matches"] == []


def test_a_miss_names_what_came_closest(sample_db: Path) -> None:
    """An empty answer says which slice covers how much of the query, how much was wanted, and what is missing."""
    told = explained(sample_db, "弹幕之后的天气预报", "--product", "live")
    assert told["matches"] == []
    first = told["closest"][0]
    assert first["slice_id"] == "live/danmaku-wall"
    assert first["missing"]
    assert 0 < first["elsewhere"] <= 1
    assert all(near["coverage"] <= 1 and near["wanted"] > 0 for near in told["closest"])


def test_a_sure_answer_names_nothing_close(sample_db: Path) -> None:
    """Only a weak answer needs it."""
    assert explained(sample_db, "弹幕")["closest"] == []


def test_what_was_mistyped_is_told(sample_db: Path) -> None:
    """Both spellings, in the document and for a person."""
    assert explained(sample_db, "旦木发不出去")["respelt"] == [{"said": "旦木", "meant": "弹幕"}]
    assert "旦木: read as 弹幕" in invoke(sample_db, "trtc", "旦木", "--explain", "--format", "text").stdout


@pytest.mark.parametrize(
    "argv",
    [
        ["弹幕", "--platform", "ios"],
        ["-4002"],
        ["team-standup"],
        ["voice-duet"],
        ["team-standup", "--intent", "pattern"],
    ],
)
def test_content(argv: list[str], sample_db: Path, sample: Sources) -> None:
    """The pages are those that the response names as read, each once and byte for byte as in the source."""
    told = document(sample_db, "trtc", *argv, "--content")
    named = [path for match in told["response"]["matches"] for path in match["file_paths_read"]]
    assert [page["path"] for page in told["content"]] == named
    assert sample.trtc is not None
    for page in told["content"]:
        assert page["text"] == (sample.trtc / page["path"]).read_text("utf-8")

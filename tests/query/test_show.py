"""Documents about the index itself: info, verify and show."""

import re
import shutil
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from query_support import altered_copy, document, invoke

from indexer.build import Sources, build
from query.errors import IndexUnreadable, UsageError
from query.index import open_index
from query.show import info, show, verify

ENTRIES = "knowledge/IM-SDK/消息收发/功能实现咨询.md"
CASE = "knowledge/IM-SDK/推送/iOS/排查-角标数字清不掉.md"


def test_info_counts(sample_db: Path) -> None:
    """The counts of each source are those of the tables."""
    with open_index(sample_db) as index:
        printed = info(index)
        ((slices, planned),) = index.rows("SELECT count(*), sum(planned) FROM slice")
        ((units, cases),) = index.rows("SELECT count(*), sum(entry = 0) FROM nim_unit")
    assert printed["sources"]["trtc"]["slices"] == slices
    assert printed["sources"]["trtc"]["planned"] == planned
    assert printed["sources"]["nim"]["units"] == units
    assert printed["sources"]["nim"]["cases"] == cases


@pytest.mark.parametrize("redacted", [False, True])
def test_info_of_a_redacted_index(redacted: bool, sample: Sources, tmp_path: Path) -> None:
    """``info`` shows whether personal details were left out, and how many source files hold some."""
    build(replace(sample, redact=redacted), tmp_path / "x.db")
    printed = document(tmp_path / "x.db", "info")
    assert printed["redacted"] is redacted
    assert printed["sources"]["nim"]["files_customers"] == printed["sources"]["nim"]["files_personal"] > 0
    shown = invoke(tmp_path / "x.db", "info", "--format", "text").stdout
    assert re.search(rf"^redacted +{redacted}$", shown, re.MULTILINE)


def test_info_of_a_copy(sample_db: Path, tmp_path: Path) -> None:
    """A copy of the file under another path gives the same document."""
    shutil.copy(sample_db, tmp_path / "elsewhere.db")
    assert document(tmp_path / "elsewhere.db", "info") == document(sample_db, "info")


def test_verify_of_a_sound_index(sample_db: Path) -> None:
    """A sound index is ok, with its digest."""
    with open_index(sample_db) as index:
        assert verify(index) == {"ok": True, "digest": info(index)["digest"]}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE slice SET name = 'x' WHERE id = 1",
        "DELETE FROM error_code WHERE id = 1",
        "INSERT INTO calibration VALUES ('trtc', 'tag', 'high', 1, 1)",
        "UPDATE meta SET value = 'x' WHERE key = 'tokenizer'",
        "CREATE TABLE more (x)",
    ],
)
def test_verify_of_a_changed_index(statement: str, sample_db: Path, tmp_path: Path) -> None:
    """One changed, removed or added row is reported, exit code 3."""
    path = altered_copy(sample_db, tmp_path / "x.db", statement)
    with open_index(path) as index, pytest.raises(IndexUnreadable, match="does not match its digest"):
        verify(index)
    assert invoke(path, "verify").exit_code == 3


def test_show_a_slice(sample_db: Path) -> None:
    """A slice comes with its tags, platforms, codes and pages."""
    printed = document(sample_db, "show", "live/danmaku-wall")
    assert (printed["kind"], printed["product"], printed["status"]) == ("slice", "live", "active")
    assert printed["tags"] == ["barrage", "danmu", "message", "chat", "mute", "throttle", "DanmakuWall"]
    assert printed["platforms"] == ["android", "ios"]
    assert [code["code"] for code in printed["error_codes"]] == ["-4210", "-4211", "-4213", "-4215", "-4002"]
    assert sorted(page["path"] for page in printed["pages"]) == [
        "knowledge-base/slices/live/android/danmaku-wall.md",
        "knowledge-base/slices/live/danmaku-wall.md",
        "knowledge-base/slices/live/ios/danmaku-wall.md",
    ]
    assert all(page["text"].startswith("---\n") for page in printed["pages"])


@pytest.mark.parametrize(
    ("platform", "places"),
    [("ios", [None, "ios"]), ("Kotlin", [None, "android"]), ("WEB", [None]), (None, [None, "android", "ios"])],
)
def test_show_for_a_platform(platform: str | None, places: list[str | None], sample_db: Path) -> None:
    """With a platform or its framework, only the overview and the page of that platform are shown."""
    with open_index(sample_db) as index:
        pages = show(index, "live/danmaku-wall", platform)["pages"]
    assert sorted((page["platform"] for page in pages), key=str) == sorted(places, key=str)


def test_show_for_an_unknown_platform(sample_db: Path) -> None:
    """An unknown platform is a usage error that lists the valid ones."""
    result = invoke(sample_db, "show", "live/danmaku-wall", "--platform", "windows")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "wanted one of web, android, ios, flutter, electron" in result.stderr


def test_show_a_planned_slice(sample_db: Path) -> None:
    """A planned slice has its entry in the index and no page."""
    printed = document(sample_db, "show", "RTC-Engine/media-relay")
    assert (printed["status"], printed["pages"], printed["error_codes"]) == ("planned", [], [])


def test_show_a_scenario(sample_db: Path) -> None:
    """A scenario has its slices in order, each once."""
    printed = document(sample_db, "show", "team-standup")
    assert printed["slices"] == [
        "conference/meeting-room",
        "conference/network-gauge",
        "conference/screen-share",
        "conference/beauty-filter",
    ]


CAPITALS = """
UPDATE slice SET slice_id = 'Live/Danmaku-Wall' WHERE slice_id = 'live/danmaku-wall';
UPDATE scenario SET scenario_id = 'Team-Standup' WHERE scenario_id = 'team-standup';
"""


@pytest.mark.parametrize("spelling", [str.lower, str.upper, str.title])
@pytest.mark.parametrize("wanted", ["Live/Danmaku-Wall", "Team-Standup"])
def test_ids_in_any_case(wanted: str, spelling: Callable[[str], str], sample_db: Path, tmp_path: Path) -> None:
    """An id is found in any letter case, also if it has capital letters in the knowledge base."""
    path = altered_copy(sample_db, tmp_path / "x.db", CAPITALS)
    assert document(path, "show", spelling(wanted))["id"] == wanted


def test_ids_that_differ_in_case(sample_db: Path, tmp_path: Path) -> None:
    """Of two ids that differ in case only, the exact one is shown."""
    path = altered_copy(sample_db, tmp_path / "x.db", "UPDATE slice SET slice_id = 'LIVE/danmaku-wall' WHERE id = 1")
    for wanted in ("LIVE/danmaku-wall", "live/danmaku-wall"):
        assert document(path, "show", wanted)["id"] == wanted


@pytest.mark.parametrize("wanted", [CASE, unicodedata.normalize("NFD", CASE), f" {CASE} ", f"{CASE}#0"])
def test_show_a_case(wanted: str, sample_db: Path) -> None:
    """A case is shown by its path, in any Unicode composition of its name."""
    printed = document(sample_db, "show", wanted)
    assert (printed["kind"], printed["path"], printed["entry"]) == ("case", CASE, 0)


def test_show_an_entry(sample_db: Path) -> None:
    """An entry is shown by its path and number."""
    printed = document(sample_db, "show", f"{ENTRIES}#2")
    assert (printed["path"], printed["entry"]) == (ENTRIES, 2)


@pytest.mark.parametrize(
    "wanted",
    [
        "live/nothing",
        "live/beauty-preset",
        "",
        "#",
        "#1",
        f"{ENTRIES}#99",
        f"{ENTRIES}#{'9' * 30}",
        f"{CASE}#x",
        f"{CASE}#²",
        "\udcff",
        "x\ud83d",
        "a\0b",
        "'; DROP TABLE slice; --",
        "%",
    ],
)
def test_show_what_is_not_there(wanted: str, sample_db: Path) -> None:
    """An id that the index lacks is a usage error, whatever characters it has."""
    with open_index(sample_db) as index, pytest.raises(UsageError, match="not in the index"):
        show(index, wanted, None)
    assert invoke(sample_db, "show", "--", wanted).exit_code == 2

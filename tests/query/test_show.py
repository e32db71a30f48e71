"""What an index says of itself: info, verify and show."""

import re
import shutil
import sqlite3
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from query_support import document, invoke

from indexer.build import Sources, build
from query.errors import IndexUnreadable, UsageError
from query.index import open_index
from query.show import info, show, verify

ENTRIES = "knowledge/IM-SDK/消息收发/功能实现咨询.md"
CASE = "knowledge/IM-SDK/推送/iOS/排查-角标数字清不掉.md"


def changed(sample: Path, path: Path, statement: str) -> Path:
    """A copy of the sample, changed by one statement."""
    shutil.copy(sample, path)
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()
    return path


def test_info_counts(sample_db: Path) -> None:
    """The counts of each source are those of the tables."""
    with open_index(sample_db) as index:
        told = info(index)
        ((slices, planned),) = index.rows("SELECT count(*), sum(planned) FROM slice")
        ((units, cases),) = index.rows("SELECT count(*), sum(entry = 0) FROM nim_unit")
    assert told["sources"]["trtc"]["slices"] == slices
    assert told["sources"]["trtc"]["planned"] == planned
    assert told["sources"]["nim"]["units"] == units
    assert told["sources"]["nim"]["cases"] == cases


@pytest.mark.parametrize("redacted", [False, True])
def test_info_says_whether_it_is_redacted(redacted: bool, sample: Sources, tmp_path: Path) -> None:
    """A person sees in ``info`` whether the file may leave the company, and how many source files hold details."""
    build(replace(sample, redact=redacted), tmp_path / "x.db")
    told = document(tmp_path / "x.db", "info")
    assert told["redacted"] is redacted
    assert told["sources"]["nim"]["files_customers"] == told["sources"]["nim"]["files_personal"] > 0
    shown = invoke(tmp_path / "x.db", "info", "--format", "text").stdout
    assert re.search(rf"^redacted +{redacted}$", shown, re.MULTILINE)


def test_info_has_no_place_and_no_time(sample_db: Path, tmp_path: Path) -> None:
    """The same file tells the same elsewhere."""
    shutil.copy(sample_db, tmp_path / "elsewhere.db")
    assert document(tmp_path / "elsewhere.db", "info") == document(sample_db, "info")


def test_verify_of_a_sound_index(sample_db: Path) -> None:
    """A sound index gives its own digest."""
    with open_index(sample_db) as index:
        assert verify(index) == {"ok": True, "digest": info(index)["digest"]}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE slice SET name = 'x' WHERE id = 1",
        "DELETE FROM error_code WHERE id = 1",
        "INSERT INTO stop_word VALUES ('x')",
        "UPDATE meta SET value = 'x' WHERE key = 'tokenizer'",
        "CREATE TABLE more (x)",
    ],
)
def test_verify_of_a_changed_index(statement: str, sample_db: Path, tmp_path: Path) -> None:
    """One changed, lost or added row is noticed, exit code 3."""
    path = changed(sample_db, tmp_path / "x.db", statement)
    with open_index(path) as index, pytest.raises(IndexUnreadable, match="does not match its digest"):
        verify(index)
    assert invoke(path, "verify").exit_code == 3


def test_show_a_slice(sample_db: Path) -> None:
    """A slice comes with its tags, platforms, codes and pages."""
    told = document(sample_db, "show", "live/danmaku-wall")
    assert (told["kind"], told["product"], told["status"]) == ("slice", "live", "active")
    assert told["tags"] == ["barrage", "danmu", "message", "chat", "mute", "throttle", "DanmakuWall"]
    assert told["platforms"] == ["android", "ios"]
    assert [code["code"] for code in told["error_codes"]] == ["-4210", "-4211", "-4213", "-4215", "-4002"]
    assert sorted(page["path"] for page in told["pages"]) == [
        "knowledge-base/slices/live/android/danmaku-wall.md",
        "knowledge-base/slices/live/danmaku-wall.md",
        "knowledge-base/slices/live/ios/danmaku-wall.md",
    ]
    assert all(page["text"].startswith("---\n") for page in told["pages"])


@pytest.mark.parametrize(
    ("platform", "places"),
    [("ios", [None, "ios"]), ("Kotlin", [None, "android"]), ("WEB", [None]), (None, [None, "android", "ios"])],
)
def test_show_for_a_platform(platform: str | None, places: list[str | None], sample_db: Path) -> None:
    """A platform, or its framework, leaves the overview and that platform's page."""
    with open_index(sample_db) as index:
        pages = show(index, "live/danmaku-wall", platform)["pages"]
    assert sorted((page["platform"] for page in pages), key=str) == sorted(places, key=str)


def test_show_for_an_unknown_platform(sample_db: Path) -> None:
    """An unknown platform is a usage error that lists the valid ones."""
    result = invoke(sample_db, "show", "live/danmaku-wall", "--platform", "windows")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "wanted one of web, android, ios, flutter, electron" in result.stderr


def test_show_a_planned_slice(sample_db: Path) -> None:
    """A planned slice has its index entry and no page."""
    told = document(sample_db, "show", "RTC-Engine/media-relay")
    assert (told["status"], told["pages"], told["error_codes"]) == ("planned", [], [])


def test_show_a_scenario(sample_db: Path) -> None:
    """A scenario lists its slices in order, each once."""
    told = document(sample_db, "show", "team-standup")
    assert told["slices"] == [
        "conference/meeting-room",
        "conference/network-gauge",
        "conference/screen-share",
        "conference/beauty-filter",
    ]


@pytest.mark.parametrize("wanted", [CASE, unicodedata.normalize("NFD", CASE), f" {CASE} ", f"{CASE}#0"])
def test_show_a_case(wanted: str, sample_db: Path) -> None:
    """A case is shown by its path, however its name is composed (cases.md G4)."""
    told = document(sample_db, "show", wanted)
    assert (told["kind"], told["path"], told["entry"]) == ("case", CASE, 0)


def test_show_an_entry(sample_db: Path) -> None:
    """An entry is shown by its path and number."""
    told = document(sample_db, "show", f"{ENTRIES}#2")
    assert (told["path"], told["entry"]) == (ENTRIES, 2)


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
    """An id that the index lacks is a usage error, whatever it is made of."""
    with open_index(sample_db) as index, pytest.raises(UsageError, match="not in the index"):
        show(index, wanted, None)
    assert invoke(sample_db, "show", "--", wanted).exit_code == 2

"""``rtckb diff``: items added, removed, moved and changed between two indexes."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from diff_support import EDITED, ENTRIES, GONE, NEW_NAME, RENAMED, changed_copy
from jsonschema import Draft202012Validator
from query_support import altered_copy

from query.diff.compare import KINDS, diff
from query.diff.sections import SECTIONS
from query.index import open_index
from query.schemas import schemas
from rtckb import main

PAGES = "knowledge-base/slices/live"
TAGS = ("relay", "cdn", "transcode", "mix", "bitrate")


@pytest.fixture(scope="module")
def new_db(tmp_path_factory: pytest.TempPathFactory, sample_db: Path) -> Path:
    """The index of the changed sample."""
    return changed_copy(tmp_path_factory.mktemp("changed"), sample_db)


def _diff(old: Path, new: Path) -> dict[str, Any]:
    with open_index(old) as before, open_index(new) as after:
        return diff(before, after)


def _rtckb(*argv: str | Path) -> Result:
    return CliRunner().invoke(main, ["diff", *map(str, argv)], catch_exceptions=False)


#: Section -> kind -> how the changes of diff_support are reported.
WANTED: dict[str, dict[str, list[Any]]] = {
    "slices": {
        "came": ["rtc-engine/relay"],
        "went": ["rtc-engine/media-relay"],
        "changed": [
            {"id": "live/danmaku-wall", "fields": ["pages"]},
            {"id": "live/gift-combo", "fields": ["tags", "pages"]},
        ],
    },
    "slice_tags": {
        "came": [*(f"rtc-engine/relay {tag}" for tag in TAGS), "live/gift-combo streak"],
        "went": [f"rtc-engine/media-relay {tag}" for tag in TAGS],
    },
    "error_codes": {
        "came": ["live/danmaku-wall -4299"],
        "changed": [
            {"id": "live/danmaku-wall -4213", "fields": ["place", "section", "text", "page"]},
            {"id": "live/gift-combo -4301", "fields": ["page"]},
        ],
    },
    "pages": {
        "moved": [{"from": f"{PAGES}/ios/gift-combo.md", "to": f"{PAGES}/android/gift-combo.md"}],
        "changed": [{"id": f"{PAGES}/ios/danmaku-wall.md", "fields": ["text"]}],
    },
    "relations": {"changed": [{"id": "live-media-engine", "fields": ["slices"]}]},
    "scenarios": {
        "changed": [{"id": "voice-duet", "fields": ["slices"]}, {"id": "team-standup", "fields": ["text"]}],
    },
    "cases": {
        "came": [f"{ENTRIES}#1"],
        "went": [GONE],
        "moved": [{"from": f"{ENTRIES}#{n}", "to": f"{ENTRIES}#{n + 1}"} for n in range(1, 6)]
        + [{"from": RENAMED, "to": NEW_NAME}],
        "changed": [{"id": EDITED, "fields": ["root_cause", "details"]}],
    },
    "nim_tags": {"came": ["全新标签"], "went": ["审核", "短信", "签名", "驳回"]},
}


@pytest.mark.parametrize("section", SECTIONS)
def test_differences(section: str, sample_db: Path, new_db: Path) -> None:
    """Each change is reported once, under its identity. Equal text under another path is moved, a new id is added."""
    assert _diff(sample_db, new_db)[section] == {kind: [] for kind in KINDS} | WANTED.get(section, {})


def test_the_other_way_round(sample_db: Path, new_db: Path) -> None:
    """In the other direction, added items are removed, moved ones move back, and the same ones are changed."""
    there, back = _diff(sample_db, new_db), _diff(new_db, sample_db)
    for section in SECTIONS:
        one, other = there[section], back[section]
        assert (one["came"], one["went"]) == (other["went"], other["came"])
        assert sorted((m["from"], m["to"]) for m in one["moved"]) == sorted(
            (m["to"], m["from"]) for m in other["moved"]
        )
        assert [c["id"] for c in one["changed"]] == [c["id"] for c in other["changed"]]


def test_equal_files(sample_db: Path, tmp_path: Path) -> None:
    """Files of the same content are equal, even if the records of their builds differ."""
    document = _diff(sample_db, altered_copy(sample_db, tmp_path / "x.db", "DELETE FROM source_file"))
    assert document["equal"]
    assert (document["build"], document["tables"]) == ([], [])
    assert all(document[section] == {kind: [] for kind in KINDS} for section in SECTIONS)


#: A change outside the sections -> the statement, and the tables and facts of the build that are named.
ELSEWHERE = {
    "a fact of the build": ("UPDATE meta SET value = 'x' WHERE key = 'nim.commit'", ["meta"], ["nim.commit"]),
    "a measured grade": ("INSERT INTO calibration VALUES ('trtc', 'tag', 'high', 2, 1)", ["calibration"], []),
    "a line number": ("UPDATE nim_unit SET line = line + 1", ["nim_unit"], []),
}


@pytest.mark.parametrize(("statement", "tables", "build"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_no_difference_is_hidden(
    statement: str, tables: list[str], build: list[str], sample_db: Path, tmp_path: Path
) -> None:
    """Files that differ outside the sections are not equal either, and the table is named."""
    path = altered_copy(sample_db, tmp_path / "x.db", statement)
    document = _diff(sample_db, path)
    assert (document["equal"], document["tables"], document["build"]) == (False, tables, build)
    shown = _rtckb(sample_db, path, "--format", "text").stdout
    assert shown.startswith(f"No slice, page, code, scenario, case or tag differs; rows of {tables[0]} do.\n")


def test_the_first_of_equal_ones_moves_to_the_first(sample_db: Path, tmp_path: Path) -> None:
    """If several items have the same content, each old one moves to one new one, in order."""
    path = altered_copy(sample_db, tmp_path / "x.db", "UPDATE slice_page SET text = 'same'")
    other = tmp_path / "other.db"
    shutil.copy(path, other)
    with closing(sqlite3.connect(other)) as db:
        db.execute("UPDATE slice_page SET path = 'x/' || path WHERE id <= 3")
        db.commit()
        paths = [row[0] for row in db.execute("SELECT path FROM slice_page ORDER BY id LIMIT 3")]
    assert _diff(path, other)["pages"]["moved"] == [{"from": p.removeprefix("x/"), "to": p} for p in paths]


def test_exit_codes(sample_db: Path, new_db: Path) -> None:
    """0 in both cases; with --exit-code 1 if the files differ, as in git diff."""
    calls = [(sample_db, new_db), (sample_db, sample_db)]
    assert [_rtckb(*files).exit_code for files in calls] == [0, 0]
    assert [_rtckb(*files, "--exit-code").exit_code for files in calls] == [1, 0]


#: What is wrong with a file -> how to make it from the sample, and what the message contains.
FAULTS: dict[str, tuple[Callable[[bytes], bytes | None], str]] = {
    "missing": (lambda _: None, "none.db: no such file"),
    "another program's": (lambda data: data[:68] + bytes(4) + data[72:], "none.db: a database of another program"),
    "damaged": (lambda data: data[: len(data) // 2], "none.db"),
}


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize(("make", "message"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_file(
    make: Callable[[bytes], bytes | None], message: str, position: int, sample_db: Path, tmp_path: Path
) -> None:
    """A faulty file is named in one line with exit code 3, whichever of the two it is."""
    files = [sample_db, sample_db]
    files[position] = tmp_path / "none.db"
    content = make(sample_db.read_bytes())
    if content is not None:
        files[position].write_bytes(content)
    result = _rtckb(*files, "--exit-code")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (3, "", 1)
    assert message in result.stderr


def test_a_table_that_one_file_lacks(sample_db: Path, tmp_path: Path) -> None:
    """A table that only one of the files has is a difference, in either direction."""
    path = altered_copy(sample_db, tmp_path / "x.db", "CREATE TABLE more (x)")
    assert [_diff(*files)["tables"] for files in ((sample_db, path), (path, sample_db))] == [["more"], ["more"]]


def test_values_of_another_type_differ(sample_db: Path, tmp_path: Path) -> None:
    """The number 1 and the text 1 are different values, as they are for the content hash."""
    files = [
        altered_copy(sample_db, tmp_path / name, f"UPDATE dictionary SET ref = {value} WHERE kind = 'stop word'")
        for name, value in (("text.db", "'1'"), ("number.db", "1"))
    ]
    assert _diff(*files)["tables"] == ["dictionary"]


def test_formats(sample_db: Path, new_db: Path) -> None:
    """JSON in a pipe, the same as YAML, and valid by the schema that ``rtckb schema`` prints."""
    printed = json.loads(_rtckb(sample_db, new_db).stdout)
    assert printed == _diff(sample_db, new_db) == yaml.safe_load(_rtckb(sample_db, new_db, "--format", "yaml").stdout)
    for document in (printed, _diff(sample_db, sample_db)):
        Draft202012Validator(schemas()["diff"]).validate(document)


def test_no_text_of_the_sources(sample_db: Path, new_db: Path) -> None:
    """No format contains titles or customers, since a pull request may be public."""
    with open_index(new_db) as index:
        secrets = [row[0] for row in index.rows("SELECT title FROM nim_unit UNION SELECT customer FROM nim_customer")]
    for how in ("json", "text", "markdown"):
        shown = _rtckb(sample_db, new_db, "--format", how).stdout
        assert "全新的问题" in secrets
        assert not [secret for secret in secrets if secret and secret in shown]

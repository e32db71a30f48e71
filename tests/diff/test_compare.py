"""``rtckb diff``: what came, went, moved and changed between two indexes."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from diff_support import EDITED, ENTRIES, GONE, NEW_NAME, RENAMED, changed_copy
from jsonschema import Draft202012Validator

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


def _touched(sample_db: Path, folder: Path, statement: str) -> Path:
    """A copy of the sample's index in which one statement was run."""
    path = Path(shutil.copy(sample_db, folder / "touched.db"))
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)
        db.commit()
    return path


#: Section -> kind -> what the changes of diff_support are told as.
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
def test_what_is_told(section: str, sample_db: Path, new_db: Path) -> None:
    """Each change is told once, under its identity; text that stands elsewhere is moved, a new id is a new thing."""
    told = _diff(sample_db, new_db)[section]
    assert told == {kind: [] for kind in KINDS} | WANTED.get(section, {})


def test_the_other_way_round(sample_db: Path, new_db: Path) -> None:
    """Backwards, what came went, what moved moved back, and the same things changed."""
    there, back = _diff(sample_db, new_db), _diff(new_db, sample_db)
    for section in SECTIONS:
        one, other = there[section], back[section]
        assert (one["came"], one["went"]) == (other["went"], other["came"])
        assert sorted((m["from"], m["to"]) for m in one["moved"]) == sorted(
            (m["to"], m["from"]) for m in other["moved"]
        )
        assert [c["id"] for c in one["changed"]] == [c["id"] for c in other["changed"]]


def test_equal_files(sample_db: Path, tmp_path: Path) -> None:
    """Files that say the same are equal, also where SQLite wrote them otherwise."""
    told = _diff(sample_db, _touched(sample_db, tmp_path, "DELETE FROM source_file"))
    assert told["equal"]
    assert (told["build"], told["tables"]) == ([], [])
    assert all(told[section] == {kind: [] for kind in KINDS} for section in SECTIONS)


#: A change that no section tells -> the tables and facts of the build that are named.
ELSEWHERE = {
    "a fact of the build": ("UPDATE meta SET value = 'x' WHERE key = 'nim.commit'", ["meta"], ["nim.commit"]),
    "a word of the lexicon": ("DELETE FROM concept_word WHERE concept = 9", ["concept_word"], []),
    "a line number": ("UPDATE nim_unit SET line = line + 1", ["nim_unit"], []),
}


@pytest.mark.parametrize(("statement", "tables", "build"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_no_difference_is_hidden(
    statement: str, tables: list[str], build: list[str], sample_db: Path, tmp_path: Path
) -> None:
    """What no section tells is still no equality: its table is named."""
    path = _touched(sample_db, tmp_path, statement)
    told = _diff(sample_db, path)
    assert (told["equal"], told["tables"], told["build"]) == (False, tables, build)
    shown = _rtckb(sample_db, path, "--format", "text").stdout
    assert shown.startswith(f"No slice, page, code, scenario, case or tag differs; the rows of {tables[0]} do.\n")


def test_the_first_of_equal_ones_moves_to_the_first(sample_db: Path, tmp_path: Path) -> None:
    """Where several cases have the same content, each old one moves to one new one, in order."""
    path = _touched(sample_db, tmp_path, "UPDATE slice_page SET text = 'same'")
    other = tmp_path / "other.db"
    shutil.copy(path, other)
    with closing(sqlite3.connect(other)) as db:
        db.execute("UPDATE slice_page SET path = 'x/' || path WHERE id <= 3")
        db.commit()
        paths = [row[0] for row in db.execute("SELECT path FROM slice_page ORDER BY id LIMIT 3")]
    assert _diff(path, other)["pages"]["moved"] == [{"from": p.removeprefix("x/"), "to": p} for p in paths]


def test_exit_codes(sample_db: Path, new_db: Path) -> None:
    """0 either way; with --exit-code 1 where they differ, as git diff has it."""
    calls = [(sample_db, new_db), (sample_db, sample_db)]
    assert [_rtckb(*files).exit_code for files in calls] == [0, 0]
    assert [_rtckb(*files, "--exit-code").exit_code for files in calls] == [1, 0]


@pytest.mark.parametrize("missing", [0, 1])
def test_a_file_that_is_not_there(missing: int, sample_db: Path, tmp_path: Path) -> None:
    """A missing file is told by its name, exit code 3, whichever of the two it is."""
    files = [sample_db, sample_db]
    files[missing] = tmp_path / "none.db"
    result = _rtckb(*files, "--exit-code")
    assert (result.exit_code, result.stdout) == (3, "")
    assert str(files[missing]) in result.stderr


def test_formats(sample_db: Path, new_db: Path) -> None:
    """JSON in a pipe, the same as YAML, and valid by the schema that ``rtckb schema`` prints."""
    told = json.loads(_rtckb(sample_db, new_db).stdout)
    assert told == _diff(sample_db, new_db) == yaml.safe_load(_rtckb(sample_db, new_db, "--format", "yaml").stdout)
    for document in (told, _diff(sample_db, sample_db)):
        Draft202012Validator(schemas()["diff"]).validate(document)


def test_no_text_is_told(sample_db: Path, new_db: Path) -> None:
    """Neither titles nor customers nor answers are in any format: a pull request may be public."""
    with open_index(new_db) as index:
        secrets = [row[0] for row in index.rows("SELECT title FROM nim_unit UNION SELECT customer FROM nim_customer")]
    for how in ("json", "text", "markdown"):
        shown = _rtckb(sample_db, new_db, "--format", how).stdout
        assert "全新的问题" in secrets
        assert not [secret for secret in secrets if secret and secret in shown]

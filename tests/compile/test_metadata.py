"""The facts of a build are the same for equal sources; a calibration is stored and printed beside confidence."""

import json
import re
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from query_support import document

from indexer.build import Sources, build
from indexer.compile import metadata, segment
from indexer.compile.metadata import calibration_rows
from indexer.errors import BadCalibration
from query.integrity import SCHEMA_VERSION

Run = Callable[..., subprocess.CompletedProcess[bytes]]

COUNTS = {
    "trtc.slices": 32,
    "trtc.planned": 2,
    "trtc.scenarios": 6,
    "nim.files_seen": 2934,
    "nim.files_rejected": 0,
    "nim.units": 3728,
    "nim.cases": 1854,
    "nim.entries": 1874,
}


def _facts(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as db:
        return dict(db.execute("SELECT key, value FROM meta"))


def test_counts_of_the_real_bases(real_db: Path) -> None:
    """The figures of the two real bases."""
    counts = metadata.as_counts(_facts(real_db))
    assert {name: counts[name] for name in COUNTS} == COUNTS
    assert counts["nim.files_repaired"] >= 152
    assert counts["nim.files_seen"] == sum(counts[f"nim.files_{s}"] for s in ("read", "repaired", "rejected"))


def test_counts_are_those_of_the_rows(sample_db: Path) -> None:
    """The counts in ``meta`` are those of the rows in the tables."""
    counts = metadata.as_counts(_facts(sample_db))
    queries = {
        "trtc.slices": "SELECT count(*) FROM slice",
        "trtc.planned": "SELECT sum(planned) FROM slice",
        "trtc.scenarios": "SELECT count(*) FROM scenario",
        "trtc.files_seen": "SELECT count(*) FROM source_file WHERE base = 'trtc'",
        "trtc.findings": "SELECT count(*) FROM finding WHERE base = 'trtc'",
        "nim.files_seen": "SELECT count(*) FROM source_file WHERE base = 'nim'",
        "nim.files_repaired": "SELECT count(*) FROM source_file WHERE base = 'nim' AND status = 'repaired'",
        "nim.units": "SELECT count(*) FROM nim_unit",
        "nim.cases": "SELECT count(*) FROM nim_unit WHERE entry = 0",
        "nim.entries": "SELECT count(*) FROM nim_unit WHERE entry > 0",
        "nim.duplicates": "SELECT count(*) FROM nim_unit WHERE copy_of <> id",
    }
    with closing(sqlite3.connect(sample_db)) as db:
        assert {name: db.execute(sql).fetchone()[0] for name, sql in queries.items()} == {n: counts[n] for n in queries}


def test_as_counts_inverts_as_meta() -> None:
    """Counts are read back from the facts, among others."""
    assert metadata.as_counts({**metadata.as_meta(COUNTS), "digest": "x"}) == COUNTS


def test_no_path_time_or_version(sample_db: Path, sample: Sources) -> None:
    """The facts contain no path of this machine, no time, and no version of SQLite, Python, Unicode or PyYAML."""
    facts = _facts(sample_db)
    text = "\n".join(value for key, value in facts.items() if not key.startswith("variants"))
    assert str(sample.trtc) not in text
    assert not [version for version in re.findall(r"\d[\d.]+", metadata.libraries()) if version in text.split()]
    assert not [key for key in facts if any(word in key for word in ("time", "date", "path", "python", "sqlite"))]


def test_build_inputs(sample: Sources) -> None:
    """Schema version, tokenizer with dictionary, and builder are known before anything is read."""
    facts = metadata.build_inputs(sample.trtc, None)
    assert facts["schema_version"] == str(SCHEMA_VERSION)
    assert facts["tokenizer"] == segment.identity()
    assert "dict=" in facts["tokenizer"]
    assert len(facts["builder"]) == 16
    assert len(facts["variants_from"]) == len(facts["variants_to"]) > 0


def _git(folder: Path, *argv: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
    argv = ("git", "-C", str(folder), *identity, *argv)
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def test_commits(tmp_path: Path) -> None:
    """A source that is a work tree has a commit; a folder deep inside another project's work tree has none."""
    base = tmp_path / "clone" / "knowledge"
    deep = base / "IM" / "x"
    deep.mkdir(parents=True)
    _git(tmp_path / "clone", "init", "-q")
    assert metadata.build_inputs(base, None)["trtc.commit"] == ""
    _git(tmp_path / "clone", "commit", "-q", "--allow-empty", "-m", "x")
    commit = _git(tmp_path / "clone", "rev-parse", "HEAD")
    assert metadata.build_inputs(base, base.parent) | {
        "trtc.commit": commit,
        "nim.commit": commit,
    } == metadata.build_inputs(base, base.parent)
    assert metadata.build_inputs(deep, None)["trtc.commit"] == ""


def test_no_git(python: Run, tmp_path: Path) -> None:
    """Without git, the commit is unknown, without an error."""
    (tmp_path / ".git").mkdir()
    code = "import sys; from pathlib import Path; from indexer.compile.metadata import build_inputs;"
    code += "print(repr(build_inputs(Path(sys.argv[1]), None)['trtc.commit']))"
    done = python("-c", code, tmp_path, env={"PATH": ""})
    assert (done.stdout, done.stderr) == (b"''\n", b"")


ROW = {"command": "trtc", "found_by": "tag", "grade": "high", "answers": 84, "correct": 82}


def given(folder: Path, *rows: Any, name: str = "calibration.json") -> Path:
    """A file as ``rtckb eval --calibrate --format json`` prints it."""
    path = folder / name
    path.write_text(json.dumps({"rows": 1, "calibration": rows}), "utf-8")
    return path


def test_rows_are_sorted(tmp_path: Path) -> None:
    """Rows do not depend on the order of files and rows; other keys of a row are dropped."""
    other = ROW | {"found_by": "exact"}
    paths = [given(tmp_path, ROW | {"share": 0.9}), given(tmp_path, other, name="b.json")]
    assert calibration_rows(paths) == calibration_rows(reversed(paths)) == [other, ROW]


@pytest.mark.parametrize(
    "change", [{"command": "x"}, {"grade": 1}, {"answers": 0}, {"correct": 85}, {"correct": -1}, {"answers": True}]
)
def test_bad_rows(change: dict[str, Any], tmp_path: Path) -> None:
    """An impossible measurement is an error that names the file."""
    with pytest.raises(BadCalibration, match=r"calibration\.json: found no calibration"):
        calibration_rows([given(tmp_path, ROW | change)])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"calibration": {}}'])
def test_other_documents(text: str, tmp_path: Path) -> None:
    """A document without a calibration is an error that names the file."""
    path = tmp_path / "x.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BadCalibration, match=r"x\.json.*wanted what"):
        calibration_rows([path])


def test_two_measurements_of_one_grade(tmp_path: Path) -> None:
    """Two measurements of one grade are an error: neither is chosen silently."""
    with pytest.raises(BadCalibration, match="trtc tag high twice"):
        calibration_rows([given(tmp_path, ROW), given(tmp_path, ROW, name="b.json")])


def test_calibration_beside_confidence(tmp_path: Path, sample: Sources) -> None:
    """``--explain`` prints counts and share; the response is the same as without a calibration."""
    plain, measured = tmp_path / "plain.db", tmp_path / "measured.db"
    build(sample, plain)
    build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW),)), measured)
    with_it, without = (document(db, "trtc", "弹幕", "--explain") for db in (measured, plain))
    assert with_it["explain"]["matches"][0]["measured"] == {"answers": 84, "correct": 82, "share": 0.976}
    assert without["explain"]["matches"][0]["measured"] is None
    assert with_it["response"] == without["response"]


def test_another_calibration(tmp_path: Path, sample: Sources) -> None:
    """A file is up to date only with the same calibration."""
    target = tmp_path / "x.db"
    first = build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW),)), target)
    again = build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW),)), target)
    other = build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW | {"correct": 80}),)), target)
    assert again.unchanged
    assert not other.unchanged
    assert other.digest != first.digest

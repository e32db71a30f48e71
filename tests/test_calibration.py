"""Measured calibration goes through the build into the file, and is told beside confidence."""

import json
from pathlib import Path
from typing import Any

import pytest
from query_support import document

from indexer.build import Sources, build
from indexer.calibration import calibration_rows
from indexer.errors import BadCalibration

ROW = {"command": "trtc", "found_by": "tag", "grade": "high", "answers": 84, "correct": 82}


def given(folder: Path, *rows: Any, name: str = "calibration.json") -> Path:
    """A file as ``rtckb eval --calibrate --format json`` prints it."""
    path = folder / name
    path.write_text(json.dumps({"rows": 1, "calibration": rows}), "utf-8")
    return path


def test_rows_are_sorted(tmp_path: Path) -> None:
    """Whatever the order of files and rows; what else a row says stays out."""
    other = ROW | {"found_by": "exact"}
    paths = [given(tmp_path, ROW | {"share": 0.9}), given(tmp_path, other, name="b.json")]
    assert calibration_rows(paths) == calibration_rows(reversed(paths)) == [other, ROW]


@pytest.mark.parametrize(
    "change", [{"command": "x"}, {"grade": 1}, {"answers": 0}, {"correct": 85}, {"correct": -1}, {"answers": True}]
)
def test_bad_rows(change: dict[str, Any], tmp_path: Path) -> None:
    """A measurement that cannot be one names its file."""
    with pytest.raises(BadCalibration, match=r"calibration\.json: found no calibration"):
        calibration_rows([given(tmp_path, ROW | change)])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"calibration": {}}'])
def test_what_is_no_calibration(text: str, tmp_path: Path) -> None:
    """Nor can another document."""
    path = tmp_path / "x.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BadCalibration, match=r"x\.json.*wanted what"):
        calibration_rows([path])


def test_two_measurements_of_one_thing(tmp_path: Path) -> None:
    """Neither wins silently."""
    with pytest.raises(BadCalibration, match="trtc tag high twice"):
        calibration_rows([given(tmp_path, ROW), given(tmp_path, ROW, name="b.json")])


def test_it_stands_beside_confidence(tmp_path: Path, sample: Sources) -> None:
    """``--explain`` tells counts and share; the response itself is the same as without."""
    plain, measured = tmp_path / "plain.db", tmp_path / "measured.db"
    build(sample, plain)
    build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW),)), measured)
    told, untold = (document(db, "trtc", "弹幕", "--explain") for db in (measured, plain))
    assert told["explain"]["matches"][0]["measured"] == {"answers": 84, "correct": 82, "share": 0.976}
    assert untold["explain"]["matches"][0]["measured"] is None
    assert told["response"] == untold["response"]


def test_another_calibration_is_another_file(tmp_path: Path, sample: Sources) -> None:
    """The file at hand is up to date only with the same measurements."""
    target = tmp_path / "x.db"
    first = build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW),)), target)
    again = build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW),)), target)
    other = build(Sources(sample.trtc, sample.nim, calibrations=(given(tmp_path, ROW | {"correct": 80}),)), target)
    assert again.unchanged
    assert not other.unchanged
    assert other.digest != first.digest

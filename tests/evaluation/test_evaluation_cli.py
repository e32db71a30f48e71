"""The command ``rtckb eval``."""

import json
from pathlib import Path
from typing import Any

from labelled_support import NOTHING, row
from query_support import invoke

ROWS: list[dict[str, Any]] = [
    {"id": "1", "query": "弹幕", "expect": {"status": "matched", "top1": ["live/danmaku-wall"], "relevant": []}},
    {"id": "2", "query": "弹幕", "product": "chat", "expect": NOTHING | {"status": "no_slice"}},
    {"id": "3", "query": "弹幕", "lang": "zh", "expect": NOTHING},
]


def labelled(folder: Path) -> str:
    """The rows as a file."""
    path = folder / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    return str(path)


def run(db: Path, folder: Path, *options: str) -> Any:
    """The document of a run."""
    return json.loads(invoke(db, "eval", labelled(folder), *options).stdout)


def test_the_command(tmp_path: Path, sample_db: Path) -> None:
    """The command answers each row by its product, platform and intent, and prints the figures."""
    found = run(sample_db, tmp_path, "--misses")
    assert found["rows"] == 3
    assert found["figures"]["hit@1"] == 1.0
    assert found["figures"]["false-high"] == 0.5
    assert found["by_lang"]["zh"]["status"] == 0.0
    assert found["verdicts"] == {"1": [], "2": [], "3": ["status", "no false high", "precision of high"]}
    assert [miss["id"] for miss in found["misses"]] == ["3"]


def test_a_row_with_an_invalid_product(tmp_path: Path, sample_db: Path) -> None:
    """A product that the index lacks is a usage error, as it is for a search."""
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row() | {"product": "im"}), "utf-8")
    result = invoke(sample_db, "eval", str(path))
    assert result.exit_code == 2
    assert "chat, call, rtc-engine, live, conference" in result.stderr


def test_calibrate(sample_db: Path, tmp_path: Path) -> None:
    """How often the first answers of each grade were correct, in the document and in the text."""
    wanted = {"command": "trtc", "found_by": "tag", "grade": "high", "answers": 2, "correct": 1}
    assert run(sample_db, tmp_path, "--calibrate")["calibration"] == [wanted]
    text = invoke(sample_db, "eval", labelled(tmp_path), "--calibrate", "--format", "text").stdout
    assert "trtc tag high  1 of 2 first answers correct" in text


def test_against_an_older_run(sample_db: Path, tmp_path: Path) -> None:
    """Rows that changed are listed with the figures that they won and lost."""
    old = run(sample_db, tmp_path)
    old["verdicts"] |= {"1": ["hit@1"], "2": [], "3": []}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(old), "utf-8")
    change = run(sample_db, tmp_path, "--against", str(path))["against"]
    assert change["fixed"] == {"1": {"won": ["hit@1"], "lost": []}}
    assert list(change["broken"]) == ["3"]
    assert change["unchanged"] == 1
    text = invoke(sample_db, "eval", labelled(tmp_path), "--against", str(path), "--format", "text").stdout
    assert "1 fixed, 1 broken, 1 unchanged" in text


def test_without_a_signal_source(sample_db: Path, tmp_path: Path) -> None:
    """A slice that only the disabled source leads to is not found."""
    path = tmp_path / "rows.jsonl"
    expect = {"status": "matched", "top1": ["live/danmaku-wall"], "relevant": []}
    path.write_text(json.dumps({"query": "公屏", "product": "live", "expect": expect}), "utf-8")
    hits = {
        options: json.loads(invoke(sample_db, "eval", str(path), *options.split()).stdout)["figures"]["hit@1"]
        for options in ("", "--without hint", "--without lexicon --without body")
    }
    assert hits == {"": 1.0, "--without hint": 1.0, "--without lexicon --without body": 0.0}


def test_a_signal_source_without_use(sample_db: Path, tmp_path: Path) -> None:
    """For NIM rows alone, disabling a source of TRTC search would measure nothing."""
    path = tmp_path / "rows.jsonl"
    path.write_text('{"query": "zzz", "expect": {"none": true}}', "utf-8")
    result = invoke(sample_db, "eval", str(path), "--without", "spelling")
    assert result.exit_code == 2
    assert "found spelling, which no NIM search uses; wanted hint, lexicon, traditional" in result.stderr
    assert invoke(sample_db, "eval", str(path), "--without", "lexicon").exit_code == 0


def test_an_unknown_signal_source(sample_db: Path, tmp_path: Path) -> None:
    """An unknown source is a usage error that lists the known ones."""
    result = invoke(sample_db, "eval", labelled(tmp_path), "--without", "magic")
    assert result.exit_code == 2
    assert "spelling" in result.stderr

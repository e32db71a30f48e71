"""Short versions of the soak (bench/faults.py): what must hold whatever is done to builds, files and questions."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import SAMPLE, SHARED, let_others_reach
from hostile import builds, files, questions, readers

from indexer.build import Sources, build
from query.index import open_index

Run = Callable[..., subprocess.CompletedProcess[bytes]]
REAL_QUESTIONS = [SHARED / "eval" / name for name in ("trtc-dev.jsonl", "nim-dev.jsonl")]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who is still running")
def test_killed_builds(sample_db: Path, tmp_path: Path) -> None:
    """kill -9 at any moment leaves the old file or the whole new one, no worker, nothing that stays (G1)."""
    assert builds.killed(tmp_path, sample_db.read_bytes(), times=10) == []


def test_two_builds_of_one_target(sample_db: Path, tmp_path: Path) -> None:
    """Builds of one target at once all succeed, and leave the file that one would."""
    assert builds.at_once(tmp_path, sample_db.read_bytes(), rounds=1, builds=3) == []


@pytest.mark.skipif(os.name == "nt", reason="no limit on the size of files there")
def test_full_disk_at_any_size(sample_db: Path, tmp_path: Path) -> None:
    """Wherever the disk fills up, one line says so, and the old file stays alone (G1)."""
    data = sample_db.read_bytes()
    assert builds.disk_full(tmp_path, data, [0, len(data) // 2, len(data) - 4096]) == []


def test_sources_that_change(tmp_path: Path) -> None:
    """Pages that change while they are read give a whole file, or a failure of one line and the old one."""
    assert builds.changing(tmp_path, SAMPLE, rounds=3) == []


AS_NOBODY = """
import os, sys
from pathlib import Path
from indexer.build import Sources, check_sources
sources = Sources(Path(sys.argv[1]), Path(sys.argv[2]))
if os.geteuid() == 0:
    check_sources(sources)  # loads the data files of this checkout, which nobody may be unable to reach
    os.seteuid(65534)  # nobody: root may read everything
for finding in check_sources(sources):
    if finding.severity == "error":
        print(finding.path, finding.kind, finding.detail)
"""


@pytest.mark.skipif(os.name != "posix", reason="other rights elsewhere")
def test_pages_without_rights(python: Run, tmp_path: Path) -> None:
    """A page and a folder that may not be read are told by name, and the rest is read (C5)."""
    shutil.copytree(SAMPLE, tmp_path / "bases")
    let_others_reach(tmp_path)
    slices, cases = tmp_path / "bases/trtc/knowledge-base/slices/live", tmp_path / "bases/nim/knowledge"
    shut = (slices / "gift-combo.md", cases / "IM-UIKit" / "主题定制" / "接口用法咨询.md", cases / "短信")
    for path in shut:
        path.chmod(0)
    try:
        done = python("-c", AS_NOBODY, tmp_path / "bases" / "trtc", tmp_path / "bases" / "nim")
    finally:
        for path in shut:
            path.chmod(0o755)
    assert (done.returncode, done.stderr) == (0, b"")
    told = done.stdout.decode("utf-8").splitlines()
    assert [line.partition("/")[2].split()[:2] for line in told] == [
        ["IM-UIKit/主题定制/接口用法咨询.md", "unreadable"],
        ["短信", "unreadable"],
        ["slices/live/gift-combo.md", "unreadable"],
    ]
    assert all("Permission denied" in line for line in told)


def test_readers_of_a_file_that_is_replaced(tmp_path: Path, sample_db: Path) -> None:
    """Each answer is wholly of one file, whichever it was, and none fails (A31)."""
    shutil.copytree(SAMPLE / "nim", tmp_path / "nim")
    next((tmp_path / "nim" / "knowledge" / "短信").rglob("排查-*.md")).unlink()
    build(Sources(SAMPLE / "trtc", tmp_path / "nim"), tmp_path / "y.db")
    answers, wrong = readers.replaced(tmp_path / "x.db", [sample_db, tmp_path / "y.db"], times=10, readers=4)
    assert wrong == []
    assert answers > 10


def test_cut_at_every_page(sample_db: Path, tmp_path: Path) -> None:
    """A file cut anywhere is told as damaged, exit code 3, by every command."""
    assert files.found(files.cut(sample_db, tmp_path / "x.db", every=5)) == []


def test_hostile_headers(sample_db: Path, tmp_path: Path) -> None:
    """No header makes a command hang, crash or print half an answer."""
    assert files.found(files.headers(sample_db, tmp_path / "x.db")) == []


def test_altered_files(sample_db: Path, tmp_path: Path) -> None:
    """What no build writes is answered or told, never a traceback; ``verify`` tells it always."""
    assert files.found(files.altered(sample_db, tmp_path / "x.db", slice(0, None, 23))) == []


#: What of an altered file tripped the code that reads it -> the call that it tripped.
TRIPPED = {
    "a fact that is missing": ("DELETE FROM meta", "info"),
    "bytes for a text that is printed": ("UPDATE slice SET slice_id = CAST(slice_id AS BLOB)", "trtc"),
    "a packed list that is cut short": ("UPDATE nim_posting SET ranks = x'ff00'", "nim"),
    "a view in a table's place": ("ALTER TABLE slice RENAME TO o; CREATE VIEW slice AS SELECT * FROM o", "trtc"),
    "a trigger": ("CREATE TRIGGER t AFTER DELETE ON slice BEGIN DELETE FROM meta; END", "trtc"),
}


@pytest.mark.parametrize(("statement", "command"), TRIPPED.values(), ids=TRIPPED)
def test_what_trips_the_reader(statement: str, command: str, sample_db: Path, tmp_path: Path) -> None:
    """Values that no build writes are the file's fault, said as such with exit code 3."""
    assert files.alter(sample_db, tmp_path / "x.db", statement)
    (call,) = [call for call in files.CALLS if call[0] == command][:1]
    assert files.outcome(tmp_path / "x.db", call) == "exit 3"


def test_a_fault_of_ours_is_no_fault_of_the_file(sample_db: Path) -> None:
    """Over a sound file an exception stays what it is: nothing of ours is hidden behind the file."""
    with pytest.raises(KeyError, match="ours"), open_index(sample_db):
        raise KeyError("ours")


def test_mutated_questions(sample_db: Path) -> None:
    """Mutations of real questions are answered in whole documents by both halves."""
    asked = questions.ask_many(sample_db, questions.originals(*REAL_QUESTIONS), iter(range(600)))
    assert [wrong for _, wrong in asked if wrong] == []

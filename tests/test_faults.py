"""Short versions of the robustness run (bench/faults.py): killed builds, damaged files, mutated queries."""

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


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_killed_builds(sample_db: Path, tmp_path: Path) -> None:
    """SIGKILL at any moment leaves the old or the complete new file; the next build removes everything else."""
    assert builds.killed(tmp_path, sample_db.read_bytes(), times=10) == []


def test_two_builds_of_one_target(sample_db: Path, tmp_path: Path) -> None:
    """Builds of one target at the same time all succeed, and leave the file of a single build."""
    assert builds.at_once(tmp_path, sample_db.read_bytes(), rounds=1, builds=3) == []


@pytest.mark.skipif(os.name == "nt", reason="no limit on the size of files there")
def test_full_disk(sample_db: Path, tmp_path: Path) -> None:
    """Whenever the disk gets full, the error is one line, and only the old file is left."""
    data = sample_db.read_bytes()
    assert builds.disk_full(tmp_path, data, [0, len(data) // 2, len(data) - 4096]) == []


def test_sources_that_change(tmp_path: Path) -> None:
    """A build of pages that change meanwhile writes a complete file, or prints one line and leaves the old file."""
    assert builds.changing(tmp_path, SAMPLE, rounds=3) == []


AS_NOBODY = """
import os, sys
from pathlib import Path
from indexer.build import Sources, check_sources
sources = Sources(Path(sys.argv[1]), Path(sys.argv[2]))
if os.geteuid() == 0:
    check_sources(sources)  # loads the data files of this checkout, which another user may be unable to read
    os.seteuid(65534)  # nobody: root may read everything
for finding in check_sources(sources):
    if finding.severity == "error":
        print(finding.path, finding.kind, finding.detail)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs the permissions of POSIX")
def test_pages_without_rights(python: Run, tmp_path: Path) -> None:
    """A page and a folder without read permission are findings with their names; the rest is read."""
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
    findings = done.stdout.decode("utf-8").splitlines()
    assert [line.partition("/")[2].split()[:2] for line in findings] == [
        ["IM-UIKit/主题定制/接口用法咨询.md", "unreadable"],
        ["短信", "unreadable"],
        ["slices/live/gift-combo.md", "unreadable"],
    ]
    assert all("Permission denied" in line for line in findings)


def test_readers_of_a_file_that_is_replaced(tmp_path: Path, sample_db: Path) -> None:
    """While a file is replaced, each answer is completely from the old or the new one, and no reader fails."""
    shutil.copytree(SAMPLE / "nim", tmp_path / "nim")
    next((tmp_path / "nim" / "knowledge" / "短信").rglob("排查-*.md")).unlink()
    build(Sources(SAMPLE / "trtc", tmp_path / "nim"), tmp_path / "y.db")
    answers, wrong = readers.replaced(tmp_path / "x.db", [sample_db, tmp_path / "y.db"], times=10, readers=4)
    assert wrong == []
    assert answers > 10


def test_cut_at_every_page(sample_db: Path, tmp_path: Path) -> None:
    """Every command reports a file that is cut anywhere as damaged, with exit code 3."""
    assert files.found(files.cut(sample_db, tmp_path / "x.db", every=5)) == []


def test_hostile_headers(sample_db: Path, tmp_path: Path) -> None:
    """With any header, each command answers or exits with 3."""
    assert files.found(files.headers(sample_db, tmp_path / "x.db")) == []


def test_altered_files(sample_db: Path, tmp_path: Path) -> None:
    """With any altered table, each command answers or exits with 3, and ``verify`` always exits with 3."""
    assert files.found(files.altered(sample_db, tmp_path / "x.db", slice(0, None, 23))) == []


#: An alteration that makes a command fail while it answers -> the statement and the command.
ALTERED = {
    "a fact that is missing": ("DELETE FROM meta", "info"),
    "bytes for a text that is printed": ("UPDATE slice SET slice_id = CAST(slice_id AS BLOB)", "trtc"),
    "a packed list that is cut short": ("UPDATE nim_posting SET ranks = x'ff00'", "nim"),
    "a view in a table's place": ("ALTER TABLE slice RENAME TO o; CREATE VIEW slice AS SELECT * FROM o", "trtc"),
    "a trigger": ("CREATE TRIGGER t AFTER DELETE ON slice BEGIN DELETE FROM meta; END", "trtc"),
}


@pytest.mark.parametrize(("statement", "command"), ALTERED.values(), ids=ALTERED)
def test_values_that_no_build_writes(statement: str, command: str, sample_db: Path, tmp_path: Path) -> None:
    """A command that fails on values that no build writes reports the file as damaged, with exit code 3."""
    assert files.alter(sample_db, tmp_path / "x.db", statement)
    (call,) = [call for call in files.CALLS if call[0] == command][:1]
    assert files.outcome(tmp_path / "x.db", call) == "exit 3"


def test_a_programming_error_is_not_blamed_on_the_file(sample_db: Path) -> None:
    """With an intact file, an exception is not turned into a message about the file."""
    with pytest.raises(KeyError, match="ours"), open_index(sample_db):
        raise KeyError("ours")


def test_mutated_questions(sample_db: Path) -> None:
    """Mutations of real queries are answered with complete documents by both halves."""
    results = questions.ask_many(sample_db, questions.originals(*REAL_QUESTIONS), iter(range(600)))
    assert [wrong for _, wrong in results if wrong] == []

"""A build as a whole: equal sources give equal bytes, and a failed build leaves the old file as it was."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import OLD, environment

from indexer.build import STEPS, Sources, build
from indexer.errors import StrictFindings

Run = Callable[..., subprocess.CompletedProcess[bytes]]
Sha = Callable[[Path], str]


def _case(sources: Sources) -> Path:
    assert sources.nim is not None
    return sources.nim / "knowledge/IM-SDK/登录连接/Android/排查-登录后几秒被踢回登录页.md"


CIRCUMSTANCES: dict[str, tuple[list[str], dict[str, str], str]] = {
    "two processes": (["--jobs", "2"], {}, "."),
    "another folder, temp folder and time zone": ([], {"TZ": "Asia/Shanghai", "TMPDIR": "/nowhere"}, "/"),
    "another hash seed": ([], {"PYTHONHASHSEED": "1"}, "."),
    "LC_ALL=C, three processes": (["--jobs", "3"], {"LC_ALL": "C"}, "."),
}


@pytest.mark.parametrize(("argv", "env", "cwd"), CIRCUMSTANCES.values(), ids=CIRCUMSTANCES)
def test_same_bytes(
    argv: list[str], env: dict[str, str], cwd: str, python: Run, sample_db: Path, tmp_path: Path, sha256: Sha
) -> None:
    """The command gives the same bytes with any number of processes, in any folder, locale and time zone."""
    done = python("-m", "rtckb", "build", "-o", tmp_path / "x.db", *argv, cwd=Path(cwd), env=env)
    assert (done.returncode, done.stdout) == (0, b"")
    assert sha256(tmp_path / "x.db") == sha256(sample_db)


def _shuffled(items: list[Any]) -> list[Any]:
    return random.Random(7).sample(items, len(items))  # noqa: S311  # no secret


class _Shuffled:
    """``os.scandir`` in another order."""

    def __init__(self, entries: Any) -> None:
        self._iterator = iter(_shuffled(list(entries)))
        entries.close()

    def __enter__(self) -> "_Shuffled":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        return self._iterator

    def __next__(self) -> Any:
        return next(self._iterator)

    def close(self) -> None:
        """Nothing is open."""


def test_any_order_of_the_file_system(
    sample: Sources, sample_db: Path, tmp_path: Path, sha256: Sha, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order in which a file system lists its files does not change the bytes."""
    scandir, listdir = os.scandir, os.listdir
    monkeypatch.setattr(os, "scandir", lambda path=".": _Shuffled(scandir(path)))
    monkeypatch.setattr(os, "listdir", lambda path=".": _shuffled(listdir(path)))
    build(sample, tmp_path / "x.db")
    assert sha256(tmp_path / "x.db") == sha256(sample_db)


def test_another_folder(tree: Sources, sample_db: Path, tmp_path: Path, sha256: Sha) -> None:
    """The folder and the dates of the sources, and the name of the target, do not change the bytes."""
    os.utime(_case(tree), (0, 0))
    build(tree, tmp_path / "知 识#?.db")
    assert sha256(tmp_path / "知 识#?.db") == sha256(sample_db)


def test_edited_and_reverted(tree: Sources, sample_db: Path, tmp_path: Path, sha256: Sha) -> None:
    """A file rebuilt after an edit, and again after the edit was reverted, has the first bytes again."""
    target = Path(shutil.copy(sample_db, tmp_path / "x.db"))
    text = _case(tree).read_text("utf-8")
    _case(tree).write_text(text + "\n## 补充\n\n魑魅魍魉 9.9.9\n", "utf-8")
    assert not build(tree, target).unchanged
    assert sha256(target) != sha256(sample_db)
    _case(tree).write_text(text, "utf-8")
    assert not build(tree, target).unchanged
    assert sha256(target) == sha256(sample_db)


def _edit(tree: Sources) -> None:
    _case(tree).write_text(_case(tree).read_text("utf-8").replace("登录", "登陆上线") + "\n魑魅魍魉\n", "utf-8")


def _delete(tree: Sources) -> None:
    _case(tree).unlink()


def _rename(tree: Sources) -> None:
    _case(tree).rename(_case(tree).with_name("排查-新名字.md"))


def _tag(tree: Sources) -> None:
    assert tree.trtc is not None
    index = tree.trtc / "knowledge-base/index.yaml"
    index.write_text(index.read_text("utf-8").replace("tags: [gift,", "tags: [present,"), "utf-8")


def _all(tree: Sources) -> None:
    _edit(tree)
    _rename(tree)
    _tag(tree)


CHANGES = {"a page deleted": _delete, "a page edited and renamed, a tag changed": _all}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_incremental_is_full(
    change: Callable[[Sources], None], tree: Sources, sample_db: Path, tmp_path: Path, sha256: Sha
) -> None:
    """A build over an older file gives the bytes of a build without one: no old text is left."""
    change(tree)
    target = Path(shutil.copy(sample_db, tmp_path / "incremental.db"))
    assert not build(tree, target).unchanged
    build(tree, tmp_path / "full.db")
    assert sha256(target) == sha256(tmp_path / "full.db") != sha256(sample_db)


def test_unchanged(sample: Sources, tmp_path: Path) -> None:
    """If nothing has changed, the file is left in place, and the summary is the same."""
    target = tmp_path / "x.db"
    first = build(sample, target)
    before = target.stat()
    second = build(sample, target)
    assert (first.unchanged, second.unchanged) == (False, True)
    assert (second.digest, second.counts, second.findings) == (first.digest, first.counts, first.findings)
    assert (target.stat().st_ino, target.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


DAMAGE = {
    "a text": "UPDATE nim_unit SET title = 'x' WHERE id = 1",
    "the builder": "UPDATE meta SET value = 'x' WHERE key = 'builder'",
    "the source files": "DELETE FROM source_file WHERE base = 'trtc'",
    "an older version": "PRAGMA user_version = 1",
    "a newer version": "PRAGMA user_version = 99",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_changed_file_is_rebuilt(statement: str, sample: Sources, sample_db: Path, tmp_path: Path, sha256: Sha) -> None:
    """A file that was changed after its build, or is of another version, is not up to date."""
    target = Path(shutil.copy(sample_db, tmp_path / "x.db"))
    with closing(sqlite3.connect(target)) as db:
        db.execute(statement)
        db.commit()
    assert not build(sample, target).unchanged
    assert sha256(target) == sha256(sample_db)


@pytest.mark.parametrize("version", ["unicodedata.unidata_version", "yaml.__version__", "sqlite3.sqlite_version"])
def test_another_library_version(
    version: str, sample: Sources, sample_db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file built with another version of Unicode, PyYAML or SQLite is not up to date; its content hash is equal."""
    target = Path(shutil.copy(sample_db, tmp_path / "x.db"))
    before = build(sample, target)
    monkeypatch.setattr(version, "0.0")
    after = build(sample, target)
    assert (before.unchanged, after.unchanged, build(sample, target).unchanged) == (True, False, True)
    assert after.digest == before.digest


def test_integrity(sample_db: Path) -> None:
    """Tables, indexes, references and full-text tables pass SQLite's checks."""
    with closing(sqlite3.connect(sample_db)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE sql LIKE '%USING fts5 (%'")]
        assert {"slice_words", "scenario_words", "nim_words", "nim_bigrams"} <= set(tables)
        for table in tables:
            db.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")


FOUND = {
    "a part of an identifier": ("slice_words", "gift"),
    "a bigram across two words": ("nim_bigrams", "录页"),
    "a number directly behind Han": ("nim_words", "20417"),
}


@pytest.mark.parametrize(("table", "term"), FOUND.values(), ids=FOUND)
def test_words_are_found(table: str, term: str, sample_db: Path) -> None:
    """Indexed text is found by its words."""
    with closing(sqlite3.connect(sample_db)) as db:
        query = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
        assert db.execute(query, (f'"{term}"',)).fetchone()[0] > 0


def test_rowids_are_ids(sample_db: Path) -> None:
    """Each full-text table has one row per record, under the record's id."""
    with closing(sqlite3.connect(sample_db)) as db:
        for table, records in {
            "slice_words": "slice",
            "scenario_words": "scenario",
            "nim_words": "nim_unit",
            "nim_bigrams": "nim_unit",
        }.items():
            ids = db.execute(f"SELECT id FROM {records} ORDER BY id").fetchall()
            assert db.execute(f"SELECT id FROM {table}_docsize ORDER BY id").fetchall() == ids
            assert ids == [(number,) for number in range(1, len(ids) + 1)]


def test_every_file_is_listed(sample: Sources, sample_db: Path) -> None:
    """Every page on disk is in source_file, and each that was repaired or rejected has a finding."""
    assert sample.trtc is not None
    assert sample.nim is not None
    on_disk = {f"knowledge/{p.relative_to(sample.nim / 'knowledge').as_posix()}" for p in sample.nim.rglob("*.md")}
    on_disk |= {p.relative_to(sample.trtc).as_posix() for p in sample.trtc.rglob("*") if p.is_file()}
    with closing(sqlite3.connect(sample_db)) as db:
        assert {row[0] for row in db.execute("SELECT path FROM source_file")} == on_disk
        unexplained = "SELECT path FROM source_file WHERE status <> 'read' AND path NOT IN (SELECT path FROM finding)"
        assert db.execute(unexplained).fetchall() == []


def test_one_base(sample: Sources, tmp_path: Path) -> None:
    """With one base alone, the other half of the file is empty."""
    counts = build(Sources(None, sample.nim), tmp_path / "n.db").counts
    assert (counts["trtc.slices"], counts["trtc.files_seen"], counts["nim.units"]) == (0, 0, 34)


def test_unlisted_product(tree: Sources, tmp_path: Path) -> None:
    """A slice of a product that index.yaml does not list is stored: references are not enforced."""
    assert tree.trtc is not None
    index = tree.trtc / "knowledge-base" / "index.yaml"
    index.write_text(index.read_text("utf-8").replace("- id: conference\n", "- id: other\n", 1), "utf-8")
    assert build(Sources(tree.trtc, None), tmp_path / "x.db").counts["trtc.slices"] == 12
    with closing(sqlite3.connect(tmp_path / "x.db")) as db:
        dangling = {row[0] for row in db.execute('SELECT "table" FROM pragma_foreign_key_check')}
        assert dangling == {"slice", "relation_product"}
        assert db.execute("SELECT count(*) FROM finding WHERE kind = 'unknown-product'").fetchone()[0] > 0


def test_strict(sample: Sources, sample_db: Path, tmp_path: Path, sha256: Sha) -> None:
    """``strict`` publishes nothing if a file was repaired, even over an up-to-date file."""
    target = Path(shutil.copy(sample_db, tmp_path / "x.db"))
    with pytest.raises(StrictFindings, match=r"--strict: \d+ findings, the first .*; nothing was published"):
        build(sample, target, strict=True)
    assert sha256(target) == sha256(sample_db)
    assert list(tmp_path.iterdir()) == [target]


def test_strict_with_notes(sample: Sources, tmp_path: Path) -> None:
    """Notes alone do not fail a strict build, which reports each of its steps in order."""
    steps: list[str] = []
    assert build(Sources(sample.trtc, None), tmp_path / "x.db", strict=True, progress=steps.append).findings
    assert tuple(steps) == STEPS


def _start(target: Path) -> "subprocess.Popen[bytes]":
    argv = [sys.executable, "-m", "rtckb", "build", "-o", str(target), "--jobs", "2"]
    return subprocess.Popen(
        argv,
        env=environment(),
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=_accept_interrupts,  # noqa: PLW1509  # no thread holds a lock that it could need
    )


def _accept_interrupts() -> None:
    """A background job of a shell ignores SIGINT, and so would its child processes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(tmp_path: Path, sent: signal.Signals) -> None:
    """SIGINT and SIGTERM leave the old file and nothing beside it."""
    target = tmp_path / "x.db"
    target.write_bytes(OLD)
    process = _start(target)
    while not list(tmp_path.glob(".x.db.*")) and process.poll() is None:
        time.sleep(0.01)
    os.killpg(process.pid, sent)
    assert process.wait() != 0
    assert target.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [target]


def test_real_bases(real: Sources, real_db: Path, tmp_path: Path, sha256: Sha) -> None:
    """The real bases give the same bytes with one process as with two, over an older file as without one."""
    target = Path(shutil.copy(real_db, tmp_path / "x.db"))
    with closing(sqlite3.connect(target)) as db:
        db.execute("UPDATE nim_unit SET title = 'x' WHERE id = 1")
        db.commit()
    assert not build(real, target, jobs=1).unchanged
    assert sha256(target) == sha256(real_db)

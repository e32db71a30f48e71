"""What an older file lends: only one that is ours, whole, and of this tokenizer.

The first bytes of a file: what SQLite itself says of it, and nothing of what is no database.
"""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from indexer.compile import segment
from indexer.store.previous import (
    Header,
    Previous,
    facts,
    holds_other_sources,
    read_header,
    read_previous,
    verified_facts,
)
from query.integrity import APPLICATION_ID, SCHEMA_VERSION, storage_hash


@pytest.fixture
def copy(sample_db: Path, tmp_path: Path) -> Path:
    """The sample's file, to be damaged."""
    return Path(shutil.copy(sample_db, tmp_path / "a b#%20?.db"))


def test_lends(copy: Path) -> None:
    """A sound file lends its words, its ledger and its facts, and is not written to."""
    before = copy.read_bytes()
    found = read_previous(copy)
    assert found.intact
    assert found.segmentation
    assert dict(found.segmentation) == segment.cut_runs(found.segmentation)
    assert ("trtc", "knowledge-base/index.yaml") in found.hashes
    assert sum(found.findings.values()) > 0
    assert copy.read_bytes() == before
    assert list(copy.parent.iterdir()) == [copy]


def _sql(statement: str) -> object:
    def damage(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(statement)

    return damage


NOTHING_LENT = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"version https://git-lfs.github.com/spec/v1\n" * 9),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "another application's": _sql("PRAGMA application_id = 1"),
    "an older version's": _sql("PRAGMA user_version = 1"),
    "a newer version's": _sql("PRAGMA user_version = 99"),
    "without its tables": _sql("DROP TABLE segmentation"),
    "words that are no words": _sql("UPDATE segmentation SET runs = x'00'"),
    "words that are text": _sql("UPDATE segmentation SET runs = 'text'"),
    "words that are null": _sql("DELETE FROM segmentation; PRAGMA application_id = 0"),
}


@pytest.mark.parametrize("damage", NOTHING_LENT.values(), ids=NOTHING_LENT)
def test_lends_nothing(copy: Path, damage: object) -> None:
    """A file that cannot be trusted lends nothing, and never stops a build."""
    damage(copy)  # type: ignore[operator]
    assert read_previous(copy) == Previous()


def test_another_tokenizer(copy: Path) -> None:
    """Words cut under other settings are not lent."""
    _sql("UPDATE segmentation SET tokenizer = 'jieba 0.39'")(copy)  # type: ignore[operator]
    found = read_previous(copy)
    assert (dict(found.segmentation), found.intact) == ({}, False)


UNSOUND = {
    "words changed": _sql("INSERT INTO slice_words (slice_words) VALUES ('delete-all')"),
    "the ledger changed": _sql("DELETE FROM source_file WHERE base = 'nim'"),
    "an index dropped": _sql("DROP INDEX slice_page_slice"),
    "a log begun": _sql("PRAGMA journal_mode = WAL"),
    "a text changed": _sql("UPDATE nim_unit SET title = 'x' WHERE id = 1"),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-8192]),
    "no database": lambda path: path.write_bytes(b"x" * 5000),
}


@pytest.mark.parametrize("damage", UNSOUND.values(), ids=UNSOUND)
def test_unsound(copy: Path, damage: object) -> None:
    """A file that no longer says what its hashes say lends nothing."""
    damage(copy)  # type: ignore[operator]
    assert read_previous(copy) == Previous()


def test_facts_of_another_version(copy: Path) -> None:
    """What a file says of itself is read whatever its version and tables, and not of another application's."""
    _sql("PRAGMA user_version = 1; DROP TABLE segmentation")(copy)  # type: ignore[operator]
    assert facts(copy)["redacted"] == "0"
    assert verified_facts(copy) == {}
    _sql("PRAGMA application_id = 1")(copy)  # type: ignore[operator]
    assert facts(copy) == {}


def test_sound_without_segmentation(copy: Path) -> None:
    """Whether a file is sound has nothing to do with whether its segmentation can be lent."""
    _sql("UPDATE segmentation SET runs = x'00'")(copy)  # type: ignore[operator]
    with closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'storage_hash'", (storage_hash(db),))
    assert verified_facts(copy) == facts(copy) != {}
    assert read_previous(copy) == Previous()


REALLY_OTHERS = "UPDATE source_file SET sha256 = 'x' WHERE path = 'knowledge-base/index.yaml'"
#: What was done to the sample's file -> whether a plain build may not replace it.
OTHERS = {
    "the sample's": (_sql(""), False),
    "the sample's, of an older version": (_sql("PRAGMA user_version = 1; DROP TABLE segmentation"), False),
    "the sample's, its hashes as text": (_sql("UPDATE source_file SET sha256 = lower(hex(sha256))"), False),
    "missing": (lambda path: path.unlink(), False),
    "no database": (lambda path: path.write_bytes(b"x" * 5000), False),
    "another application's": (_sql("PRAGMA application_id = 1"), False),
    "other sources": (_sql(REALLY_OTHERS), True),
    "other sources, of an older version": (_sql(f"{REALLY_OTHERS}; PRAGMA user_version = 1"), True),
    "other sources, of another format": (_sql(f"{REALLY_OTHERS}; DROP TABLE segmentation; DROP TABLE meta"), True),
    "no ledger": (_sql("DROP TABLE source_file"), True),
    "an empty ledger": (_sql("DELETE FROM source_file"), True),
    "cut short": (lambda path: path.write_bytes(path.read_bytes()[:5000]), True),
}


@pytest.mark.parametrize(("change", "others"), OTHERS.values(), ids=OTHERS)
def test_holds_other_sources(change: object, others: bool, copy: Path) -> None:
    """Only a file of ours that is not known to be the sample's is guarded, whatever its version or state."""
    change(copy)  # type: ignore[operator]
    assert holds_other_sources(copy) is others


def test_a_file_of_ours(sample_db: Path) -> None:
    """A built file is ours, of this version, without a log."""
    found = read_header(sample_db)
    assert found == Header(APPLICATION_ID, SCHEMA_VERSION, write_ahead=False)
    assert found is not None
    assert found.is_rtckb


@pytest.mark.parametrize(("application", "version", "mode"), [(0, 0, "delete"), (-5, -7, "wal"), (7, 2**31 - 1, "wal")])
def test_as_sqlite_wrote_it(application: int, version: int, mode: str, tmp_path: Path) -> None:
    """Both numbers and the mode are those that SQLite was told."""
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.executescript(f"PRAGMA application_id = {application}; PRAGMA user_version = {version}; CREATE TABLE t (a);")
    found = read_header(tmp_path / "x.db")
    assert found == (application, version, mode == "wal")
    assert found is not None
    assert not found.is_rtckb


NONE: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.exists(),
    "a folder": lambda path: path.mkdir(),
    "empty": lambda path: path.touch(),
    "text": lambda path: path.write_text("SQLite format 4" * 9, "utf-8"),
}


@pytest.mark.parametrize("make", NONE.values(), ids=NONE)
def test_no_database(make: Callable[[Path], object], tmp_path: Path) -> None:
    """What is no SQLite file has no header, and is no error."""
    make(tmp_path / "x.db")
    assert read_header(tmp_path / "x.db") is None


def test_cut_short(sample_db: Path, tmp_path: Path) -> None:
    """Of a file that ends in its header nobody can say that it is ours."""
    (tmp_path / "x.db").write_bytes(sample_db.read_bytes()[:40])
    found = read_header(tmp_path / "x.db")
    assert found is not None
    assert not found.is_rtckb

"""What a build reads of the file that it replaces: nothing of a file that is damaged, foreign or of another version."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.compile import segment
from indexer.store.previous import (
    Header,
    Previous,
    holds_other_sources,
    pack_segmentation,
    read_header,
    read_meta,
    read_previous,
    unpack_segmentation,
    verified_meta,
)
from query.integrity import APPLICATION_ID, SCHEMA_VERSION, storage_hash

Change = Callable[[Path], object]
HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=6)


def _read(path: Path) -> Previous:
    return read_previous(path, segment.identity())


def _sql(statement: str) -> Change:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(statement)

    return change


def _cut(length: int) -> Change:
    return lambda path: path.write_bytes(path.read_bytes()[:length])


def _text(path: Path) -> object:
    return path.write_bytes(b"version https://git-lfs.github.com/spec/v1\n" * 9)


@pytest.fixture
def copy(sample_db: Path, tmp_path: Path) -> Path:
    """A copy of the sample's file that a test may damage."""
    return Path(shutil.copy(sample_db, tmp_path / "a b#%20?.db"))


def test_intact_file(copy: Path) -> None:
    """Of an intact file, words, source hashes and facts are read, and it is not written to."""
    before = copy.read_bytes()
    found = _read(copy)
    assert found.intact
    assert dict(found.segmentation) == segment.cut_runs(found.segmentation) != {}
    assert ("trtc", "knowledge-base/index.yaml") in found.source_hashes
    assert sum(found.findings.values()) > 0
    assert verified_meta(copy) == read_meta(copy) == found.meta != {}
    assert copy.read_bytes() == before
    assert list(copy.parent.iterdir()) == [copy]


UNUSABLE: dict[str, Change] = {
    "missing": Path.unlink,
    "empty": _cut(0),
    "text": _text,
    "cut short": _cut(5000),
    "cut at its end": _cut(-8192),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "another application's": _sql("PRAGMA application_id = 1"),
    "an older version's": _sql("PRAGMA user_version = 1"),
    "a newer version's": _sql("PRAGMA user_version = 99"),
    "in WAL mode": _sql("PRAGMA journal_mode = WAL"),
    "a table dropped": _sql("DROP TABLE segmentation"),
    "an index dropped": _sql("DROP INDEX slice_page_slice"),
    "the segmentation changed": _sql("UPDATE segmentation SET runs = x'00'"),
    "full-text words changed": _sql("INSERT INTO slice_words (slice_words) VALUES ('delete-all')"),
    "source files changed": _sql("DELETE FROM source_file WHERE base = 'nim'"),
    "a text changed": _sql("UPDATE nim_unit SET title = 'x' WHERE id = 1"),
}


@pytest.mark.parametrize("damage", UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_file(copy: Path, damage: Change) -> None:
    """Nothing is read of a file that cannot be trusted, and it does not stop a build."""
    damage(copy)
    assert _read(copy) == Previous()


def test_another_tokenizer(copy: Path) -> None:
    """Words that another tokenizer found are not reused, and the file is not up to date."""
    found = read_previous(copy, "jieba 0.39")
    assert (dict(found.segmentation), found.intact) == ({}, False)
    assert found.meta


def test_facts_of_another_version(copy: Path) -> None:
    """The facts of an rtckb file are read in any version, those of another application's file are not."""
    _sql("PRAGMA user_version = 1; DROP TABLE segmentation")(copy)
    assert read_meta(copy)["redacted"] == "0"
    assert verified_meta(copy) == {}
    _sql("PRAGMA application_id = 1")(copy)
    assert read_meta(copy) == {}


def test_segmentation_that_cannot_be_unpacked(copy: Path) -> None:
    """A segmentation that cannot be unpacked is not used, even if the hashes of the file are right."""
    _sql("UPDATE segmentation SET runs = x'00'")(copy)
    with closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'storage_hash'", (storage_hash(db),))
    assert verified_meta(copy) == read_meta(copy) != {}
    assert _read(copy) == Previous()


@given(st.lists(st.one_of(HAN, st.sampled_from(["中国中国人", "兼容性问题兼容性", "视频通话"])), max_size=8))
def test_pack_round_trip(runs: list[str]) -> None:
    """A packed segmentation is unpacked with its runs, and its bytes do not depend on the order of the runs."""
    words = segment.cut_runs(runs)
    assert unpack_segmentation(pack_segmentation(words)) == words
    assert pack_segmentation(dict(reversed(words.items()))) == pack_segmentation(words)


OTHER = "UPDATE source_file SET sha256 = 'x' WHERE path = 'knowledge-base/index.yaml'"
#: A change of the sample's file -> whether its sources are others than the sample.
SOURCES: dict[str, tuple[Change, bool]] = {
    "the sample": (_sql(""), False),
    "the sample, an older version": (_sql("PRAGMA user_version = 1; DROP TABLE segmentation"), False),
    "the sample, hashes as text": (_sql("UPDATE source_file SET sha256 = lower(hex(sha256))"), False),
    "no file": (Path.unlink, False),
    "text": (_text, False),
    "another application": (_sql("PRAGMA application_id = 1"), False),
    "other sources": (_sql(OTHER), True),
    "other sources, an older version": (_sql(f"{OTHER}; PRAGMA user_version = 1; DROP TABLE meta"), True),
    "unknown sources": (_sql("DROP TABLE source_file"), True),
    "no sources": (_sql("DELETE FROM source_file"), True),
    "cut short": (_cut(5000), True),
}


@pytest.mark.parametrize(("change", "others"), SOURCES.values(), ids=SOURCES)
def test_holds_other_sources(change: Change, others: bool, copy: Path) -> None:
    """An rtckb file of any version or state counts as another one unless its sources are known to be the sample."""
    change(copy)
    assert holds_other_sources(copy) is others


def test_header_of_a_built_file(sample_db: Path) -> None:
    """A built file has this application's id and version, and no write-ahead log."""
    found = read_header(sample_db)
    assert found == Header(APPLICATION_ID, SCHEMA_VERSION, write_ahead=False)
    assert found is not None
    assert found.is_rtckb


@pytest.mark.parametrize(("application", "version", "mode"), [(0, 0, "delete"), (-5, -7, "wal"), (7, 2**31 - 1, "wal")])
def test_header_as_sqlite_wrote_it(application: int, version: int, mode: str, tmp_path: Path) -> None:
    """Both numbers and the mode are those that were set with PRAGMAs."""
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.executescript(f"PRAGMA application_id = {application}; PRAGMA user_version = {version}; CREATE TABLE t (a);")
    assert read_header(tmp_path / "x.db") == (application, version, mode == "wal")


NO_HEADER: dict[str, Change] = {"missing": Path.exists, "a folder": Path.mkdir, "empty": Path.touch, "text": _text}


@pytest.mark.parametrize("make", NO_HEADER.values(), ids=NO_HEADER)
def test_no_header(make: Change, tmp_path: Path) -> None:
    """A path that is not an SQLite file has no header, without an error."""
    make(tmp_path / "x.db")
    assert read_header(tmp_path / "x.db") is None


def test_header_cut_short(sample_db: Path, tmp_path: Path) -> None:
    """A file that ends within its header is not known to be an rtckb file."""
    (tmp_path / "x.db").write_bytes(sample_db.read_bytes()[:40])
    found = read_header(tmp_path / "x.db")
    assert found is not None
    assert not found.is_rtckb

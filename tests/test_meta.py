"""The facts of a build: the same for equal sources, wherever and whenever they are built."""

import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from fileformat.version import SCHEMA_VERSION
from indexer import meta, segment
from indexer.build import Sources

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
    counts = meta.as_counts(_facts(real_db))
    assert {name: counts[name] for name in COUNTS} == COUNTS
    assert counts["nim.files_repaired"] >= 152
    assert counts["nim.files_seen"] == sum(counts[f"nim.files_{s}"] for s in ("read", "repaired", "rejected"))


def test_counts_are_those_of_the_rows(sample_db: Path) -> None:
    """What ``meta`` says is what the tables hold."""
    counts = meta.as_counts(_facts(sample_db))
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
    """Counts survive being written as facts among others."""
    assert meta.as_counts({**meta.as_meta(COUNTS), "digest": "x"}) == COUNTS


def test_nothing_of_the_place_or_the_time(sample_db: Path, sample: Sources) -> None:
    """No path of this machine, no SQLite or Python version stands in the facts (G3)."""
    facts = _facts(sample_db)
    text = "\n".join(value for key, value in facts.items() if not key.startswith("variants"))
    assert str(sample.trtc) not in text
    assert sqlite3.sqlite_version not in text
    assert not [key for key in facts if any(word in key for word in ("time", "date", "path", "python", "sqlite"))]


def test_standing(sample: Sources) -> None:
    """Schema version, tokenizer with dictionary, and this builder are known before anything is read."""
    facts = meta.standing(sample.trtc, None)
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
    """A source that is a work tree tells its commit; a folder deep inside another project's tree does not."""
    base = tmp_path / "clone" / "knowledge"
    deep = base / "IM" / "x"
    deep.mkdir(parents=True)
    _git(tmp_path / "clone", "init", "-q")
    assert meta.standing(base, None)["trtc.commit"] == ""
    _git(tmp_path / "clone", "commit", "-q", "--allow-empty", "-m", "x")
    commit = _git(tmp_path / "clone", "rev-parse", "HEAD")
    assert meta.standing(base, base.parent) | {"trtc.commit": commit, "nim.commit": commit} == meta.standing(
        base, base.parent
    )
    assert meta.standing(deep, None)["trtc.commit"] == ""


def test_no_git(python: Run, tmp_path: Path) -> None:
    """Where there is no git the commit is unknown, and that is all."""
    (tmp_path / ".git").mkdir()
    code = "import sys; from pathlib import Path; from indexer.meta import standing;"
    code += "print(repr(standing(Path(sys.argv[1]), None)['trtc.commit']))"
    done = python("-c", code, tmp_path, env={"PATH": ""})
    assert (done.stdout, done.stderr) == (b"''\n", b"")

"""The plugin folder: its content, the indexes and folders that are refused, and equal bytes for equal inputs."""

import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from conftest import SAMPLE

from indexer.build import Sources, build
from indexer.errors import BundleRefused
from indexer.package.bundle import bundle
from query.integrity import SCHEMA_VERSION

Run = Callable[..., subprocess.CompletedProcess[bytes]]
CONTENT = [
    ".claude-plugin/plugin.json",
    "SHA256SUMS",
    "licenses/click.txt",
    "licenses/rtckb.txt",
    "rtckb.db",
    "rtckb.pyz",
    "skills/nim-kb-search/SKILL.md",
    "skills/trtc-search/SKILL.md",
]


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory, redacted_db: Path) -> Path:
    """A bundle; read it, never write it."""
    target = tmp_path_factory.mktemp("plugin") / "rtckb"
    bundle(redacted_db, target)
    return target


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def digest(db: Path) -> str:
    """The content hash stored in an index."""
    with closing(sqlite3.connect(db)) as connection:
        return str(connection.execute("SELECT value FROM meta WHERE key = 'digest'").fetchone()[0])


def test_content(plugin: Path, redacted_db: Path) -> None:
    """The folder contains these files and no others, the index as it was built."""
    found = tree(plugin)
    assert sorted(found) == CONTENT
    assert found["rtckb.db"] == redacted_db.read_bytes()
    assert (plugin / "rtckb.pyz").stat().st_mode & 0o111
    assert b"Pallets" in found["licenses/click.txt"]


def test_manifest(plugin: Path, redacted_db: Path) -> None:
    """The manifest's name is in kebab case; its version is a semantic one and ends with the content hash."""
    manifest = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text("utf-8"))
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", manifest["name"])
    assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{12}", manifest["version"])
    assert digest(redacted_db).startswith(manifest["version"].partition("+")[2])
    assert 0 < len(manifest["description"]) <= 200


def test_version_follows_the_digest(tmp_path: Path, redacted_db: Path, sample_db: Path) -> None:
    """Another index gives another version, the same index the same one."""
    versions = [bundle(db, tmp_path / "plugin", True) for db in (redacted_db, sample_db, redacted_db)]
    assert digest(redacted_db) != digest(sample_db)
    assert versions[0] == versions[2] != versions[1]


def test_checksums(plugin: Path) -> None:
    """sha256sum accepts the checksums, which name every other file."""
    lines = (plugin / "SHA256SUMS").read_text("ascii").splitlines()
    sums = {name: value for value, _, name in (line.partition("  ") for line in lines)}
    assert sums == {
        name: hashlib.sha256(data).hexdigest() for name, data in tree(plugin).items() if name != "SHA256SUMS"
    }
    if shutil.which("sha256sum") is None:
        pytest.skip("this machine has no sha256sum")
    done = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=plugin, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_equal_bytes(plugin: Path, redacted_db: Path, python: Run, tmp_path: Path) -> None:
    """Another process, folder, hash seed and locale give the same files, in a new folder and over an earlier bundle."""
    for seed in ("1", "2"):
        argv = ("-m", "rtckb", "bundle", "--db", redacted_db, "-o", tmp_path / "plugin")
        done = python(*argv, cwd=tmp_path, env={"PYTHONHASHSEED": seed, "LC_ALL": "C"})
        assert done.returncode == 0, done.stderr
        assert tree(tmp_path / "plugin") == tree(plugin)


def test_personal_details_stay_in_the_house(tmp_path: Path, sample_db: Path) -> None:
    """An index of NIM cases without --redact is refused unless --allow-personal is given, and nothing is written."""
    with pytest.raises(BundleRefused, match=r"personal details.*--redact, or --allow-personal"):
        bundle(sample_db, tmp_path / "plugin")
    assert list(tmp_path.iterdir()) == []
    bundle(sample_db, tmp_path / "plugin", allow_personal=True)
    assert sorted(tree(tmp_path / "plugin")) == CONTENT


def test_without_nim_cases_there_is_nothing_to_redact(tmp_path: Path) -> None:
    """An index of slices alone contains nothing to redact."""
    build(Sources(SAMPLE / "trtc", None), tmp_path / "trtc.db")
    assert bundle(tmp_path / "trtc.db", tmp_path / "plugin")


def _altered(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE meta SET value = '1' WHERE key = 'redacted'")


def _sql(statement: str) -> Callable[[Path], object]:
    def run(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.executescript(statement)

    return run


def _of_version(number: int) -> str:
    return f"schema version {number}, wanted {SCHEMA_VERSION}; rebuild it with 'rtckb build'"


UNFIT: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: path.unlink(), "no such file"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), "no such file"),
    "empty": (lambda path: path.write_bytes(b""), "is not an rtckb index"),
    "another file": (lambda path: path.write_text("hello", "utf-8"), "is not an rtckb index"),
    "another application's": (_sql("PRAGMA application_id = 1"), "is not an rtckb index"),
    "cut short": (lambda path: path.write_bytes(path.read_bytes()[:-4096]), "does not match its hashes"),
    "marked as redacted": (_altered, "does not match its hashes"),
    "of an older version": (_sql("PRAGMA user_version = 1"), _of_version(1)),
    "of a newer version": (_sql("PRAGMA user_version = 99"), _of_version(99)),
    "of another format": (_sql("PRAGMA user_version = 1; DROP TABLE segmentation; DROP TABLE meta"), _of_version(1)),
    "in WAL mode": (_sql("PRAGMA journal_mode = WAL"), "is in write-ahead mode"),
}


@pytest.mark.parametrize(("spoil", "message"), UNFIT.values(), ids=UNFIT)
def test_an_unfit_index_is_refused(
    spoil: Callable[[Path], object], message: str, tmp_path: Path, sample_db: Path
) -> None:
    """Only an intact index of this version is shipped; the error names its fault, and nothing is written."""
    db = tmp_path / "index.db"
    shutil.copyfile(sample_db, db)
    spoil(db)
    with pytest.raises(BundleRefused, match=rf"index\.db: {re.escape(message)}"):
        bundle(db, tmp_path / "plugin", True)
    assert [path for path in tmp_path.iterdir() if path != db] == []


OTHERS = ["notes.txt", ".git/config", "skills/own/SKILL.md", "SHA256SUMS"]


@pytest.mark.parametrize("name", OTHERS)
def test_a_folder_of_something_else_is_refused(name: str, tmp_path: Path, redacted_db: Path) -> None:
    """A folder with other content than a bundle stays as it is, and the error names that content."""
    (tmp_path / "plugin" / name).parent.mkdir(parents=True)
    (tmp_path / "plugin" / name).write_text("mine", "utf-8")
    with pytest.raises(BundleRefused, match=re.escape(f"contains {name}, which is not part of a bundle")):
        bundle(redacted_db, tmp_path / "plugin")
    assert tree(tmp_path / "plugin") == {name: b"mine"}


def _link_to(path: Path, elsewhere: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(elsewhere)


#: What a user has added to a bundle -> how it is made.
ADDED: dict[str, Callable[[Path, Path], object]] = {
    "commands.md": lambda path, _: path.touch(),
    "commands": lambda path, _: path.mkdir(),
    "skills/own": lambda path, _: path.mkdir(),
    "skills/link": lambda path, elsewhere: path.symlink_to(elsewhere),
    "broken": lambda path, elsewhere: path.symlink_to(elsewhere / "gone"),
    "rtckb.db": lambda path, elsewhere: _link_to(path, elsewhere / "mine.db"),
}


@pytest.mark.parametrize("name", ADDED)
def test_what_a_user_has_added_is_not_lost(name: str, tmp_path: Path, plugin: Path, redacted_db: Path) -> None:
    """A bundle to which a file, a folder or a link was added is not replaced."""
    shutil.copytree(plugin, tmp_path / "plugin")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "mine.db").write_bytes(b"mine")
    ADDED[name](tmp_path / "plugin" / name, tmp_path / "elsewhere")
    with pytest.raises(BundleRefused, match=re.escape(f"contains {name}, which is not part of a bundle")):
        bundle(redacted_db, tmp_path / "plugin")
    assert os.path.lexists(tmp_path / "plugin" / name)
    assert tree(tmp_path / "elsewhere") == {"mine.db": b"mine"}


def test_an_emptied_folder_of_a_bundle_is_filled(tmp_path: Path, plugin: Path, redacted_db: Path) -> None:
    """A folder of the bundle whose file is missing is not an added one."""
    shutil.copytree(plugin, tmp_path / "plugin")
    (tmp_path / "plugin" / "skills" / "trtc-search" / "SKILL.md").unlink()
    bundle(redacted_db, tmp_path / "plugin")
    assert tree(tmp_path / "plugin") == tree(plugin)


def test_a_file_is_refused(tmp_path: Path, redacted_db: Path) -> None:
    """A file at the target is refused."""
    (tmp_path / "plugin").write_text("mine", "utf-8")
    with pytest.raises(BundleRefused, match="is not a folder"):
        bundle(redacted_db, tmp_path / "plugin")


def test_an_empty_folder_a_damaged_bundle_and_a_link(tmp_path: Path, plugin: Path, redacted_db: Path) -> None:
    """An empty folder is filled, a damaged bundle is restored, and a link to one stays a link."""
    target, link = tmp_path / "plugin", tmp_path / "link"
    target.mkdir()
    link.symlink_to(target)
    for _ in range(2):
        bundle(redacted_db, link)
        assert tree(target) == tree(plugin)
        (target / "rtckb.pyz").unlink()
        (target / "rtckb.db").write_bytes(b"")
    assert link.is_symlink()


def test_the_command(tmp_path: Path, python: Run, redacted_db: Path, sample_db: Path) -> None:
    """It prints the folder and the version; a refusal is one line and exit code 1, a missing -o exit code 2."""
    argv = ("-m", "rtckb", "bundle", "--db")
    done = python(*argv, redacted_db, "-o", "plugin", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"")
    assert re.fullmatch(rb"plugin: bundled, version [0-9.]+\+[0-9a-f]{12}\n", done.stderr)
    done = python(*argv, sample_db, "-o", "plugin", cwd=tmp_path)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert python(*argv, sample_db, "-o", "plugin", "--allow-personal", cwd=tmp_path).returncode == 0
    assert python("-m", "rtckb", "bundle", cwd=tmp_path).returncode == 2
    done = python("-m", "rtckb", "bundle", "-o", "plugin", cwd=tmp_path)
    assert (done.returncode, b"build/rtckb.db: no such file" in done.stderr) == (1, True)
    named = {"RTCKB_DB": str(redacted_db)}
    assert python("-m", "rtckb", "bundle", "-o", "plugin", cwd=tmp_path, env=named).returncode == 0

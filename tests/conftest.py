"""What many tests share: the sample and the real bases, each built once per session."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.build import Sources, build

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "indexer" / "data" / "sample"
SHARED = Path(__file__).parents[1].parent / "shared"
REAL = SHARED / "kb"

#: What a build may replace, easily told from a new file: the pointer of one that Git LFS has not fetched.
OLD = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
#: Variables that would change what a build writes or prints, if it listened to them.
_LEFT_OUT = ("PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE", "LC_ALL", "LANG", "PYTHONHASHSEED")


@pytest.fixture(scope="session")
def sample() -> Sources:
    """The two knowledge bases that ship inside."""
    return Sources(SAMPLE / "trtc", SAMPLE / "nim")


@pytest.fixture(scope="session")
def sample_db(tmp_path_factory: pytest.TempPathFactory, sample: Sources) -> Path:
    """The index of the sample; read it, never write it."""
    target = tmp_path_factory.mktemp("sample") / "sample.db"
    build(sample, target)
    return target


@pytest.fixture(scope="session")
def redacted_db(tmp_path_factory: pytest.TempPathFactory, sample: Sources) -> Path:
    """The index of the sample, fit to leave the house; read it, never write it."""
    target = tmp_path_factory.mktemp("redacted") / "redacted.db"
    build(replace(sample, redact=True), target)
    return target


@pytest.fixture(scope="session")
def real() -> Sources:
    """The two real knowledge bases, where they are at hand."""
    if not REAL.is_dir():
        pytest.skip("the real knowledge bases are not beside this checkout (../shared/kb)")
    return Sources(REAL / "trtc", REAL / "nim")


@pytest.fixture(scope="session")
def real_db(tmp_path_factory: pytest.TempPathFactory, real: Sources) -> Path:
    """The index of the real bases; read it, never write it."""
    target = tmp_path_factory.mktemp("real") / "real.db"
    build(real, target, jobs=2)
    return target


@pytest.fixture(scope="session")
def real_split() -> Path:
    """The real TRTC base in its later public layout, where it is at hand."""
    if not (REAL / "trtc-split").is_dir():
        pytest.skip("the real knowledge base is not beside this checkout (../shared/kb/trtc-split)")
    return REAL / "trtc-split"


@pytest.fixture(scope="session")
def split_db(tmp_path_factory: pytest.TempPathFactory, real_split: Path) -> Path:
    """The index of the real base in the later layout; read it, never write it."""
    target = tmp_path_factory.mktemp("split") / "split.db"
    build(Sources(real_split, None), target)
    return target


@pytest.fixture
def tree(tmp_path: Path) -> Sources:
    """A copy of the sample that a test may change."""
    shutil.copytree(SAMPLE / "trtc", tmp_path / "tree" / "trtc")
    shutil.copytree(SAMPLE / "nim", tmp_path / "tree" / "nim")
    return Sources(tmp_path / "tree" / "trtc", tmp_path / "tree" / "nim")


@pytest.fixture(scope="session")
def sha256() -> Callable[[Path], str]:
    """A file -> the SHA-256 of its bytes."""
    return lambda path: hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def python() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run this interpreter with arguments, this checkout on its path, in any folder and environment."""

    def run(
        *argv: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        line = [sys.executable, *map(str, argv)]
        return subprocess.run(
            line, cwd=cwd, env=environment(env), stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
        )

    return run


def environment(more: dict[str, str] | None = None) -> dict[str, str]:
    """This process's environment without what would sway a build, with this checkout on the path, and ``more``."""
    kept = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    return kept | {"PYTHONPATH": str(ROOT)} | (more or {})


def let_others_reach(folder: Path) -> None:
    """Open a test's folder, and those above it that are ours, to another user."""
    for place in (folder, *folder.parents):
        if place.stat().st_uid == os.geteuid() and not place.stat().st_mode & 0o001:
            place.chmod(0o755)

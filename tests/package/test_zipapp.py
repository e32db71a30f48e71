"""The archive: it answers like the command line, with nothing but Python 3.11 or newer."""

import ast
import json
import marshal
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, environment
from query_support import document

from indexer.package.zipapp import PACKED, write_pyz
from rtckb import MODULES

Run = Callable[..., subprocess.CompletedProcess[bytes]]
#: Options of an interpreter that ignores the environment and installed packages.
PLAIN = ("-I", "-S")
MAIN = ROOT / "indexer" / "package" / "plugin" / "__main__.py"
WRITING = [name for name, module in MODULES.items() if module.startswith("indexer.")]
QUESTIONS = [
    ["trtc", "弹幕发不出去 -4210", "--explain", "--content"],
    ["nim", "登录成功几秒后被踢回登录页", "--product", "IM-SDK"],
    ["show", "live/gift-combo"],
    ["info"],
]


@pytest.fixture(scope="module")
def pyz(tmp_path_factory: pytest.TempPathFactory, sample_db: Path) -> Path:
    """The archive, with the sample's index beside it."""
    folder = tmp_path_factory.mktemp("archive")
    shutil.copyfile(sample_db, folder / "rtckb.db")
    write_pyz(folder / "rtckb.pyz", "0.1.0+0123456789ab")
    return folder / "rtckb.pyz"


def as_if(pyz: Path, change: str, *argv: str) -> list[str]:
    """Arguments of an interpreter that runs the archive after ``change``, a statement about ``sys``."""
    code = (
        f"import runpy, sys; {change}; sys.argv = {[str(pyz), *argv]!r}; runpy.run_path(sys.argv[0], None, '__main__')"
    )
    return [*PLAIN, "-c", code]


@pytest.mark.parametrize("argv", QUESTIONS, ids=" ".join)
def test_a_plain_interpreter_answers(argv: list[str], pyz: Path, python: Run, sample_db: Path) -> None:
    """Without site-packages and environment, it answers like the command line, from the index beside the archive."""
    done = python(*PLAIN, pyz, *argv)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == document(sample_db, *argv)


def test_a_python_of_another_version_answers_from_source(pyz: Path, python: Run, sample_db: Path) -> None:
    """If the archive has no compiled code for the interpreter, its sources are compiled."""
    done = python(*as_if(pyz, "sys.implementation.cache_tag = 'other'", *QUESTIONS[0]))
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == document(sample_db, *QUESTIONS[0])


@pytest.mark.parametrize("name", ["python3.12", "python3.13", "python3.14"])
def test_a_newer_python_answers(name: str, pyz: Path, sample_db: Path) -> None:
    """The same with a real interpreter, if the machine has one."""
    done = subprocess.run([_runnable(name), *PLAIN, pyz, *QUESTIONS[0]], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == document(sample_db, *QUESTIONS[0])


@pytest.mark.parametrize("name", ["python2", "python3.8", "python3.9", "python3.10"])
def test_an_old_python_gets_a_message(name: str, pyz: Path) -> None:
    """One line names the version found and the one wanted, if the machine has such an interpreter."""
    done = subprocess.run([_runnable(name), pyz, "info"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.endswith(b"; wanted Python 3.11 or newer\n")
    assert done.stderr.count(b"\n") == 1


def _runnable(name: str) -> str:
    found = shutil.which(name)
    if found is None or subprocess.run([found, "-c", "pass"], capture_output=True, check=False).returncode:
        pytest.skip(f"this machine has no {name} that runs")
    return found


def test_an_old_version_gets_a_message(pyz: Path, python: Run) -> None:
    """The same on every machine: this interpreter with an old version number."""
    done = python(*as_if(pyz, "sys.version_info = (3, 8, 18, 'final', 0)", "info"))
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"rtckb: found Python 3.8; wanted Python 3.11 or newer\n"


def test_an_old_python_can_compile_the_first_file() -> None:
    """__main__.py has no syntax that is newer than Python 3.3, no annotation and no f-string."""
    tree = ast.parse(MAIN.read_text("ascii"), feature_version=(3, 3))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.arg) and node.annotation]


def test_what_is_packed(pyz: Path) -> None:
    """rtckb.py, the query half and click are stored twice, as code and as source, and nothing else."""
    with zipfile.ZipFile(pyz) as archive:
        source = marshal.loads(archive.read("modules.source"))  # noqa: S302  # our own
        compiled = marshal.loads(archive.read(f"modules.{sys.implementation.cache_tag}"))  # noqa: S302  # our own
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert source.keys() == compiled.keys()
    assert {name.partition(".")[0] for name in source} == set(PACKED)
    assert {module for module in MODULES.values() if module.startswith("query.")} <= source.keys()


def test_installed_modules_are_not_imported(pyz: Path, tmp_path: Path, sample_db: Path) -> None:
    """A module named click, query or rtckb on the path is not imported."""
    for name in PACKED:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong one')\n", "utf-8")
    environ = environment({"PYTHONPATH": str(tmp_path)})
    argv = [sys.executable, pyz, *QUESTIONS[0]]
    done = subprocess.run(argv, cwd=tmp_path, env=environ, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == document(sample_db, *QUESTIONS[0])


def test_the_index_beside_it_from_anywhere(pyz: Path, python: Run, tmp_path: Path) -> None:
    """The index beside the archive is found through a relative path and through a link."""
    (tmp_path / "link").symlink_to(pyz)
    for path in (Path(os.path.relpath(pyz, tmp_path)), tmp_path / "link"):
        assert python(*PLAIN, path, "verify", cwd=tmp_path).returncode == 0


def test_another_index(pyz: Path, python: Run, tmp_path: Path) -> None:
    """RTCKB_DB takes precedence over the index beside the archive, and --db over RTCKB_DB."""
    missing = {"RTCKB_DB": str(tmp_path / "missing.db")}
    assert python(pyz, "info", env=missing).returncode == 3
    assert python(pyz, "info", "--db", pyz.with_name("rtckb.db"), env=missing).returncode == 0


def test_the_commands_of_the_indexer_are_missing(pyz: Path, python: Run) -> None:
    """``--help`` lists the commands that answer; another one is a usage error, even if rtckb is installed."""
    listed = python(*PLAIN, pyz, "--help").stdout.decode().partition("Commands:")[2].splitlines()
    here = [name for name in MODULES if name not in WRITING]
    assert [line.split()[0] for line in listed if line.startswith("  ") and line[2] != " "] == here
    done = python(pyz, "build")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "Error: build: found the archive of a plugin" in done.stderr.decode()


def test_no_sync(pyz: Path, python: Run) -> None:
    """--sync is refused with the command that works instead."""
    done = python(*PLAIN, pyz, "nim", "x", "--sync")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"run 'rtckb sync' where the index is built" in done.stderr


def test_version(pyz: Path, python: Run) -> None:
    """``--version`` prints the version of the bundle, which ends with the content hash of the index."""
    assert python(*PLAIN, pyz, "--version").stdout == b"rtckb.pyz 0.1.0+0123456789ab\n"


def test_equal_bytes(pyz: Path, python: Run, tmp_path: Path) -> None:
    """Another folder, hash seed and optimization level give the same archive."""
    code = "import sys; from pathlib import Path; from indexer.package.zipapp import write_pyz;"
    code += "write_pyz(Path(sys.argv[1]), '0.1.0+0123456789ab')"
    for seed, level in (("1", "-O"), ("2", "-OO")):
        target = tmp_path / seed
        done = python(level, "-c", code, target, cwd=tmp_path, env={"PYTHONHASHSEED": seed})
        assert (done.returncode, done.stderr) == (0, b"")
        assert target.read_bytes() == pyz.read_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_the_archive_is_deleted_while_it_runs(pyz: Path, tmp_path: Path, sample_db: Path) -> None:
    """A process that waits for its query answers it after its archive was deleted."""
    folder, question = tmp_path / "bundle", tmp_path / "question"
    folder.mkdir()
    shutil.copyfile(pyz, folder / "rtckb.pyz")
    os.mkfifo(question)
    argv = ["trtc", "--query-file", str(question), "--explain", "--content", "--format", "yaml", "--db", str(sample_db)]
    with subprocess.Popen(
        [sys.executable, *PLAIN, folder / "rtckb.pyz", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        with question.open("wb") as pipe:  # opens when the process has opened its end
            shutil.rmtree(folder)
            pipe.write("弹幕".encode())
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert out.startswith(b"response:\n")

"""The writing commands from outside: options, exit codes, stdout and stderr."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import environment

from indexer.build import Sources, build, check_sources
from indexer.cli import COMMANDS
from query.integrity import SCHEMA_VERSION
from rtckb import main

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def _rtckb(*argv: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in argv], catch_exceptions=False)


def test_build(tmp_path: Path) -> None:
    """A build prints its summary on stderr and nothing on stdout; a second one reports an up-to-date file."""
    first, second = (_rtckb("build", "-o", tmp_path / "a" / "x.db") for _ in range(2))
    assert (first.exit_code, first.stdout, second.exit_code, second.stdout) == (0, "", 0, "")
    lines = first.stderr.split("\n")
    assert lines[0].startswith(f"{tmp_path / 'a' / 'x.db'}: built, digest ")
    assert lines[1:4] == [
        "  TRTC: 12 slices (2 planned), 3 scenarios",
        "  NIM: 34 units (21 cases, 13 entries) from 27 files (10 repaired, 0 rejected)",
        "  findings: 6 note, 10 repaired; rtckb check lists them",
    ]
    assert second.stderr == first.stderr.replace(": built,", ": up to date,")


def _bad_trtc(folder: Path, index: str = "- a list\n") -> Path:
    folder.mkdir()
    (folder / "index.yaml").write_text(index, "utf-8")
    return folder


def _pages(folder: Path) -> Path:
    """Two pages of which none is a case, one of them empty."""
    (folder / "IM").mkdir(parents=True)
    (folder / "IM" / "README.md").write_text("# 说明\n", "utf-8")
    (folder / "IM" / "empty.md").touch()
    return folder


def _index_of_others(folder: Path, version: int) -> Path:
    """An index of other sources than the sample, marked with a version."""
    index = "products: [{id: live, name: Live}]\nslices: [{id: live/a, product: live, name: A, file: a.md}]\n"
    build(Sources(_bad_trtc(folder / "b", index), None), folder / "others")
    with closing(sqlite3.connect(folder / "others")) as db:
        db.executescript(f"PRAGMA user_version = {version}; DROP TABLE segmentation;")
    return folder / "others"


OTHERS = "{p}/others: is an index of other sources than the sample; "
OTHERS += "wanted its sources with --trtc and --nim, or another file with -o"
FAILURES: dict[str, tuple[Callable[[Path], list[str | Path]], str]] = {
    "no TRTC base": (
        lambda p: ["--trtc", p / "gone", "-o", p / "x.db"],
        "--trtc {p}/gone: found no such folder; "
        "wanted a folder with index.yaml or products.yaml, its own or in its knowledge-base/",
    ),
    "no NIM base": (
        lambda p: ["--nim", p / "gone", "-o", p / "x.db"],
        "--nim {p}/gone: there is no such folder; wanted product folders with .md files in them",
    ),
    "an index that is no mapping": (
        lambda p: ["--trtc", _bad_trtc(p / "b"), "-o", p / "x.db"],
        "{p}/b/index.yaml: found a list; wanted a mapping with products, slices and scenarios",
    ),
    "a TRTC index that names nothing": (
        lambda p: ["--trtc", _bad_trtc(p / "b", "products: []\n"), "-o", p / "x.db"],
        "--trtc {p}/b: its index names nothing; wanted products, slices or scenarios",
    ),
    "pages without a case": (
        lambda p: ["--nim", _pages(p / "b"), "-o", p / "x.db"],
        "--nim {p}/b: read 2 pages, and none is a case (empty 1, no-case 1); wanted cases or entries",
    ),
    "an index of other sources, of this version": (
        lambda p: ["-o", _index_of_others(p, SCHEMA_VERSION)],
        OTHERS,
    ),
    "an index of other sources, of an older version": (
        lambda p: ["-o", _index_of_others(p, 1)],
        OTHERS,
    ),
    "a folder in the file's place": (lambda p: ["-o", p], "{p}: is a folder; wanted the path of a file"),
}


@pytest.mark.parametrize(("argv", "message"), FAILURES.values(), ids=FAILURES)
def test_failure(argv: Callable[[Path], list[str | Path]], message: str, tmp_path: Path) -> None:
    """A failed build prints its reason in one line on stderr, exits 1 and makes no file."""
    result = _rtckb("build", *argv(tmp_path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"rtckb: {message.format(p=tmp_path)}\n"
    assert not list(tmp_path.glob("*.db"))


def test_strict(tmp_path: Path) -> None:
    """``--strict`` exits 1, names the first finding with its file, and publishes nothing."""
    result = _rtckb("build", "--strict", "-o", tmp_path / "x.db")
    assert result.exit_code == 1
    assert result.stderr.startswith("rtckb: --strict: 10 findings, the first knowledge/")
    assert list(tmp_path.iterdir()) == []


USAGE = {
    "no such option": ["build", "--outptu", "x"],
    "no job at all": ["build", "--jobs", "0"],
    "more jobs than memory allows": ["build", "--jobs", "65"],
    "jobs that are no number": ["build", "--jobs", "two"],
    "an argument": ["build", "x"],
    "no such format": ["check", "--format", "xml"],
    "no such command": ["biuld"],
}


@pytest.mark.parametrize("argv", USAGE.values(), ids=USAGE)
def test_usage(argv: list[str]) -> None:
    """A mistyped call exits 2 and does nothing."""
    result = _rtckb(*argv)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: " in result.stderr


def test_check_as_text(sample: Sources) -> None:
    """There is one line per finding, then their number. The sample has no error, so the exit code is 0."""
    result = _rtckb("check")
    findings = check_sources(sample)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines == [f"{f.path}:{f.line}: {f.severity}: {f.kind}: {f.detail}" for f in findings] + ["16 findings"]


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """A base with one error, one repair and one note, in files with odd names."""
    folder = tmp_path / "nim" / "knowledge" / "IM" / "登录"
    folder.mkdir(parents=True)
    (folder / "📚a,b:c%.md").write_text("---\ntrack_type: 排查类\ntitle: a: b\n---\n\n## 解决方案\n\nx\n", "utf-8")
    (folder / "empty.md").touch()
    (folder / "note.md").write_text("# 说明\n", "utf-8")
    return tmp_path / "nim"


def test_check_for_github(odd: Path) -> None:
    """Findings are workflow commands with the path as the caller can open it; separators are escaped."""
    result = _rtckb("check", "--nim", odd, "--format", "github")
    assert result.exit_code == 1
    commands = [line.rpartition("::")[0] for line in result.stdout.splitlines()]
    assert commands == [
        f"::error file={odd}/knowledge/IM/登录/empty.md,line=1,title=empty",
        f"::notice file={odd}/knowledge/IM/登录/note.md,line=1,title=no-case",
        f"::warning file={odd}/knowledge/IM/登录/📚a%2Cb%3Ac%25.md,line=3,title=yaml-refused",
    ]


def _annotation(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as GitHub's runner reads it: level, properties, message (ActionCommand.TryParseV2)."""
    assert line.startswith("::")
    head, message = line[2:].split("::", 1)
    level, _, properties = head.partition(" ")
    read = dict(pair.split("=", 1) for pair in properties.split(","))
    plain = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}  # %25 last, as the runner does
    for code, character in plain.items():
        read = {name: value.replace(code, character) for name, value in read.items()}
        message = message.replace(code, character) if character not in ":," else message
    return level, read, message


def test_every_option_is_explained() -> None:
    """Every writing command has a description, and every option a help text."""
    for name, command in COMMANDS.items():
        assert command.help, name
        assert [option.name for option in command.params if not getattr(option, "help", None)] == [], name


LEVELS = {"error": "error", "repaired": "warning", "note": "notice"}
CASE = "---\ntrack_type: 排查类\ntitle: 登录失败\nroot_cause: 票据过期\nsolution: 换票\n---\n"
NAMES = ["a::b.md", "a,line=9.md", "a%3A%0A%25.md", "a\nb.md", "a\r\n::error::x.md", "a=b c.md", "::.md", "a\u2028b.md"]


@pytest.mark.parametrize("name", NAMES)
def test_github_annotations(name: str, tmp_path: Path) -> None:
    """With any file name, GitHub's runner reads one annotation per finding, with the finding's file."""
    folder = tmp_path / "knowledge" / "IM" / "登录"
    folder.mkdir(parents=True)
    (folder / f"1{name}").write_text(CASE, "utf-8")
    (folder / f"2{name}").write_text(CASE, "utf-8")  # a copy, whose message names the first
    (folder / name).touch()
    found = json.loads(_rtckb("check", "--nim", tmp_path, "--format", "json").stdout)
    shown = _rtckb("check", "--nim", tmp_path, "--format", "github").stdout
    assert [_annotation(line) for line in re.split(r"\r\n|\r|\n", shown.removesuffix("\n"))] == [
        (LEVELS[f["severity"]], {"file": f"{tmp_path}/{f['path']}", "line": "1", "title": f["kind"]}, f["detail"])
        for f in found
    ]
    assert {f["kind"] for f in found} == {"copy", "empty"}
    assert any(f["detail"].endswith(f"knowledge/IM/登录/1{name}") for f in found)


def test_check_exits_with_errors(odd: Path) -> None:
    """An error makes ``check`` exit 1, repairs and notes alone do not."""
    assert _rtckb("check", "--nim", odd).exit_code == 1
    (odd / "knowledge/IM/登录/empty.md").unlink()
    assert _rtckb("check", "--nim", odd).exit_code == 0


def test_check_of_one_base(sample: Sources) -> None:
    """If one base is given, only this one is checked."""
    assert sample.trtc is not None
    found = json.loads(_rtckb("check", "--trtc", sample.trtc, "--format", "json").stdout)
    assert {item["base"] for item in found} == {"trtc"}


LOCALES = {"GBK": {"PYTHONIOENCODING": "gbk"}, "LC_ALL=C": {"LC_ALL": "C"}}


@pytest.mark.parametrize("env", LOCALES.values(), ids=LOCALES)
def test_utf8_in_any_locale(env: dict[str, str], odd: Path, python: Run) -> None:
    """Output is UTF-8 in any locale."""
    done = python("-m", "rtckb", "check", "--nim", odd, env=env)
    assert (done.returncode, done.stderr) == (1, b"")
    assert "knowledge/IM/登录/📚a,b:c%.md:3: repaired: yaml-refused" in done.stdout.decode()


@pytest.mark.skipif(os.name == "nt", reason="file names are always UTF-8 there")
def test_file_names_in_another_encoding(odd: Path, python: Run, tmp_path: Path) -> None:
    """If Python reads file names as ASCII, a build is refused."""
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = python("-m", "rtckb", "build", "--nim", odd, "-o", tmp_path / "x.db", env=env)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"rtckb: file names are read as ascii here; wanted UTF-8: set PYTHONUTF8=1\n"
    assert not (tmp_path / "x.db").exists()


def test_standard_input_is_not_read() -> None:
    """A command does not wait for a pipe that never sends."""
    reading, writing = os.pipe()
    try:
        result = subprocess.run(
            [sys.executable, "-m", "rtckb", "check"],
            stdin=reading,
            capture_output=True,
            timeout=60,
            check=False,
            env=environment(),
        )
    finally:
        os.close(writing)
        os.close(reading)
    assert result.returncode == 0


WITHOUT_STDOUT = {
    "closed": (">&-", b"rtckb: standard output: is closed; wanted an open one\n"),
    "full": (">/dev/full", b"rtckb: [Errno 28] No space left on device\n"),
}


@pytest.mark.parametrize(("script", "message"), WITHOUT_STDOUT.values(), ids=WITHOUT_STDOUT)
@pytest.mark.parametrize("command", ["check", "demo"])
def test_unwritable_stdout(command: str, script: str, message: bytes) -> None:
    """Output that cannot be written is a failure: one line on stderr, exit code 1."""
    if script == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("no device that is always full")
    line = ["/bin/bash", "-c", f'"$@" {script}', "bash", sys.executable, "-m", "rtckb", command]
    done = subprocess.run(line, capture_output=True, timeout=60, check=False, env=environment())
    assert (done.returncode, done.stderr) == (1, message)

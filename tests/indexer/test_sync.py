"""Updating the case base with real git: success, failure, and the answer from the existing index after a failure."""

import http.server
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import SAMPLE
from query_support import ask, document

from indexer.build import Sources, build
from indexer.errors import SyncFailed
from indexer.sync import Plan, synchronize, update, update_and_rebuild

#: The last line of an answer after a failed synchronization, as the specification words it.
WARNING = "⚠️ 知识库同步失败，结果基于本地缓存。"
QUERY = ("nim", "苹果 角标数字清不掉", "--format", "text", "--sync")
PAGE = "knowledge/IM-SDK/推送/iOS/排查-角标数字清不掉.md"
NEW = """---
track_type: 咨询类
product: 短信
title: 海外短信能否群发
solution: 支持
---
"""

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="no git on the PATH"),
    pytest.mark.skipif(os.name == "nt", reason="process groups and shell scripts"),
]


def git(folder: Path, *arguments: str) -> str:
    """Run git with an invented author and without the settings of the machine; its output."""
    author = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(["git", *author, *arguments], cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@dataclass(frozen=True)
class Case:
    """A repository, the path of its clone, and an index of the sample's NIM base as it was at first."""

    origin: Path
    clone: Path
    index: Path

    def plan(self, **other: object) -> Plan:
        """The plan for this clone."""
        fields = {"folder": self.clone, "repository": str(self.origin), "trtc": None, "time_limit": 20} | other
        return Plan(**fields)  # type: ignore[arg-type]  # a test's values

    def cloned(self) -> "Case":
        """Make the clone."""
        git(self.origin, "clone", "-q", str(self.origin), str(self.clone))
        return self

    def commit(self, name: str, text: str, clone: Path | None = None) -> None:
        """Commit a new or changed file, in the repository or in the clone."""
        folder = clone or self.origin
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", name)

    def environment(self, **more: str) -> dict[str, str]:
        """The environment variables of ``nim --sync``."""
        return {"RTCKB_NIM": str(self.clone), "RTCKB_NIM_REPO": str(self.origin), "RTCKB_SYNC_SECONDS": "20", **more}


@pytest.fixture(scope="session")
def first_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of the sample's NIM base alone; copy it, never write it."""
    target = tmp_path_factory.mktemp("nim") / "nim.db"
    build(Sources(None, SAMPLE / "nim"), target)
    return target


@pytest.fixture
def case(tmp_path: Path, first_index: Path) -> Case:
    """A repository with the sample's NIM base, the index, and no clone yet."""
    origin = tmp_path / "origin"
    shutil.copytree(SAMPLE / "nim", origin)
    git(origin, "init", "-q", "-b", "master")
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "-m", "first")
    shutil.copy(first_index, tmp_path / "x.db")
    return Case(origin, tmp_path / "home" / "rags" / "knowledge", tmp_path / "x.db")


def _units(index: Path) -> int:
    found: int = document(index, "info")["sources"]["nim"]["units"]
    return found


def _absent(case: Case) -> None:
    case.commit("knowledge/短信/群发/n.md", NEW)


def _empty_folder(case: Case) -> None:
    _absent(case)
    case.clone.mkdir(parents=True)


def _up_to_date(case: Case) -> None:
    _absent(case)
    case.cloned()


def _behind(case: Case) -> None:
    case.cloned()
    _absent(case)


def _dirty_elsewhere(case: Case) -> None:
    _behind(case)
    (case.clone / "knowledge" / "README.md").write_text("noted by hand\n", "utf-8")


SUCCEEDS: dict[str, Callable[[Case], None]] = {
    "absent": _absent,
    "an empty folder": _empty_folder,
    "up to date": _up_to_date,
    "behind": _behind,
    "behind, with a local change elsewhere": _dirty_elsewhere,
}


@pytest.mark.parametrize("prepare", SUCCEEDS.values(), ids=SUCCEEDS)
def test_success(prepare: Callable[[Case], None], case: Case) -> None:
    """The clone has the repository's commit, the index is rebuilt, and the answer has no warning."""
    prepare(case)
    before = _units(case.index)
    done = ask(case.index, *QUERY, env=case.environment())
    assert (done.returncode, done.stderr) == (0, b"")
    assert WARNING not in done.stdout.decode()
    assert done.stdout.decode().startswith("[nim-kb-search] ")
    assert _units(case.index) == before + 1
    assert git(case.clone, "rev-parse", "HEAD") == git(case.origin, "rev-parse", "HEAD")
    assert [path.name for path in case.clone.parent.iterdir()] == [case.clone.name]


def test_nothing_to_do(case: Case) -> None:
    """A second synchronization leaves the index as it is."""
    update_and_rebuild(case.plan(), case.index)
    before = case.index.read_bytes()
    assert update_and_rebuild(case.plan(), case.index) == "Already up to date."
    assert case.index.read_bytes() == before


def _diverged(case: Case) -> dict[str, str]:
    case.cloned()
    case.commit("knowledge/短信/群发/n.md", NEW)
    case.commit("knowledge/短信/群发/own.md", NEW, case.clone)
    return {}


def _dirty(case: Case) -> dict[str, str]:
    case.cloned()
    case.commit(PAGE, NEW)
    (case.clone / PAGE).write_text("changed by hand\n", "utf-8")
    return {}


def _in_the_way(case: Case) -> dict[str, str]:
    case.cloned()
    case.commit("knowledge/短信/群发/n.md", NEW)
    (case.clone / "knowledge/短信/群发").mkdir(parents=True)
    (case.clone / "knowledge/短信/群发/n.md").write_text("written by hand\n", "utf-8")
    return {}


def _refused() -> str:
    """An address on this machine without a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/rags.git"


def _unreachable(_: Case) -> dict[str, str]:
    return {"RTCKB_NIM_REPO": _refused()}


def _unreachable_pull(case: Case) -> dict[str, str]:
    case.cloned()
    git(case.clone, "remote", "set-url", "origin", _refused())
    return {}


def _no_such_repository(case: Case) -> dict[str, str]:
    return {"RTCKB_NIM_REPO": str(case.origin / "gone")}


def _no_git(case: Case) -> dict[str, str]:
    empty = case.index.parent / "bin"
    empty.mkdir()
    return {"PATH": str(empty)}


def _no_clone(case: Case) -> dict[str, str]:
    shutil.copytree(SAMPLE / "nim", case.clone)
    return {}


def _a_file(case: Case) -> dict[str, str]:
    case.clone.parent.mkdir(parents=True)
    case.clone.write_text("x", "utf-8")
    return {}


def _a_file_above(case: Case) -> dict[str, str]:
    case.clone.parent.parent.mkdir()
    case.clone.parent.write_text("x", "utf-8")
    return {}


def _nothing_in_it(case: Case) -> dict[str, str]:
    case.cloned()
    git(case.origin, "rm", "-rq", "knowledge")
    case.commit("other.txt", "x")
    return {}


def _option_as_repository(_: Case) -> dict[str, str]:
    return {"RTCKB_NIM_REPO": "--mirror"}


def _unreadable_path(case: Case) -> dict[str, str]:
    case.cloned()
    return {"RTCKB_TRTC": "x" * 300}


FAILS: dict[str, tuple[Callable[[Case], dict[str, str]], str]] = {
    "diverged": (_diverged, "git pull: fatal: Not possible to fast-forward, aborting."),
    "dirty where it overlaps": (_dirty, "git pull: error: Your local changes to the following files would be"),
    "a file in the way": (_in_the_way, "git pull: error: The following untracked working tree files would be"),
    "unreachable, to clone": (_unreachable, "git clone: fatal: unable to access 'http://127.0.0.1:"),
    "unreachable, to pull": (_unreachable_pull, "git pull: fatal: unable to access 'http://127.0.0.1:"),
    "no such repository": (_no_such_repository, "git clone: fatal: repository '"),
    "no git": (_no_git, "git: cannot be started (No such file or directory)"),
    "a folder that is no clone": (_no_clone, "/knowledge: is not a git clone; wanted a clone of "),
    "a file in the folder's place": (_a_file, "/knowledge: is not a git clone; wanted a clone of "),
    "a file above it": (_a_file_above, "/knowledge: "),
    "a base that is gone": (_nothing_in_it, "--nim "),
    "an option as repository": (_option_as_repository, "git clone: fatal: repository '--mirror' does not exist"),
    "a path that is too long": (_unreadable_path, "xxxxx"),
}


@pytest.mark.parametrize(("prepare", "reason"), FAILS.values(), ids=FAILS)
def test_failure(prepare: Callable[[Case], dict[str, str]], reason: str, case: Case) -> None:
    """The answer comes from the existing index, with the warning as last line; the reason is one line on stderr."""
    plain = ask(case.index, *QUERY[:-1]).stdout.decode()
    before = case.index.read_bytes()
    more = prepare(case)
    done = ask(case.index, *QUERY, env=case.environment(**more))
    assert done.returncode == 0
    assert done.stdout.decode() == f"{plain}{WARNING}\n"
    stderr = done.stderr.decode()
    assert stderr.startswith("rtckb: sync: ")
    assert reason in stderr
    assert stderr.count("\n") == 1
    assert case.index.read_bytes() == before


def _sync(index: Path, *argv: str | Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    line = [sys.executable, "-m", "rtckb", "sync", "-o", str(index), *map(str, argv)]
    environment = {**os.environ, **env}
    return subprocess.run(line, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)


def test_the_command(case: Case) -> None:
    """``rtckb sync`` prints git's last line on stderr; a failure is one line there, with exit code 1."""
    case.commit("knowledge/短信/群发/n.md", NEW)
    done = _sync(case.index, "--dir", case.clone, "--repo", case.origin)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.decode() == f"{case.clone}: cloned\n"
    git(case.clone, "remote", "set-url", "origin", str(case.origin / "gone"))
    before = case.index.read_bytes()
    done = _sync(case.index, "--dir", case.clone)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().startswith("rtckb: git pull: fatal: ")
    assert case.index.read_bytes() == before


def test_warning_in_json(case: Case) -> None:
    """In JSON the warning is the last note, and stdout is one document."""
    done = ask(case.index, "nim", "角标", "--sync", "--format", "json", env=case.environment(**_unreachable(case)))
    plain = document(case.index, "nim", "角标", "--format", "json")["response"]
    response = json.loads(done.stdout)["response"]
    assert response == plain | {"notes": [*plain["notes"], WARNING]}


def test_nothing_without_being_asked(case: Case) -> None:
    """A search without ``--sync`` uses no repository."""
    done = ask(case.index, *QUERY[:-1], env=case.environment())
    assert done.returncode == 0
    assert not case.clone.exists()


class _Refuses(http.server.BaseHTTPRequestHandler):
    """Asks for a name and a password."""

    def do_GET(self) -> None:  # the library's name
        """Answer 401."""
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="rags"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing on stderr."""


@pytest.fixture
def login() -> Iterator[str]:
    """The address of a repository that asks for a password."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Refuses) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://somebody:secret@127.0.0.1:{server.server_port}/rags.git"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("with_password", [False, True], ids=["no password", "a wrong password"])
def test_password_wanted(with_password: bool, login: str, case: Case) -> None:
    """A repository that asks for a password fails at once, and the message does not contain a password."""
    address = login if with_password else login.replace("somebody:secret@", "")
    with pytest.raises(SyncFailed, match=r"git clone: fatal: .*(?:Authentication failed|could not read)") as caught:
        update(case.plan(repository=address))
    assert "secret" not in str(caught.value)
    assert list(case.clone.parent.iterdir()) == []


def test_no_password_in_messages(case: Case) -> None:
    """The message about a folder does not contain the password of the address."""
    _no_clone(case)
    with pytest.raises(SyncFailed, match=r"wanted a clone of https://example\.com/rags\.git$") as caught:
        update(case.plan(repository="https://somebody:secret@example.com/rags.git"))
    assert "secret" not in str(caught.value)


#: A program that starts a child and waits, one that ignores SIGTERM, and how git is made to start them.
SLEEPS = "#!/bin/sh\necho $$ >> {pids}\nsleep 600 &\necho $! >> {pids}\nwait\n"
STUBBORN = "#!/bin/sh\ntrap '' TERM\necho $$ >> {pids}\nwhile :; do sleep 1; done\n"
HANGS = {
    "clone, ssh": ("clone", SLEEPS, "GIT_SSH_COMMAND", "ssh://git@127.0.0.1/rags.git"),
    "clone, ssh that ignores the signal": ("clone", STUBBORN, "GIT_SSH_COMMAND", "ssh://git@127.0.0.1/rags.git"),
    "pull, ssh": ("pull", SLEEPS, "GIT_SSH_COMMAND", "ssh://git@127.0.0.1/rags.git"),
    "pull, a remote helper": ("pull", SLEEPS, "PATH", "sleepy::rags"),
}


def _hanging(folder: Path, script: str, variable: str) -> dict[str, str]:
    """The environment in which git starts a program that never answers, as ssh or as the helper of ``sleepy::``."""
    program = folder / "bin" / "git-remote-sleepy"
    program.parent.mkdir()
    program.write_text(script.format(pids=folder / "pids"), "utf-8")
    program.chmod(0o755)
    value = str(program) if variable != "PATH" else f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    return {variable: value}


def _alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        os.kill(pid, 0)
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text("utf-8")
    except ProcessLookupError:
        return False
    except OSError:
        return Path("/proc").is_dir() is False


def _all_end(pids: Path) -> bool:
    started = [int(line) for line in pids.read_text("utf-8").split()]
    assert started, "the command was started"
    for _ in range(100):
        if not any(map(_alive, started)):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize(("command", "script", "variable", "address"), HANGS.values(), ids=HANGS)
def test_time_limit(command: str, script: str, variable: str, address: str, case: Case, tmp_path: Path) -> None:
    """A git that gets no answer is ended with its children after the time limit; the answer is from the index."""
    if command == "pull":
        case.cloned()
        git(case.clone, "remote", "set-url", "origin", address)
    before = case.index.read_bytes()
    env = _hanging(tmp_path, script, variable)
    done = ask(case.index, *QUERY, env=case.environment(RTCKB_NIM_REPO=address, RTCKB_SYNC_SECONDS="1", **env))
    assert done.returncode == 0
    assert done.stdout.decode().endswith(f"\n{WARNING}\n")
    assert done.stderr.decode() == f"rtckb: sync: git {command}: no answer within 1 seconds\n"
    assert _all_end(tmp_path / "pids")
    assert case.index.read_bytes() == before


def test_interrupted_clone(case: Case, tmp_path: Path) -> None:
    """An incomplete clone is removed, so that the next synchronization clones again."""
    env = _hanging(tmp_path, SLEEPS, "GIT_SSH_COMMAND")
    argv = ("--dir", case.clone, "--timeout", "1", "--repo")
    assert _sync(case.index, *argv, "ssh://git@127.0.0.1/rags.git", **env).returncode == 1
    assert list(case.clone.parent.iterdir()) == []
    assert update(case.plan()) == "cloned"


@pytest.mark.skipif(shutil.which("setsid") is None, reason="no setsid on the PATH")
def test_helper_that_outlives_git(case: Case, tmp_path: Path) -> None:
    """The end of git is enough: a helper that outlives it, like a shared ssh connection, is not waited for."""
    script = tmp_path / "upload-pack"
    script.write_text(f'#!/bin/sh\nsetsid sleep 30 &\necho $! > {tmp_path}/pids\nexec git-upload-pack "$@"\n', "utf-8")
    script.chmod(0o755)
    case.cloned()
    case.commit("knowledge/短信/群发/n.md", NEW)
    git(case.clone, "config", "remote.origin.uploadpack", str(script))
    try:
        update(case.plan(time_limit=15))
        assert git(case.clone, "rev-parse", "HEAD") == git(case.origin, "rev-parse", "HEAD")
        assert _alive(int((tmp_path / "pids").read_text("utf-8"))), "the helper is still there"
    finally:
        os.kill(int((tmp_path / "pids").read_text("utf-8")), 9)


def test_called_from_a_hook(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables that git sets for a hook of another repository do not change which repository is pulled."""
    other = case.index.parent / "other"
    other.mkdir()
    git(other, "init", "-q")
    case.cloned()
    case.commit("knowledge/短信/群发/n.md", NEW)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    update(case.plan())
    monkeypatch.undo()
    assert git(case.clone, "rev-parse", "HEAD") == git(case.origin, "rev-parse", "HEAD")


@pytest.fixture
def with_slices(case: Case, sample: Sources) -> Case:
    """The same with an index that also contains the sample's TRTC slices."""
    build(sample, case.index)
    return case


def test_index_with_slices_and_no_trtc(with_slices: Case) -> None:
    """An index with slices is not rebuilt without them; git is not even started."""
    case = with_slices
    before = case.index.read_bytes()
    done = ask(case.index, *QUERY, env=case.environment(RTCKB_TRTC=""))
    reason = f"{case.index}: contains 12 TRTC slices; wanted their base with --trtc or RTCKB_TRTC"
    assert (done.returncode, done.stderr.decode()) == (0, f"rtckb: sync: {reason}\n")
    assert done.stdout.decode().endswith(f"\n{WARNING}\n")
    assert case.index.read_bytes() == before
    assert not case.clone.exists()


@pytest.mark.parametrize("named", ["option", "variable"])
def test_index_with_slices_and_trtc(named: str, with_slices: Case, sample: Sources) -> None:
    """If the TRTC base is named, the index keeps its slices and gets the new cases."""
    case = with_slices
    case.commit("knowledge/短信/群发/n.md", NEW)
    option = ("--trtc", str(sample.trtc)) if named == "option" else ()
    variable = {"RTCKB_TRTC": str(sample.trtc)} if named == "variable" else {}
    assert _sync(case.index, "--dir", case.clone, "--repo", case.origin, *option, **variable).returncode == 0
    sources = document(case.index, "info")["sources"]
    assert (sources["trtc"]["slices"], sources["nim"]["units"]) == (12, 35)


@pytest.mark.parametrize("redacted", [False, True])
def test_redaction_is_kept(redacted: bool, case: Case) -> None:
    """A redacted index stays redacted, and another one is not redacted."""
    build(Sources(None, SAMPLE / "nim", redact=redacted), case.index)
    update_and_rebuild(case.plan(), case.index)
    assert document(case.index, "info")["redacted"] is redacted


def test_an_index_of_an_older_version(with_slices: Case) -> None:
    """The facts of an older version are read: no slices are dropped, and a redacted index stays redacted."""
    case = with_slices
    with closing(sqlite3.connect(case.index)) as db:
        db.executescript("PRAGMA user_version = 1; DROP TABLE segmentation;")
    with pytest.raises(SyncFailed, match="contains 12 TRTC slices"):
        update_and_rebuild(case.plan(), case.index)
    build(Sources(None, SAMPLE / "nim", redact=True), case.index)
    with closing(sqlite3.connect(case.index)) as db:
        db.executescript("PRAGMA user_version = 1; DROP TABLE segmentation;")
    update_and_rebuild(case.plan(), case.index)
    assert document(case.index, "info")["redacted"] is True


def test_no_index_yet(case: Case) -> None:
    """Synchronization makes a missing index; if it fails, the exit code is that of a missing index."""
    index = case.index.with_name("new.db")
    failed = ask(index, *QUERY, env=case.environment(**_no_such_repository(case)))
    assert (failed.returncode, failed.stdout) == (3, b"")
    assert not index.exists()
    done = ask(index, *QUERY, env=case.environment())
    assert done.returncode == 0
    assert _units(index) == 34


SETTINGS = {
    "nothing set": ({}, "~/nim-knowledge-base/rags/knowledge", "https://github.com/19967431260/rags.git", None, 60),
    "all set": (
        {"RTCKB_NIM": "/a", "RTCKB_NIM_REPO": "/b", "RTCKB_TRTC": "/c", "RTCKB_SYNC_SECONDS": "7"},
        "/a",
        "/b",
        "/c",
        7,
    ),
    "set to nothing": (
        {"RTCKB_NIM": "", "RTCKB_NIM_REPO": "", "RTCKB_TRTC": "", "RTCKB_SYNC_SECONDS": ""},
        "~/nim-knowledge-base/rags/knowledge",
        "https://github.com/19967431260/rags.git",
        None,
        60,
    ),
    "a home folder, no time": (
        {"RTCKB_NIM": "~/x", "RTCKB_SYNC_SECONDS": "0"},
        "~/x",
        "https://github.com/19967431260/rags.git",
        None,
        60,
    ),
}


@pytest.mark.parametrize(("env", "folder", "repository", "trtc", "seconds"), SETTINGS.values(), ids=SETTINGS)
def test_settings(
    env: dict[str, str], folder: str, repository: str, trtc: str | None, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folder and repository are those of the specification, unless the environment names others."""
    for name in ("RTCKB_NIM", "RTCKB_NIM_REPO", "RTCKB_TRTC", "RTCKB_SYNC_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    wanted = Plan(Path(folder).expanduser(), repository, Path(trtc) if trtc else None, seconds)
    assert Plan.from_environment() == wanted


def test_synchronize(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function behind ``nim --sync`` returns the reason of a failure, or None."""
    for name, value in case.environment().items():
        monkeypatch.setenv(name, value)
    assert synchronize(case.index) is None
    monkeypatch.setenv("RTCKB_NIM", str(case.origin.parent / "x.db" / "below"))
    assert "x.db" in (synchronize(case.index) or "")

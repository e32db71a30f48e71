"""Updates the NIM case base with git and rebuilds the index (docs/decisions/nim.md#sync)."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from indexer.build import Sources, build
from indexer.errors import RtckbBuildError, SyncFailed
from indexer.store.previous import read_meta

#: The clone and the repository that the specification of NIM case search names.
DEFAULT_FOLDER = Path("~/nim-knowledge-base/rags/knowledge")
DEFAULT_REPOSITORY = "https://github.com/19967431260/rags.git"
#: Seconds after which git is ended.
TIME_LIMIT = 60
#: Environment variables: the case base, its repository, the TRTC base that the index also contains, the time limit.
NIM, REPO, TRTC, SECONDS = "RTCKB_NIM", "RTCKB_NIM_REPO", "RTCKB_TRTC", "RTCKB_SYNC_SECONDS"
#: Seconds for git to remove its lock files before it is killed.
_GRACE = 2
#: Variables that a calling git sets. With them, ``git -C DIR`` would work in the caller's repository.
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
_NO_PROMPT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GCM_INTERACTIVE": "never",
    "LC_ALL": "C",
}
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


@dataclass(frozen=True, slots=True)
class Plan:
    """What to synchronize: the clone, its repository, the TRTC base of the index, the time limit in seconds."""

    folder: Path
    repository: str
    trtc: Path | None
    time_limit: int = TIME_LIMIT

    @classmethod
    def from_environment(cls) -> "Plan":
        """The values of the environment variables, else the defaults."""
        trtc = os.environ.get(TRTC)
        seconds = os.environ.get(SECONDS, "")
        return cls(
            Path(os.environ.get(NIM) or DEFAULT_FOLDER).expanduser(),
            os.environ.get(REPO) or DEFAULT_REPOSITORY,
            Path(trtc) if trtc else None,
            int(seconds) if seconds.isdecimal() and int(seconds) else TIME_LIMIT,
        )


def synchronize(target: Path) -> str | None:
    """Update and rebuild as the environment describes; the reason of a failure, or None. Never raises an OSError."""
    try:
        update_and_rebuild(Plan.from_environment(), target)
    except (RtckbBuildError, OSError) as error:
        return str(error)
    return None


def update_and_rebuild(plan: Plan, target: Path, jobs: int = 1) -> str:
    """Pull or clone, then build ``target``, redacted if it was; the last line that git printed.

    Raises:
        SyncFailed: git failed, or the index contains a TRTC base that the plan does not name.
        RtckbBuildError, OSError: the build failed; the old index is as it was.
    """
    old = read_meta(target)
    slices = old.get("count.trtc.slices", "0")
    if slices != "0" and plan.trtc is None:
        raise SyncFailed(f"{target}: contains {slices} TRTC slices; wanted their base with --trtc or {TRTC}")
    printed = update(plan)
    build(Sources(plan.trtc, plan.folder, redact=old.get("redacted") == "1"), target, jobs)
    return printed


def update(plan: Plan) -> str:
    """Clone the case base if it is absent, else pull it, fast-forward only; the last line that git printed.

    Raises:
        SyncFailed: with git's reason in one line.
    """
    folder = plan.folder
    try:
        if (folder / ".git").exists():
            return _git("pull", ["-C", str(folder), "pull", "--ff-only"], plan.time_limit)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            wanted = _CREDENTIALS.sub("", plan.repository)
            raise SyncFailed(f"{folder}: is not a git clone; wanted a clone of {wanted}")
        return _clone(plan)
    except OSError as error:
        raise SyncFailed(f"{folder}: {error.strerror or error}") from error


def _clone(plan: Plan) -> str:
    """Clone into a temporary folder and rename it when it is complete: an incomplete clone could never be pulled."""
    folder = plan.folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as temporary:
        clone = Path(temporary) / folder.name
        # Behind --, a repository that begins with a hyphen is no option of git.
        printed = _git("clone", ["clone", "--quiet", "--", plan.repository, str(clone)], plan.time_limit)
        if folder.exists():
            folder.rmdir()
        clone.rename(folder)
    return printed


def _git(command: str, arguments: list[str], time_limit: int) -> str:
    """Run git without a prompt, in a process group of its own, so that its helper processes end with it.

    Its output goes to a file. A pipe would stay open as long as a helper runs, such as a shared ssh connection.
    """
    environment = {k: v for k, v in os.environ.items() if k not in _REPOSITORY_VARIABLES} | _NO_PROMPT
    environment.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
    with tempfile.TemporaryFile() as output:
        try:
            git = subprocess.Popen(
                ["git", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise SyncFailed(f"git: cannot be started ({error.strerror})") from error
        try:
            code = git.wait(time_limit)
        except subprocess.TimeoutExpired as error:
            raise SyncFailed(f"git {command}: no answer within {time_limit} seconds") from error
        finally:
            _end(git)
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").strip().splitlines()
    if code:
        raise SyncFailed(f"git {command}: {_reason(lines)}")
    return lines[-1] if lines else "cloned"


def _end(git: subprocess.Popen[bytes]) -> None:
    """End git and its helpers if it still runs: first with a signal that it can handle, then with SIGKILL."""
    if git.poll() is not None:
        return
    if os.name == "nt":
        git.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(git.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                git.wait(_GRACE)
            os.killpg(git.pid, signal.SIGKILL)
    git.wait()


def _reason(lines: list[str]) -> str:
    """The line of git's output that names the error, without the credentials of an address."""
    errors = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return _CREDENTIALS.sub("", (errors or lines or ["failed without a message"])[0].strip())

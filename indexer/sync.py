"""Bring the NIM case base up to date with git and rebuild the index (specification, 知识库同步; decision 20)."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from indexer.build import Sources, build
from indexer.errors import RtckbBuildError
from indexer.store.previous import facts

#: Where the specification keeps the case base, and where it comes from.
DEFAULT_FOLDER = Path("~/nim-knowledge-base/rags/knowledge")
DEFAULT_REPOSITORY = "https://github.com/19967431260/rags.git"
#: Seconds after which git is ended: an answer from the index at hand is better than none.
TIME_LIMIT = 60
#: Environment variables: the case base, its repository, and the TRTC base that the index also holds.
FOLDER_VARIABLE, REPOSITORY_VARIABLE, TRTC_VARIABLE = "RTCKB_NIM", "RTCKB_NIM_REPO", "RTCKB_TRTC"
#: And the seconds to wait for git.
TIME_VARIABLE = "RTCKB_SYNC_SECONDS"
#: Seconds that git has to remove its lock files before it is killed.
_GRACE = 2
#: What a calling git leaves in the environment; with it, ``-C DIR`` would mean that other repository.
_REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
_NO_PROMPT = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "true",
    "SSH_ASKPASS": "true",
    "GCM_INTERACTIVE": "never",
    "LC_ALL": "C",
}
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@")


class SyncFailed(RtckbBuildError):
    """The case base could not be brought up to date; the index is as it was."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to synchronise: the clone, where it comes from, the other base of the index, seconds to wait."""

    folder: Path
    repository: str
    trtc: Path | None
    time_limit: int = TIME_LIMIT

    @classmethod
    def from_environment(cls) -> "Plan":
        """The specification's places and the usual time, unless the environment says otherwise."""
        trtc = os.environ.get(TRTC_VARIABLE)
        seconds = os.environ.get(TIME_VARIABLE, "")
        return cls(
            Path(os.environ.get(FOLDER_VARIABLE) or DEFAULT_FOLDER).expanduser(),
            os.environ.get(REPOSITORY_VARIABLE) or DEFAULT_REPOSITORY,
            Path(trtc) if trtc else None,
            int(seconds) if seconds.isdecimal() and int(seconds) else TIME_LIMIT,
        )


def synchronize(target: Path) -> str | None:
    """Update and rebuild by the environment's plan; the reason why it failed, or None."""
    try:
        update_and_rebuild(Plan.from_environment(), target)
    except RtckbBuildError as error:
        return str(error)
    return None


def update_and_rebuild(plan: Plan, target: Path, jobs: int = 1) -> str:
    """Pull (or clone), then build ``target``, redacted if it was; what git said.

    Raises:
        SyncFailed: git failed, or the index holds a TRTC base that the plan does not name.
        RtckbBuildError: the build failed; the old index is as it was.
    """
    old = facts(target)
    slices = old.get("count.trtc.slices", "0")
    if slices != "0" and plan.trtc is None:
        raise SyncFailed(f"{target}: holds {slices} TRTC slices; name their base with --trtc or {TRTC_VARIABLE}")
    said = update(plan)
    build(Sources(plan.trtc, plan.folder, redact=old.get("redacted") == "1"), target, jobs)
    return said


def update(plan: Plan) -> str:
    """Clone the case base where it is absent, else pull it, fast-forward only.

    Raises:
        SyncFailed: with git's own reason in one line.
    """
    folder = plan.folder
    try:
        if (folder / ".git").exists():
            return _git("pull", ["-C", str(folder), "pull", "--ff-only"], plan.time_limit)
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            wanted = _CREDENTIALS.sub("", plan.repository)
            raise SyncFailed(f"{folder}: is there, but is no git clone; wanted a clone of {wanted}")
        return _clone(plan)
    except OSError as error:
        raise SyncFailed(f"{folder}: {error.strerror or error}") from error


def _clone(plan: Plan) -> str:
    """Clone beside the place and move it there when it is whole: half a clone would never be pulled again."""
    folder = plan.folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as beside:
        whole = Path(beside) / folder.name
        said = _git("clone", ["clone", "--quiet", plan.repository, str(whole)], plan.time_limit)
        if folder.exists():
            folder.rmdir()
        whole.rename(folder)
    return said


def _git(verb: str, arguments: list[str], time_limit: int) -> str:
    """Run git without a prompt, in a process group of its own, so that its helpers end with it.

    Its output goes to a file, not to a pipe: a helper that stays behind, such as a shared ssh connection, would
    hold a pipe open.
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
            raise SyncFailed(f"git {verb}: no answer within {time_limit} seconds") from error
        finally:
            _end(git)
        output.seek(0)
        lines = output.read().decode("utf-8", "replace").strip().splitlines()
    if code:
        raise SyncFailed(f"git {verb}: {_reason(lines)}")
    return lines[-1] if lines else "cloned"


def _end(git: subprocess.Popen[bytes]) -> None:
    """End git and its helpers, if it still runs: first so that it can tidy up, then for good."""
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
    """The line of git's output that says what is wrong, without the password of an address."""
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return _CREDENTIALS.sub("", (telling or lines or ["failed without a word"])[0].strip())

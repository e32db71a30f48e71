"""Bring the NIM case base up to date with git and rebuild the index (specification, 知识库同步; decision 20)."""

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from indexer.build import Sources, build
from indexer.earlier import look_at
from indexer.errors import RtckbBuildError

#: Where the specification keeps the case base, and where it comes from.
DEFAULT_FOLDER = Path("~/nim-knowledge-base/rags/knowledge")
DEFAULT_REPOSITORY = "https://github.com/19967431260/rags.git"
#: Seconds after which git is ended: an answer from the index at hand is better than none.
TIME_LIMIT = 60
#: Environment variables: the case base, its repository, and the TRTC base that the index also holds.
FOLDER_VARIABLE, REPOSITORY_VARIABLE, TRTC_VARIABLE = "RTCKB_NIM", "RTCKB_NIM_REPO", "RTCKB_TRTC"


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
        """The specification's places, unless the environment names others."""
        trtc = os.environ.get(TRTC_VARIABLE)
        return cls(
            Path(os.environ.get(FOLDER_VARIABLE) or DEFAULT_FOLDER).expanduser(),
            os.environ.get(REPOSITORY_VARIABLE) or DEFAULT_REPOSITORY,
            Path(trtc) if trtc else None,
        )


def synchronise(target: Path) -> str | None:
    """Update and rebuild by the environment's plan; the reason why it failed, or None."""
    try:
        update_and_rebuild(Plan.from_environment(), target)
    except RtckbBuildError as error:
        return str(error)
    return None


def update_and_rebuild(plan: Plan, target: Path, jobs: int = 1) -> str:
    """Pull (or clone), then build ``target``; what git said.

    Raises:
        SyncFailed: git failed, or the index holds a TRTC base that the plan does not name.
        RtckbBuildError: the build failed; the old index is as it was.
    """
    slices = look_at(target).meta.get("count.trtc.slices", "0")
    if slices != "0" and plan.trtc is None:
        raise SyncFailed(f"{target}: holds {slices} TRTC slices; name their base with --trtc or {TRTC_VARIABLE}")
    said = update(plan)
    build(Sources(plan.trtc, plan.folder), target, jobs)
    return said


def update(plan: Plan) -> str:
    """Clone the case base where it is absent, else pull it, fast-forward only.

    Raises:
        SyncFailed: with git's own reason in one line.
    """
    folder = plan.folder
    if (folder / ".git").exists():
        return _git(["-C", str(folder), "pull", "--ff-only"], plan.time_limit)
    if folder.exists() and any(folder.iterdir()):
        raise SyncFailed(f"{folder}: is there, but is no git clone; wanted a clone of {plan.repository}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    return _git(["clone", "--quiet", plan.repository, str(folder)], plan.time_limit)


def _git(arguments: list[str], time_limit: int) -> str:
    """Run git without a prompt, in a process group of its own, so that its helpers end with it."""
    environment = {
        **os.environ,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "LC_ALL": "C",
    }
    environment.setdefault("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
    try:
        git = subprocess.Popen(
            ["git", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise SyncFailed(f"git: cannot be started ({error.strerror})") from error
    try:
        output, _ = git.communicate(timeout=time_limit)
    except subprocess.TimeoutExpired as error:
        os.killpg(git.pid, signal.SIGKILL)
        git.communicate()
        raise SyncFailed(f"git {arguments[-1]}: no answer within {time_limit} seconds") from error
    lines = output.decode("utf-8", "replace").strip().splitlines()
    if git.returncode:
        raise SyncFailed(f"git: {_reason(lines)}")
    return lines[-1] if lines else "cloned"


def _reason(lines: list[str]) -> str:
    """The line of git's output that says what is wrong."""
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (telling or lines or ["failed without a word"])[0].strip()

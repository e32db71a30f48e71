"""Builds that are killed, run at the same time, run out of disk space, or read sources that change meanwhile."""

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path

from conftest import SAMPLE, environment

#: Runs the command with a limit on the size of files: its first argument, in bytes.
_LIMITED = "import resource, sys; n = int(sys.argv.pop(1)); resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)); "
_LIMITED += "from rtckb import main; main(prog_name='rtckb')"


def start(target: Path, *argv: str | Path, prefix: Sequence[str] = ("-m", "rtckb")) -> "subprocess.Popen[bytes]":
    """Start a build in a process group of its own, with a TMPDIR beside the target's folder."""
    line = [sys.executable, *prefix, "build", "-o", str(target), "--jobs", "2", *map(str, argv)]
    temporary = target.parent.with_name(f"{target.parent.name}-tmp")
    temporary.mkdir(parents=True, exist_ok=True)
    env = environment({"TMPDIR": str(temporary)})
    return subprocess.Popen(line, env=env, stderr=subprocess.PIPE, start_new_session=True)


def stderr_of(process: "subprocess.Popen[bytes]") -> str:
    """Wait for a build; what it printed on stderr."""
    return process.communicate(timeout=120)[1].decode("utf-8", "replace")


def killed(folder: Path, new: bytes, times: int, seed: int = 1) -> list[str]:
    """Kill builds with SIGKILL at random moments, two at a time; what was wrong afterwards.

    ``new`` is the file that a complete build gives. The old file is cut short: no build can reuse its segmentation,
    and only a build that names its sources may replace it.
    """
    rng, old, wrong = random.Random(seed), new[:-4096], []  # noqa: S311  # repeatable moments
    targets = [folder / name / "x.db" for name in ("a", "b")]
    sources = ("--trtc", SAMPLE / "trtc", "--nim", SAMPLE / "nim")
    groups: list[int] = []
    began = time.monotonic()
    for process, target in [(start(target), target) for target in targets]:
        if stderr_of(process) == "" or target.read_bytes() != new:
            wrong.append("an undisturbed build does not give the expected file")
    duration = time.monotonic() - began
    for _ in range(-(-times // len(targets))):
        for target in targets:
            target.write_bytes(old)
        processes = [start(target, *sources) for target in targets]
        for process, target in zip(processes, targets, strict=True):
            time.sleep(rng.random() * duration / len(targets))
            process.kill()
            process.communicate()
            groups.append(process.pid)
            if target.read_bytes() not in (old, new):
                wrong.append("the target is neither the old file nor the complete new one")
            wrong += [f"left: {p.name}" for p in target.parent.iterdir() if not _is_expected(p, target)]
    wrong += [f"still running: {pid}" for pid in left_running(groups)]
    for target in targets:
        stderr_of(start(target, *sources))
        if target.read_bytes() != new:
            wrong.append("the next build does not give the expected file")
        wrong += [f"not cleaned: {path.name}" for path in target.parent.iterdir() if path != target]
        wrong += [f"temporary: {path.name}" for path in target.parent.with_name(f"{target.parent.name}-tmp").iterdir()]
    return wrong


def _is_expected(path: Path, target: Path) -> bool:
    return path == target or (path.name.startswith(f".{target.name}.") and "rtckb-building" in path.name)


def left_running(groups: Sequence[int]) -> set[int]:
    """The processes of these groups that still run after ten seconds."""
    left: set[int] = set()
    for _ in range(100):
        left = {pid for pid, group in _running() if group in groups}
        if not left:
            break
        time.sleep(0.1)
    return left


def _running() -> Iterator[tuple[int, int]]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, group = stat.read_text("utf-8", "replace").rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if state != "Z":
            yield int(stat.parent.name), int(group)


def at_once(folder: Path, new: bytes, rounds: int, builds: int = 2) -> list[str]:
    """Run several builds of one target at the same time; what was wrong afterwards."""
    wrong = []
    target = folder / "one" / "x.db"
    for _ in range(rounds):
        target.unlink(missing_ok=True)
        for process in [start(target) for _ in range(builds)]:
            text = stderr_of(process)
            if process.returncode or not text.startswith(f"{target}: "):
                wrong.append(f"exit {process.returncode}: {text}")
        if target.read_bytes() != new:
            wrong.append("the file is not what one build gives")
        wrong += [f"left: {path.name}" for path in target.parent.iterdir() if path != target]
    return wrong


def disk_full(folder: Path, new: bytes, sizes: Sequence[int], mount_point: Path | None = None) -> list[str]:
    """Build with space for so many bytes: a limit on files, or a small disk at ``mount_point``; what was wrong."""
    wrong = []
    for size in sizes:
        target = (mount_point or folder / "full") / "x.db"
        target.parent.mkdir(parents=True, exist_ok=True)
        with mounted(mount_point, size) if mount_point else nullcontext():
            target.write_bytes(old := b"version https://git-lfs.github.com/spec/v1\n")  # a build may replace it
            process = start(target) if mount_point else start(target, prefix=("-c", _LIMITED, str(size)))
            text = stderr_of(process)
            if (process.returncode, text.count("\n")) != (1, 1) or not text.startswith("rtckb: "):
                wrong.append(f"{size} bytes: exit {process.returncode}: {text}")
            if target.read_bytes() != old or list(target.parent.iterdir()) != [target]:
                wrong.append(f"{size} bytes: {sorted(path.name for path in target.parent.iterdir())}")
    assert max(sizes) < len(new)
    return wrong


@contextmanager
def mounted(mount_point: Path, size: int) -> Iterator[None]:
    """Mount a small disk in memory, which only root may do.

    Raises:
        OSError: it cannot be mounted here.
    """
    line = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(mount_point)]
    done = subprocess.run(line, capture_output=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.decode("utf-8", "replace").strip())
    try:
        yield
    finally:
        subprocess.run(["umount", str(mount_point)], check=True)


def changing(folder: Path, sample: Path, rounds: int, seed: int = 1) -> list[str]:
    """Build while the sources are overwritten, cut, removed and restored; what was wrong afterwards."""
    rng, wrong = random.Random(seed), []  # noqa: S311  # repeatable edits
    tree, target = folder / "tree", folder / "changing" / "x.db"
    shutil.copytree(sample, tree)
    target.parent.mkdir()
    pages = sorted(path for path in tree.rglob("*") if path.suffix in {".md", ".yaml"})
    stop = threading.Event()
    writer = threading.Thread(target=_edit, args=(pages, rng, stop))
    writer.start()
    try:
        for _ in range(rounds):
            before = target.read_bytes() if target.exists() else b""
            process = start(target, "--trtc", tree / "trtc", "--nim", tree / "nim")
            text = stderr_of(process)
            if process.returncode == 1 and text.startswith("rtckb: ") and text.count("\n") == 1:
                after = target.read_bytes() if target.exists() else b""
                wrong += ["a failed build changed the file"] if after != before else []
            elif process.returncode:
                wrong.append(f"exit {process.returncode}: {text}")
            wrong += [f"left: {path.name}" for path in target.parent.iterdir() if path != target]
    finally:
        stop.set()
        writer.join()
    return wrong


def _edit(pages: Sequence[Path], rng: random.Random, stop: threading.Event) -> None:
    original = {page: page.read_bytes() for page in pages}
    while not stop.is_set():
        page = rng.choice(pages)
        match rng.randrange(4):
            case 0:
                page.unlink(missing_ok=True)
            case 1:
                page.write_bytes(original[page][: rng.randrange(len(original[page]))])
            case 2:
                page.write_bytes(os.urandom(64))
            case _:
                page.write_bytes(original[page])
        time.sleep(0.001)

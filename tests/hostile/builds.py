"""Builds that are killed, run twice at once, run out of disk, or read sources that change under them."""

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conftest import SAMPLE, environment

#: Runs the command under a limit on the size of files: its first argument, in bytes.
_LIMITED = "import resource, sys; n = int(sys.argv.pop(1)); resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)); "
_LIMITED += "from rtckb import main; main(prog_name='rtckb')"


def start(target: Path, *argv: str | Path, prefix: Sequence[str] = ("-m", "rtckb")) -> "subprocess.Popen[bytes]":
    """A build in a process group of its own, its temporary folder beside the target."""
    line = [sys.executable, *prefix, "build", "-o", str(target), "--jobs", "2", *map(str, argv)]
    temporary = target.parent.with_name(f"{target.parent.name}-tmp")
    temporary.mkdir(parents=True, exist_ok=True)
    env = environment({"TMPDIR": str(temporary)})
    return subprocess.Popen(line, env=env, stderr=subprocess.PIPE, start_new_session=True)


def said(process: "subprocess.Popen[bytes]") -> str:
    """What a finished build said."""
    return process.communicate(timeout=120)[1].decode("utf-8", "replace")


def killed(folder: Path, new: bytes, times: int, seed: int = 1) -> list[str]:
    """Kill -9 at random moments, two builds at a time; what was wrong afterwards.

    ``new`` is the file that a whole build gives. The old one lends nothing, so that every build is a whole one; as its
    ledger cannot be read, only a build that names its sources replaces it.
    """
    chance, old, wrong = random.Random(seed), new[:-4096], []  # noqa: S311  # repeatable moments
    targets = [folder / name / "x.db" for name in ("a", "b")]
    sources = ("--trtc", SAMPLE / "trtc", "--nim", SAMPLE / "nim")
    groups: list[int] = []
    began = time.monotonic()
    for process, target in [(start(target), target) for target in targets]:
        if said(process) == "" or target.read_bytes() != new:
            wrong.append("an undisturbed build does not give the expected file")
    whole = time.monotonic() - began
    for _ in range(-(-times // len(targets))):
        for target in targets:
            target.write_bytes(old)
        processes = [start(target, *sources) for target in targets]
        for process, target in zip(processes, targets, strict=True):
            time.sleep(chance.random() * whole / len(targets))
            process.kill()
            process.communicate()
            groups.append(process.pid)
            if target.read_bytes() not in (old, new):
                wrong.append("the target is neither the old file nor the whole new one")
            wrong += [f"left: {p.name}" for p in target.parent.iterdir() if not _is_expected(p, target)]
    wrong += [f"still running: {pid}" for pid in left_running(groups)]
    for target in targets:
        said(start(target, *sources))
        if target.read_bytes() != new:
            wrong.append("the next build does not give the expected file")
        wrong += [f"not cleaned: {path.name}" for path in target.parent.iterdir() if path != target]
        wrong += [f"temporary: {path.name}" for path in target.parent.with_name(f"{target.parent.name}-tmp").iterdir()]
    return wrong


def _is_expected(path: Path, target: Path) -> bool:
    return path == target or (path.name.startswith(f".{target.name}.") and "rtckb-building" in path.name)


def left_running(groups: Sequence[int]) -> set[int]:
    """Processes of these groups that do not end within seconds."""
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
    """Several builds of one target at the same time; what was wrong afterwards."""
    wrong = []
    target = folder / "one" / "x.db"
    for _ in range(rounds):
        target.unlink(missing_ok=True)
        for process in [start(target) for _ in range(builds)]:
            text = said(process)
            if process.returncode or not text.startswith(f"{target}: "):
                wrong.append(f"exit {process.returncode}: {text}")
        if target.read_bytes() != new:
            wrong.append("the file is not what one build gives")
        wrong += [f"left: {path.name}" for path in target.parent.iterdir() if path != target]
    return wrong


def disk_full(folder: Path, new: bytes, sizes: Sequence[int], room: Path | None = None) -> list[str]:
    """A disk that is full after so many bytes: a limit on files, or a small disk mounted at ``room``."""
    wrong = []
    for size in sizes:
        target = (room or folder / "full") / "x.db"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(old := b"version https://git-lfs.github.com/spec/v1\n")  # what a build may replace
        with mounted(room, size) if room else nothing():
            if room:
                target.write_bytes(old)
            process = start(target) if room else start(target, prefix=("-c", _LIMITED, str(size)))
            text = said(process)
            if (process.returncode, text.count("\n")) != (1, 1) or not text.startswith("rtckb: "):
                wrong.append(f"{size} bytes: exit {process.returncode}: {text}")
            if target.read_bytes() != old or list(target.parent.iterdir()) != [target]:
                wrong.append(f"{size} bytes: {sorted(path.name for path in target.parent.iterdir())}")
    assert max(sizes) < len(new)
    return wrong


@contextmanager
def nothing() -> Iterator[None]:
    """No disk is mounted."""
    yield


@contextmanager
def mounted(room: Path, size: int) -> Iterator[None]:
    """A small disk in memory; only root may have one.

    Raises:
        OSError: it cannot be mounted here.
    """
    line = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(room)]
    done = subprocess.run(line, capture_output=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.decode("utf-8", "replace").strip())
    try:
        yield
    finally:
        subprocess.run(["umount", str(room)], check=True)


def changing(folder: Path, sample: Path, rounds: int, seed: int = 1) -> list[str]:
    """Sources that are edited, cut, removed and brought back while they are read; what was wrong afterwards."""
    chance, wrong = random.Random(seed), []  # noqa: S311  # repeatable edits
    tree, target = folder / "tree", folder / "changing" / "x.db"
    shutil.copytree(sample, tree)
    target.parent.mkdir()
    pages = sorted(path for path in tree.rglob("*") if path.suffix in {".md", ".yaml"})
    stop = threading.Event()
    writer = threading.Thread(target=_edit, args=(pages, chance, stop))
    writer.start()
    try:
        for _ in range(rounds):
            before = target.read_bytes() if target.exists() else b""
            process = start(target, "--trtc", tree / "trtc", "--nim", tree / "nim")
            text = said(process)
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


def _edit(pages: Sequence[Path], chance: random.Random, stop: threading.Event) -> None:
    whole = {page: page.read_bytes() for page in pages}
    while not stop.is_set():
        page = chance.choice(pages)
        match chance.randrange(4):
            case 0:
                page.unlink(missing_ok=True)
            case 1:
                page.write_bytes(whole[page][: chance.randrange(len(whole[page]))])
            case 2:
                page.write_bytes(os.urandom(64))
            case _:
                page.write_bytes(whole[page])
        time.sleep(0.001)

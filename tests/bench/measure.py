"""Shared by the benchmarks: the paths of the sources, timed processes, and tables."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
RTCKB = (sys.executable, "-m", "rtckb")


@dataclass(frozen=True, slots=True)
class Run:
    """One finished process: seconds by the wall clock and of the processor, exit code, everything it printed.

    ``peak``: the most memory that it, or one child that it waited for, used at once, in bytes.
    """

    wall: float
    cpu: float
    code: int
    output: str
    peak: int = 0


def base(name: str) -> Path:
    """The real ``trtc`` or ``nim`` base, or else that of the embedded sample, after a printed line."""
    real = SHARED / "kb" / name
    if real.is_dir():
        return real
    print(f"skip: no {os.path.relpath(real, ROOT)}; measuring the embedded sample's {name} instead")
    return ROOT / "indexer" / "data" / "sample" / name


def source_files(trtc: Path, nim: Path) -> Iterator[Path]:
    """The files that a build reads, in a fixed order."""
    root = trtc / "knowledge-base"
    yield root / "index.yaml"
    for folder in (root / "slices", root / "scenarios", nim):
        yield from sorted(folder.rglob("*.md"))


def run(argv: Sequence[str], bytecode: Path) -> Run:
    """Run to the end in the checkout; compiled modules are kept in ``bytecode``, whatever the environment sets."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(bytecode)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        process = subprocess.Popen(argv, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return Run(wall, usage.ru_utime + usage.ru_stime, process.returncode, text, usage.ru_maxrss * 1024)


def in_turn(commands: Mapping[str, Sequence[str]], rounds: int, bytecode: Path) -> dict[str, list[Run]]:
    """Run every command once unmeasured, then all of them ``rounds`` times, each round from another first one."""
    names = list(commands)
    for name in names:
        complain(name, run(commands[name], bytecode))
    runs: dict[str, list[Run]] = {name: [] for name in names}
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            runs[name].append(run(commands[name], bytecode))
    return runs


def complain(name: str, done: Run) -> None:
    """Say that a process failed, with its last line: its figures mean nothing."""
    if done.code:
        print(f"FAILED: {name}: exit {done.code}: {(done.output.splitlines() or ['no output'])[-1]}")


def built_index(given: Path | None, folder: Path) -> Path:
    """The index file that was given, or a new one of both bases in ``folder``."""
    if given is not None:
        return given.resolve()
    target = folder / "bench.db"
    argv = [*RTCKB, "build", "--trtc", str(base("trtc")), "--nim", str(base("nim")), "-o", str(target)]
    complain("build", run(argv, folder / "bytecode"))
    return target


def share(values: Sequence[float], part: float) -> float:
    """The value below or at which ``part`` of the values lie (nearest rank)."""
    return sorted(values)[max(0, -(-len(values) * round(part * 100) // 100) - 1)]


def spread(values: Sequence[float], scale: float = 1, digits: int = 2) -> tuple[str, str, str]:
    """Median, lowest value and 90th percentile, as cells."""
    found = (median(values), min(values), share(values, 0.9))
    return tuple(f"{value * scale:.{digits}f}" for value in found)  # type: ignore[return-value]  # three in, three out


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, first column to the left, figures to the right."""
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    print(f"\n{title}")
    for row in (head, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join((row[0].ljust(widths[0]), *cells)))
    print(f"({os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]})", flush=True)

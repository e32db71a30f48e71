"""A whole ``rtckb trtc`` process, both front doors, beside a Python that only imports and one that does nothing."""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from measure import RTCKB, Run, built_index, in_turn, spread, table

NOTHING = "python -c pass"
IMPORTS = "python -c 'import click, sqlite3, json'"
QUERIES = {
    "a code": "-1002",
    "a short tag": "弹幕",
    "a long question": "直播间里观众进房以后听不到主播的声音，画面一直黑屏，iOS 和 Android 都能复现，从哪里查起？",
}


def commands(index: Path) -> dict[str, list[str]]:
    """Name -> argument list: two baselines, then each front door with each query."""
    found = {
        NOTHING: [sys.executable, "-c", "pass"],
        IMPORTS: [sys.executable, "-c", "import click, sqlite3, json"],
    }
    script = Path(sys.executable).with_name("rtckb")
    doors = {"rtckb": [str(script)], "python -m rtckb": list(RTCKB)}
    if not script.is_file():
        print(f"skip: no {script}; only python -m rtckb is measured")
        del doors["rtckb"]
    for door, argv in doors.items():
        for name, query in QUERIES.items():
            found[f"{door} trtc, {name}"] = [*argv, "trtc", query, "--db", str(index), "--format", "json"]
    return found


def report(runs: dict[str, list[Run]], rounds: int) -> None:
    """Milliseconds, what is on top of the imports, and ratios to both baselines."""
    nothing, imports = (median(r.wall for r in runs[name]) for name in (NOTHING, IMPORTS))
    rows = []
    for name, found in runs.items():
        middle = median(r.wall for r in found)
        cpu = median(r.cpu for r in found) * 1000
        failed = str(sum(r.code != 0 for r in found))
        ratios = (f"{(middle - imports) * 1000:+.1f}", f"{middle / imports:.2f}", f"{middle / nothing:.2f}")
        rows.append((name, *spread([r.wall for r in found], 1000, 1), f"{cpu:.1f}", *ratios, failed))
    head = ("milliseconds", "median", "lowest", "p90", "cpu", "- imports", "/ imports", "/ pass", "failed")
    table(f"Cold query, {rounds} interleaved rounds", head, rows)


def main() -> None:
    """Measure, then print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--db", type=Path, help="An index to ask [default: build one in a temporary folder].")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index = built_index(given.db, folder)
        report(in_turn(commands(index), given.rounds, folder / "bytecode"), given.rounds)


if __name__ == "__main__":
    main()

"""Time of a whole ``rtckb trtc`` or ``nim`` process, compared with a Python that only imports, and an idle one."""

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from measure import RTCKB, Run, built_index, in_turn, spread, table

from indexer.package.zipapp import write_pyz

NOTHING = "python -c pass"
IMPORTS = "python -c 'import click, sqlite3, json'"
QUERIES = {
    "trtc, a code": ["trtc", "-1002"],
    "trtc, a short tag": ["trtc", "弹幕"],
    "trtc, a long question": [
        "trtc",
        "直播间里观众进房以后听不到主播的声音，画面一直黑屏，iOS 和 Android 都能复现，从哪里查起？",
    ],
    "nim, a code": ["nim", "登录返回 302 错误"],
    "nim, a long question": [
        "nim",
        "安卓端 App 切到后台十分钟以后再回来，会话列表里的未读数不对，离线消息也收不到，重新登录才恢复，怎么排查？",
    ],
    "nim, all fields": [
        "nim",
        "iOS 离线推送收不到",
        *("--product", "IM-SDK", "--feature", "推送", "--platform", "iOS", "--tag", "推送", "--tag", "APNs"),
        *("--root-cause", "推送证书过期，服务端返回 BadDeviceToken", "--solution", "重新生成推送证书并上传到控制台"),
    ],
}


def commands(index: Path, archive: Path) -> dict[str, list[str]]:
    """Name -> argument list: two baselines, then each front door with each query."""
    found = {
        NOTHING: [sys.executable, "-c", "pass"],
        IMPORTS: [sys.executable, "-c", "import click, sqlite3, json"],
    }
    script = Path(sys.executable).with_name("rtckb")
    doors = {"rtckb": [str(script)], "python -m rtckb": list(RTCKB), "rtckb.pyz": [sys.executable, str(archive)]}
    if not script.is_file():
        print(f"skip: no {script}; only python -m rtckb is measured")
        del doors["rtckb"]
    for door, argv in doors.items():
        for name, query in QUERIES.items():
            found[f"{door} {name}"] = [*argv, *query, "--db", str(index), "--format", "json"]
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
    parser.add_argument("--db", type=Path, help="The index [default: build one in a temporary folder].")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index = built_index(given.db, folder)
        write_pyz(folder / "rtckb.pyz", "0")
        report(in_turn(commands(index, folder / "rtckb.pyz"), given.rounds, folder / "bytecode"), given.rounds)


if __name__ == "__main__":
    main()

"""Times of builds and searches over the size of the NIM base, beside other ways to search, as a table and a picture.

Each size is a file of its own: the real TRTC base and so many drawn NIM units. Beyond ``--whole`` units a file holds
only what exact matching needs, and BM25 is left out. Both would take hours.
"""

import argparse
import json
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measure import Run, complain, in_turn, run, share, table
from rivals import Bm25, Library, greps, installed, named, write_texts
from similarity import milliseconds, requests_of, tokens_of
from similarity import query_texts as nim_texts
from warm_query import query_texts as trtc_texts

from query.index import Index, open_index
from query.nim.matching import matching_units
from query.nim.request_text import RequestTokens
from query.nim.search import search_request
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request

#: What was measured of one size: name, with its unit -> value.
Figures = dict[str, float]
QUESTION = "iOS 离线推送收不到，角标数字清不掉"
RTCKB = [sys.executable, "-m", "rtckb"]


def built(size: int, target: Path, is_whole: bool, bytecode: Path) -> Figures:
    """Seconds, bytes and peak memory of building one file in a process of its own."""
    script = str(Path(__file__).with_name("synthetic.py"))
    figures: Figures = {}
    for matching in (True, False) if is_whole else (True,):
        target.unlink(missing_ok=True)
        done = run([sys.executable, script, str(size), str(target), *["--matching"] * matching], bytecode)
        complain(f"build of {size} units", done)
        figures |= _printed(done, matching)
    return figures | {"file, MB": target.stat().st_size / 1e6}


def _printed(done: Run, matching: bool) -> Figures:
    printed = json.loads(done.output.splitlines()[-1])
    if matching:
        return {"build of matching tables, s": printed["matching"], "peak of that build, MB": done.peak / 1e6}
    return {"whole build, s": printed["whole"], "peak of whole build, MB": done.peak / 1e6}


def _percentiles(name: str, found: list[float]) -> Figures:
    return {f"{name} p50, ms": share(found, 0.5), f"{name} p95, ms": share(found, 0.95)}


def warm(index: Index, given: Namespace, is_whole: bool) -> Figures:
    """Both front doors and the in-memory rivals over the same requests."""
    requests = [r for found in requests_of(index, nim_texts(), given.requests).values() for r in found]
    figures = _percentiles(
        "exact matching", _times(lambda r: matching_units(index, RequestTokens.of(index, r)), requests, given)
    )
    if given.library:
        library, figures["SetSimilaritySearch loads, s"] = _loaded(lambda: Library(index))
        sets = [tokens_of(index, request) for request in requests]
        found = _times(lambda s: [library.found(*item) for item in s.items()], sets, given)
        figures |= _percentiles("SetSimilaritySearch", found)
    if is_whole:
        figures |= _percentiles("nim", _times(lambda r: search_request(index, r), requests, given))
        checked = [check_request(index, text, None, None, None, 5) for text in trtc_texts()[: given.requests]]
        figures |= _percentiles("trtc", _times(lambda r: search_trtc(index, r), checked, given))
        bm25, figures["jieba + BM25 loads, s"] = _loaded(lambda: Bm25(index))
        figures |= _percentiles("jieba + BM25", _times(lambda r: bm25.best(r.text), requests, given))
    return figures


def _times(call: Callable[[Any], object], values: list[Any], given: Namespace) -> list[float]:
    return milliseconds(call, values, given.rounds, time.process_time if given.cpu else time.perf_counter)


def _loaded(make: Callable[[], Any]) -> tuple[Any, float]:
    begin = time.perf_counter()
    made = make()
    return made, time.perf_counter() - begin


def cold(target: Path, texts: Path, given: Namespace, is_whole: bool, bytecode: Path) -> Figures:
    """Whole processes: both front doors, and a search of the texts by grep."""
    tail = ["--db", str(target), "--format", "json"]
    commands = {"nim, cold": [*RTCKB, "nim", QUESTION, *tail]}
    if is_whole:
        commands["trtc, cold"] = [*RTCKB, "trtc", "直播间怎么打开耳返", *tail]
    commands |= greps(QUESTION, texts)
    runs = in_turn(commands, max(5, given.rounds), bytecode)
    spent = {name: [(r.cpu if given.cpu else r.wall) * 1000 for r in done] for name, done in runs.items()}
    return {key: value for name, found in spent.items() for key, value in _percentiles(name, found).items()}


def measured(given: Namespace, folder: Path) -> Iterator[tuple[int, Figures]]:
    """Every size in turn."""
    for size in given.sizes:
        target, texts, is_whole = folder / f"{size}.db", folder / f"{size}.txt", size <= given.whole
        figures = {} if target.is_file() else built(size, target, is_whole, folder / "bytecode")
        with open_index(target) as index:
            write_texts(index, texts)
            figures |= warm(index, given, is_whole)
        yield size, figures | cold(target, texts, given, is_whole, folder / "bytecode")


def main() -> None:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], metavar="UNITS")
    parser.add_argument("--whole", type=int, default=100_000, metavar="UNITS", help="Whole files up to this size.")
    parser.add_argument("--requests", type=int, default=40, help="Requests of each kind, at each size.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="Processor time of searches, for a busy machine.")
    parser.add_argument("--keep", type=Path, help="A folder in which the files stay for the next run.")
    parser.add_argument("--plot", type=Path, help="Draw the times into this PNG (needs matplotlib).")
    given = parser.parse_args()
    given.library = installed()
    print(named(list(greps(QUESTION, Path()))))
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        found: dict[int, Figures] = {}
        for size, figures in measured(given, folder):
            found[size] = figures
            print(json.dumps({"units": size} | figures), flush=True)
    names = list(dict.fromkeys(name for figures in found.values() for name in figures))
    rows = [(name, *(f"{found[size][name]:,.1f}" if name in found[size] else "-" for size in found)) for name in names]
    table("Scale", ("", *(f"{size:,} units" for size in found)), rows)
    if given.plot:
        from scale_plot import draw  # noqa: PLC0415  # needs matplotlib, an extra

        draw(found, given.plot, "processor time" if given.cpu else "wall time")


if __name__ == "__main__":
    main()

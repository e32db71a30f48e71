"""Similarity search beside SetSimilaritySearch, both warm in memory, and whole processes beside a scan of the files.

At the size of the real base, and at larger ones drawn from its words. The library has its best case: sets and request
tokens are ready, and three indexes are in memory. Both must find the same units.
"""

import argparse
import cProfile
import json
import os
import pstats
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from measure import ROOT, RTCKB, SHARED, base, in_turn, share, spread, table
from rivals import Library, installed
from synthetic import Words, build_of

from indexer.build import Sources, build
from indexer.reading.nim.reader import read_nim
from query.index import Index, open_index
from query.nim.contract import Request
from query.nim.matching import CANDIDATE_THRESHOLDS, matching_units, units_over_threshold
from query.nim.request import Given, recognize_request
from query.nim.request_text import RequestTokens, analyze
from query.nim.search import search_request

QUERY = "iOS 离线推送收不到，角标数字清不掉"
TAGS = ("推送", "离线推送", "角标")


def query_texts() -> list[str]:
    """The texts of the labelled queries, labels unread; without them there are only requests drawn from the base."""
    labelled = SHARED / "eval" / "nim-dev.jsonl"
    if labelled.is_file():
        return [json.loads(line)["query"] for line in labelled.read_text("utf-8").splitlines() if line.strip()]
    print(f"skip: no {os.path.relpath(labelled, ROOT)}; asking only what is drawn from the base")
    return []


def requests_of(index: Index, texts: Sequence[str], number: int, seed: int = 2) -> dict[str, list[Request]]:
    """Bare texts, and requests with every field: units of this base, some of their characters lost."""
    chance = random.Random(seed)  # noqa: S311  # equal requests in every run
    rows = index.rows(
        "SELECT id, product, display_title, description, root_cause, solution FROM nim_unit WHERE answered ORDER BY id"
    )
    drawn = []
    for unit, product, *prose in chance.sample(rows, min(number, len(rows))):
        tags = [tag for (tag,) in index.rows("SELECT tag FROM nim_tag WHERE unit = ? ORDER BY position", (unit,))]
        share_kept = chance.choice((0.95, 0.8, 0.6))
        title, description, cause, solution = (
            "".join(c for c in text[:600] if chance.random() < share_kept) for text in prose
        )
        given = Given(
            product=product or None,
            tags=tuple(tags[:4]),
            title=title,
            description=description,
            root_cause=cause or None,
            solution=solution or None,
        )
        drawn.append(recognize_request(index, analyze(index, title or "?"), given))
    found = {"with fields": drawn}
    if texts:
        found["bare text"] = [recognize_request(index, analyze(index, text), Given()) for text in texts[:number]]
    return found


def tokens_of(index: Index, request: Request) -> dict[str, frozenset[str]]:
    """Field -> the request's tokens."""
    tokens = RequestTokens.of(index, request)
    return {field: tokens.tags() if field == "tags" else getattr(tokens, field) for field in CANDIDATE_THRESHOLDS}


def found_in(index: Index, field: str, tokens: frozenset[str]) -> set[int]:
    """The units whose set reaches the field's threshold, by the posting lists."""
    return set(units_over_threshold(index, field, tokens, len(tokens)))


def differing(index: Index, library: Library, requests: Sequence[Request]) -> tuple[int, int]:
    """(searches whose answers differ, units found in all)."""
    wrong = total = 0
    for request in requests:
        for field, tokens in tokens_of(index, request).items():
            found, wanted = found_in(index, field, tokens), library.found(field, tokens)
            total += len(found)
            wrong += found != wanted
    return wrong, total


def milliseconds(
    call: Callable[[Any], object], values: Sequence[Any], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Each value's median over some rounds, after an unmeasured one."""
    times: list[list[float]] = [[] for _ in values]
    for number in range(rounds + 1):
        for place, value in enumerate(values):
            begin = clock()
            call(value)
            if number:
                times[place].append((clock() - begin) * 1000)
    return [median(found) for found in times]


def _cells(found: Sequence[float]) -> tuple[str, str]:
    return f"{share(found, 0.5):.2f}", f"{share(found, 0.95):.2f}"


def warm_rows(name: str, index: Index, given: argparse.Namespace, library: Library | None) -> list[list[str]]:
    """One row per kind of request: times, their ratio at p95, and whether the answers agree."""
    rows = []
    for kind, requests in requests_of(index, given.texts, given.requests).items():
        own = milliseconds(lambda r: matching_units(index, RequestTokens.of(index, r)), requests, given.rounds)
        whole = milliseconds(lambda r: search_request(index, r), requests, given.rounds)
        cells = [f"{name}, {kind}", *_cells(own), *_cells(whole), "", "", "", ""]
        if library:
            sets = [tokens_of(index, request) for request in requests]
            theirs = milliseconds(lambda s: [library.found(*item) for item in s.items()], sets, given.rounds)
            wrong, total = differing(index, library, requests)
            agree = f"all of {total}" if not wrong else f"{wrong} WRONG"
            cells[5:] = [*_cells(theirs), f"{share(own, 0.95) / share(theirs, 0.95):.2f}", agree]
        rows.append(cells)
    return rows


def profile(index: Index, requests: Sequence[Request]) -> None:
    """Where the time of ``search_request`` goes: the fifteen functions that take most by themselves."""
    with cProfile.Profile() as profiler:
        for request in requests:
            search_request(index, request)
    pstats.Stats(profiler, stream=sys.stdout).sort_stats("tottime").print_stats(15)


def whole_processes(indexes: dict[str, Path], nim: Path, rounds: int, bytecode: Path) -> None:
    """``rtckb nim`` at every size, beside the scan of the real base's files."""
    tags = [part for tag in TAGS for part in ("--tag", tag)]
    found = {"python -c 'import click, sqlite3'": [sys.executable, "-c", "import click, sqlite3"]}
    scan = str(Path(__file__).with_name("scan_files.py"))
    found["scan of the files, real"] = [sys.executable, scan, str(nim), QUERY, *TAGS]
    for name, path in indexes.items():
        found[f"rtckb nim, {name}"] = [*RTCKB, "nim", QUERY, *tags, "--db", str(path), "--format", "json"]
    runs = in_turn(found, rounds, bytecode)
    imports, files = (median(run.wall for run in runs[key]) for key in list(runs)[:2])
    rows = []
    for name, done in runs.items():
        middle = median(run.wall for run in done)
        cells = spread([run.wall for run in done], 1000, 1)
        rows.append((name, *cells, f"{middle / imports:.2f}", f"{middle / files:.3f}"))
    table(f"Whole process, {rounds} rounds", ("milliseconds", "median", "lowest", "p90", "/ imports", "/ scan"), rows)


def make(size: int | None, words: Words, nim: Path, target: Path) -> Path:
    """The index of the real base, or of a synthetic one of ``size`` units."""
    if not target.is_file():
        begin = time.perf_counter()
        if size is None:
            build(Sources(None, nim), target, jobs=2)
        else:
            build_of(words.base(size), target)
        print(f"{target.name}: {target.stat().st_size:,} bytes in {time.perf_counter() - begin:.0f} s", flush=True)
    return target


def main() -> None:
    """Measure, then print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10_000, 30_000, 100_000], metavar="UNITS")
    parser.add_argument("--requests", type=int, default=100, help="Requests of each kind, at each size.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="A folder in which the indexes stay for the next run.")
    parser.add_argument("--profile", action="store_true", help="Also profile search_request at the largest size.")
    given = parser.parse_args()
    given.texts = query_texts()
    nim, known = base("nim"), installed()
    with tempfile.TemporaryDirectory() as name:
        folder = given.keep or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        words = Words(read_nim(nim).units)
        rows, indexes = [], {}
        for size in (None, *given.sizes):
            label = f"{len(words.units):,} real" if size is None else f"{size:,} drawn"
            indexes[label] = make(size, words, nim, folder / f"{size or 'real'}.db")
            with open_index(indexes[label]) as index:
                rows += warm_rows(label, index, given, Library(index) if known else None)
        head = (
            "milliseconds",
            "qualifying p50",
            "p95",
            "search_request p50",
            "p95",
            "library p50",
            "p95",
            "q / l",
            "same",
        )
        table(f"Warm, {given.requests} requests of each kind, {given.rounds} rounds", head, rows)
        whole_processes(indexes, nim, max(5, given.rounds), Path(name) / "bytecode")
        if given.profile:
            with open_index(list(indexes.values())[-1]) as index:
                for requests in requests_of(index, given.texts, given.requests).values():
                    profile(index, requests)


if __name__ == "__main__":
    main()

"""``search_trtc`` in one process, over many queries: with one open index, and with the index opened each time."""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import yaml
from measure import ROOT, SHARED, built_index, share, table

from query.index import Index, open_index
from query.trtc.contract import Request
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request

OPEN, EACH = "one open index", "opened each time"


def query_texts() -> list[str]:
    """The texts of the labelled queries, or else the TRTC queries of the sample, after a printed line."""
    labelled = SHARED / "eval" / "trtc-dev.jsonl"
    if labelled.is_file():
        return [json.loads(line)["query"] for line in labelled.read_text("utf-8").splitlines() if line.strip()]
    print(f"skip: no {os.path.relpath(labelled, ROOT)}; asking the embedded sample's questions instead")
    questions = yaml.safe_load((ROOT / "indexer" / "data" / "sample" / "questions.yaml").read_text("utf-8"))
    return [q["command"][1] for q in questions if q["command"][0] == "trtc"]


def milliseconds_open(index: Index, requests: Sequence[Request]) -> list[float]:
    """Each request, answered from an index that is open."""
    found = []
    for request in requests:
        begin = time.perf_counter()
        search_trtc(index, request)
        found.append((time.perf_counter() - begin) * 1000)
    return found


def milliseconds_each(path: Path, requests: Sequence[Request]) -> list[float]:
    """Each request, its opening and closing of the index included."""
    found = []
    for request in requests:
        begin = time.perf_counter()
        with open_index(path) as index:
            search_trtc(index, request)
        found.append((time.perf_counter() - begin) * 1000)
    return found


def report(rounds: dict[str, list[list[float]]], texts: Sequence[str]) -> None:
    """Percentiles of each round, then the queries that take longest."""
    rows = []
    for name, found in rounds.items():
        cells = [name]
        for part in (0.5, 0.95, 1):
            values = [share(one, part) for one in found]
            cells += [f"{median(values):.2f}", f"{min(values):.2f}-{max(values):.2f}"]
        cells.append(f"{median(share(one, 0.5) for one in found) / median(share(r, 0.5) for r in rounds[OPEN]):.2f}")
        rows.append(cells)
    head = ("milliseconds", "p50", "rounds", "p95", "rounds", "slowest", "rounds", "p50 / open")
    table(f"Warm query, {len(texts)} queries, {len(rounds[OPEN])} rounds", head, rows)
    each = [median(times) for times in zip(*rounds[OPEN], strict=True)]
    for spent, text in sorted(zip(each, texts, strict=True), reverse=True)[:3]:
        print(f"  {spent:6.2f} ms  {len(text):3d} characters  {text[:60]!r}")


def main() -> None:
    """Measure, then print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--db", type=Path, help="The index [default: build one in a temporary folder].")
    given = parser.parse_args()
    texts = query_texts()
    with tempfile.TemporaryDirectory() as folder:
        path = built_index(given.db, Path(folder))
        rounds: dict[str, list[list[float]]] = {OPEN: [], EACH: []}
        with open_index(path) as index:
            requests = [check_request(index, text, None, None, None, 5) for text in texts]
            milliseconds_open(index, requests)  # unmeasured
            for _ in range(given.rounds):
                rounds[OPEN].append(milliseconds_open(index, requests))
                rounds[EACH].append(milliseconds_each(path, requests))
    report(rounds, texts)


if __name__ == "__main__":
    main()

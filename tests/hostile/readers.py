"""Readers that open and search a file again and again while it is replaced."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from indexer.store.publish import publishing
from query.index import open_index
from query.nim.request import Given
from query.nim.search import search_nim
from query.show import info
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request


def answers(db: Path) -> str:
    """Open the index once and search both halves; everything must come from one file."""
    with open_index(db) as index:
        trtc = search_trtc(index, check_request(index, "弹幕 -4215", None, None, None))[0].as_dict()
        nim = search_nim(index, "桌面角标清不掉", Given()).as_dict()
        return repr((info(index)["digest"], trtc, nim))


def replaced(target: Path, files: Sequence[Path], times: int, readers: int) -> tuple[int, list[str]]:
    """Publish the files in turn while readers search; the number of answers, and what was wrong with them."""
    known = {answers(path) for path in files}
    assert len(known) == len(files)
    target.write_bytes(files[0].read_bytes())
    seen: list[str] = []
    wrong: list[str] = []
    stop = threading.Event()
    threads = [threading.Thread(target=_read, args=(target, seen.append, wrong, stop)) for _ in range(readers)]
    for thread in threads:
        thread.start()
    for number in range(times):
        with publishing(target) as temporary:
            temporary.write_bytes(files[number % len(files)].read_bytes())
        stop.wait(0.02)
    stop.set()
    for thread in threads:
        thread.join()
    wrong += [f"an answer of neither file: {answer[:200]}" for answer in set(seen) - known]
    return len(seen), wrong


def _read(target: Path, record: Callable[[str], None], wrong: list[str], stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            record(answers(target))
        except Exception as error:  # any exception is a failure
            wrong.append(repr(error))

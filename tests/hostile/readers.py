"""Readers that ask again and again while the file is replaced under its name."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from indexer.store.publish import publishing
from query.index import open_index
from query.nim.request import Given, recognize_request
from query.nim.search import search_nim
from query.show import info
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request


def answers(db: Path) -> str:
    """One opening of the index, asked through each half: all of it is of one file."""
    with open_index(db) as index:
        trtc = search_trtc(index, check_request(index, "弹幕 -4215", None, None, None))[0].as_dict()
        nim = search_nim(index, recognize_request(index, "桌面角标清不掉", Given())).as_dict()
        return repr((info(index)["digest"], trtc, nim))


def replaced(target: Path, generations: Sequence[Path], times: int, readers: int) -> tuple[int, list[str]]:
    """Publish the generations in turn while readers ask; how many answers came, and what was wrong with them."""
    known = {answers(path) for path in generations}
    assert len(known) == len(generations)
    target.write_bytes(generations[0].read_bytes())
    seen: list[str] = []
    wrong: list[str] = []
    stop = threading.Event()
    threads = [threading.Thread(target=_read, args=(target, seen.append, wrong, stop)) for _ in range(readers)]
    for thread in threads:
        thread.start()
    for number in range(times):
        with publishing(target) as temporary:
            temporary.write_bytes(generations[number % len(generations)].read_bytes())
        stop.wait(0.02)
    stop.set()
    for thread in threads:
        thread.join()
    wrong += [f"an answer of no generation: {answer[:200]}" for answer in set(seen) - known]
    return len(seen), wrong


def _read(target: Path, see: Callable[[str], None], wrong: list[str], stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            see(answers(target))
        except Exception as error:  # whatever it is, it is what this looks for
            wrong.append(repr(error))

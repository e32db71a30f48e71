"""Mutated queries: real ones with operators, codes, other scripts, control characters and lengths."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from query.errors import UsageError
from query.index import Index, open_index
from query.limits import sanitize_text
from query.nim.contract import Grade
from query.nim.explain import explain as explain_nim
from query.nim.explain import explanation
from query.nim.request import Given
from query.nim.search import search_nim
from query.nim.text import as_text
from query.output import render
from query.trtc.contract import Status
from query.trtc.explain import explain, pages_read
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request
from query.trtc.text import report

#: The queries to mutate if there are no labelled ones beside the checkout.
_PLAIN = (
    "弹幕怎么发",
    "直播间怎么打开耳返",
    "screen share 没声音咋办",
    "登录返回302怎么处理",
    "桌面角标清不掉",
    "-4215",
)
_OPERATORS = (
    *"\"'`*()[]{}^:;,+-~?!@#$%&|\\/<>=",
    " AND ",
    " OR ",
    " NOT ",
    "NEAR(",
    '""',
    "title:",
    "-- ",
    "/*",
    "';--",
)
_CODES = (
    "-1002",
    "414",
    "0x1F",
    "ERR_NEED_PASSWORD",
    "错误码：-100006",
    "60004~60005",
    "９１",
    "−4215",
    "code=-1",
    "1e999",
)
_SCRIPTS = (
    "สวัสดี",
    "안녕",
    "שלום",
    "👨‍👩‍👧",
    "𠀀𠮷",
    "離線",
    "ＩＯＳ",
    "e\u0301" * 9,
    "ﬁ",
    "²",
    "٤٠٠",
    "ı",
    "ß",
    "ά",
    "\uf92d",
)
_CONTROLS = (
    "\0",
    "\x1b[31m",
    "\u2028",
    "\ufeff",
    "\u202e",
    "\u200b",
    "\x85",
    "\ud83d",
    "\udcff",
    "\uffff",
    "\r\n",
    "\t",
)
_OPTIONS: dict[str, Sequence[str | None]] = {
    "product": (None, None, "live", "conference", "chat", "rtc-engine"),
    "platform": (None, None, "ios", "web", "flutter"),
    "intent": (None, None, "error-code", "pattern", "feature", "troubleshoot"),
}


def originals(*labelled: Path) -> list[str]:
    """The queries of labelled files, else a few plain ones."""
    rows = [json.loads(line) for path in labelled if path.is_file() for line in path.read_text("utf-8").splitlines()]
    return [row["query"] for row in rows] or list(_PLAIN)


def mutated(rng: random.Random, real: Sequence[str]) -> str:
    """A real query with up to four changes."""
    text = rng.choice(real)
    for _ in range(rng.randrange(5)):
        text = rng.choice(_CHANGES)(rng, text, real)
    return text


def _insert(rng: random.Random, text: str, _: Sequence[str]) -> str:
    inserted = rng.choice(rng.choice((_OPERATORS, _CODES, _SCRIPTS, _CONTROLS)))
    at = rng.randrange(len(text) + 1)
    return text[:at] + inserted + text[at:]


def _noise(rng: random.Random, text: str, _: Sequence[str]) -> str:
    last = rng.choice((0x7F, 0xFF, 0x2FFF, 0x9FFF, 0xFFFF, 0x10FFFF))
    return text + "".join(chr(rng.randrange(last + 1)) for _ in range(rng.randrange(12)))


def _cut(rng: random.Random, text: str, _: Sequence[str]) -> str:
    start, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
    return text[:start] + text[end:] if rng.random() < 0.5 else text[start:end]


def _join(rng: random.Random, text: str, real: Sequence[str]) -> str:
    return text + rng.choice(("", " ", "，", "\n", "/")) + rng.choice(real)


def _shuffle(rng: random.Random, text: str, _: Sequence[str]) -> str:
    return "".join(rng.sample(text, len(text)))


def _recase(rng: random.Random, text: str, _: Sequence[str]) -> str:
    return rng.choice((str.upper, str.lower, str.swapcase, str.title))(text)


def _lengthen(rng: random.Random, text: str, _: Sequence[str]) -> str:
    return (text * rng.choice((2, 3, 10, 100)))[:6000] if rng.random() < 0.1 else text + text[-3:]


_CHANGES: tuple[Callable[[random.Random, str, Sequence[str]], str], ...] = (
    _insert,
    _insert,
    _insert,
    _noise,
    _cut,
    _join,
    _shuffle,
    _recase,
    _lengthen,
)


def ask_many(db: Path, real: Sequence[str], seeds: Iterator[int]) -> Iterator[tuple[int, str]]:
    """Search for one query per seed, in each half in turn; (seed, what was wrong or an empty text)."""
    with open_index(db) as index:
        for seed in seeds:
            rng = random.Random(seed)  # noqa: S311  # the same seed gives the same query
            text = sanitize_text(mutated(rng, real))
            try:
                (_ask_trtc if seed % 2 else _ask_nim)(index, rng, text)
            except UsageError:
                yield seed, ""
            except Exception as error:  # any exception is a failure
                yield seed, f"{text!r}: {error!r}"
            else:
                yield seed, ""


def _ask_trtc(index: Index, rng: random.Random, text: str) -> None:
    options = {name: rng.choice(values) for name, values in _OPTIONS.items()}
    response, search = search_trtc(index, check_request(index, text, **options, limit=rng.choice((1, 3, 5, 50))))
    siblings = {"explain": explain(search, response), "content": pages_read(search, response)}
    document = {"response": response.as_dict(), **siblings}
    _check_printed(document, report(search, response, siblings), rng)
    found = document["response"]
    assert (found["status"] in {Status.MATCHED, Status.STATUS_PLANNED}) == bool(found["matches"])
    assert (found["status"] == Status.AMBIGUOUS_PRODUCT) == bool(found["ambiguous_candidates"])
    assert found["matches"] or found["reason"]
    read = [path for match in found["matches"] for path in match["file_paths_read"]]
    assert len(siblings["content"]) == len(read)


def _ask_nim(index: Index, rng: random.Random, text: str) -> None:
    fields = {name: text[:: rng.choice((1, -1))] for name in ("title", "root_cause") if rng.random() < 0.2}
    tags = tuple(text.split()[:3]) if rng.random() < 0.3 else ()
    answer = search_nim(index, text, Given(**fields, tags=tags))
    explained = explain_nim(index, answer)
    document = {"response": answer.as_dict(), "explain": explained}
    printed = as_text(answer, with_nearest=True, explanation=explanation(explained))
    _check_printed(document, printed, rng)
    assert printed.split("\n")[0] == answer.marker == " ".join(answer.marker.split())
    assert {match["grade"] for match in document["response"]["matches"]} <= set(Grade)
    assert len(answer.matches) == min(answer.qualified, 5)
    assert len(answer.nearest) <= 5


def _check_printed(document: dict[str, Any], text: str, rng: random.Random) -> None:
    """The printed JSON is read back as the document, and the YAML too (for a few: reading it is slow)."""
    assert json.loads(render(document, "json", text)) == json.loads(json.dumps(document))
    assert render(document, "text", text).encode("utf-8", "strict")
    if rng.random() < 0.002:
        assert yaml.safe_load(render(document, "yaml", text)) == json.loads(json.dumps(document))

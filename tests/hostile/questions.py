"""Questions by the million: mutations of real ones, codes, operators, scripts, control characters, lengths."""

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
from query.nim.request import Given, recognize_request
from query.nim.search import search_nim
from query.nim.text import as_text
from query.output import render
from query.trtc.contract import Status
from query.trtc.explain import explain, pages_read
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request
from query.trtc.text import report

#: Without the labelled questions beside the checkout, these are mutated.
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
    """The questions of labelled files, else a few plain ones."""
    rows = [json.loads(line) for path in labelled if path.is_file() for line in path.read_text("utf-8").splitlines()]
    return [row["query"] for row in rows] or list(_PLAIN)


def mutated(chance: random.Random, real: Sequence[str]) -> str:
    """One question: a real one, changed in up to four places."""
    text = chance.choice(real)
    for _ in range(chance.randrange(5)):
        text = chance.choice(_CHANGES)(chance, text, real)
    return text


def _insert(chance: random.Random, text: str, _: Sequence[str]) -> str:
    what = chance.choice(chance.choice((_OPERATORS, _CODES, _SCRIPTS, _CONTROLS)))
    at = chance.randrange(len(text) + 1)
    return text[:at] + what + text[at:]


def _noise(chance: random.Random, text: str, _: Sequence[str]) -> str:
    last = chance.choice((0x7F, 0xFF, 0x2FFF, 0x9FFF, 0xFFFF, 0x10FFFF))
    return text + "".join(chr(chance.randrange(last + 1)) for _ in range(chance.randrange(12)))


def _cut(chance: random.Random, text: str, _: Sequence[str]) -> str:
    start, end = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    return text[:start] + text[end:] if chance.random() < 0.5 else text[start:end]


def _join(chance: random.Random, text: str, real: Sequence[str]) -> str:
    return text + chance.choice(("", " ", "，", "\n", "/")) + chance.choice(real)


def _shuffle(chance: random.Random, text: str, _: Sequence[str]) -> str:
    return "".join(chance.sample(text, len(text)))


def _recase(chance: random.Random, text: str, _: Sequence[str]) -> str:
    return chance.choice((str.upper, str.lower, str.swapcase, str.title))(text)


def _lengthen(chance: random.Random, text: str, _: Sequence[str]) -> str:
    return (text * chance.choice((2, 3, 10, 100)))[:6000] if chance.random() < 0.1 else text + text[-3:]


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
    """Ask one question a seed, of each half in turn; (seed, what was wrong, or nothing)."""
    with open_index(db) as index:
        for seed in seeds:
            chance = random.Random(seed)  # noqa: S311  # a seed gives its question again
            text = sanitize_text(mutated(chance, real))
            try:
                (_ask_trtc if seed % 2 else _ask_nim)(index, chance, text)
            except UsageError:
                yield seed, ""
            except Exception as error:  # whatever it is, it is what this looks for
                yield seed, f"{text!r}: {error!r}"
            else:
                yield seed, ""


def _ask_trtc(index: Index, chance: random.Random, text: str) -> None:
    options = {name: chance.choice(values) for name, values in _OPTIONS.items()}
    response, search = search_trtc(index, check_request(index, text, **options, limit=chance.choice((1, 3, 5, 50))))
    siblings = {"explain": explain(search, response), "content": pages_read(search, response)}
    document = {"response": response.as_dict(), **siblings}
    _check_printed(document, report(search, response, siblings), chance)
    found = document["response"]
    assert (found["status"] in {Status.MATCHED, Status.STATUS_PLANNED}) == bool(found["matches"])
    assert (found["status"] == Status.AMBIGUOUS_PRODUCT) == bool(found["ambiguous_candidates"])
    assert found["matches"] or found["reason"]
    read = [path for match in found["matches"] for path in match["file_paths_read"]]
    assert len(siblings["content"]) == len(read)


def _ask_nim(index: Index, chance: random.Random, text: str) -> None:
    fields = {name: text[:: chance.choice((1, -1))] for name in ("title", "root_cause") if chance.random() < 0.2}
    tags = tuple(text.split()[:3]) if chance.random() < 0.3 else ()
    answer = search_nim(index, recognize_request(index, text, Given(**fields, tags=tags)))
    explained = explain_nim(index, answer)
    document = {"response": answer.as_dict(), "explain": explained}
    printed = as_text(answer, with_nearest=True, explanation=explanation(explained))
    _check_printed(document, printed, chance)
    assert printed.split("\n")[0] == answer.marker == " ".join(answer.marker.split())
    assert {match["grade"] for match in document["response"]["matches"]} <= set(Grade)
    assert len(answer.matches) == min(answer.qualified, 5)
    assert len(answer.nearest) <= 5


def _check_printed(document: dict[str, Any], text: str, chance: random.Random) -> None:
    """What is printed is whole: JSON gives the document back, YAML too (for some: reading it is slow)."""
    assert json.loads(render(document, "json", text)) == json.loads(json.dumps(document))
    assert render(document, "text", text).encode("utf-8", "strict")
    if chance.random() < 0.002:
        assert yaml.safe_load(render(document, "yaml", text)) == json.loads(json.dumps(document))

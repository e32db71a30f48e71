"""Requests to the NIM search without the command line, small bases, and the comparison of a request with every unit."""

import json
import re
import sqlite3
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from indexer.build import Sources, build
from indexer.lexicon import load_variants
from indexer.reading.nim.values import is_placeholder
from query.analysis.posting_lists import bits_of, unpack_numbers
from query.analysis.tokens import TokenMode, join_tokens
from query.index import Index, open_index
from query.nim.contract import Answer, Modes, Request, TagMode
from query.nim.request import Given, recognize_request
from query.nim.request_text import analyze
from query.nim.search import search_request

EMPTY = Request("", None, "", "", "", "", (), "", "", "", "", {})


def make_request(**fields: Any) -> Request:
    """A request with these fields; every other is empty."""
    return EMPTY._replace(**fields)


def search(db: Path, request: Request) -> Answer:
    """The answer to a recognized request."""
    with open_index(db) as index:
        return search_request(index, request)


def recognize(db: Path, text: str, **given: Any) -> Request:
    """The request that is recognized in a text and in given parameters."""
    with open_index(db) as index:
        return recognize_request(index, analyze(index, text), Given(**given))


def page(track_type: str = "排查类", symptom: str = "", **fields: Any) -> str:
    """The page of a single-document case."""
    head = {"track_type": track_type, "product": "IM-SDK", "feature": "登录", "platform": "iOS", "title": "甲乙丙丁"}
    head |= {"tags": ["甲"], "customers": ["客户a"], "created": "2026-01-01", "updated": "2026-01-02"} | fields
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items() if value is not None]
    return "---\n" + "\n".join(lines) + f"\n---\n\n## 问题详情\n\n**现象**：\n{symptom}\n"


def build_base(folder: Path, pages: Mapping[str, str]) -> Path:
    """An index of pages by path; ``Sources`` reads ``folder``."""
    for path, text in pages.items():
        target = folder / "knowledge" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    build(Sources(None, folder), folder / "nim.db")
    return folder / "nim.db"


def sets_of(index: Index, field: str) -> dict[int, str]:
    """Unit -> its token set of a field, joined, read back from the posting lists; empty sets are left out."""
    sizes = index.rows("SELECT first_rank, units FROM nim_set_size WHERE field = ? ORDER BY size", (field,))
    units = [unit for _, packed in sizes for unit in unpack_numbers(packed)]
    assert [first for first, _ in sizes] == [units.index(unpack_numbers(packed)[0]) for _, packed in sizes]
    found: dict[int, list[str]] = {unit: [] for unit in units}
    for token, ranks in index.rows("SELECT token, ranks FROM nim_posting WHERE field = ?", (field,)):
        bits = bits_of(ranks, 0, len(units) // 8 + 1)
        for rank in (rank for rank in range(len(units)) if bits >> rank & 1):
            found[units[rank]].append(token)
    return {unit: join_tokens(tokens) for unit, tokens in found.items()}


# ── The brute force: the rules of docs/decisions/nim.md by plain sets and fractions, every unit compared ─────────

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
VARIANTS = load_variants()
_GENERIC = {"通用", "咨询", "sdk", "demo"}


@cache
def fold(text: str) -> str:
    """Lower case, NFKC."""
    return unicodedata.normalize("NFKC", text).lower()


@cache
def simplified(text: str, modes: Modes) -> str:
    """Simplified characters, except with ``literal``."""
    return fold(text) if modes.literal else fold(text).translate(VARIANTS)


@cache
def tokens(text: str, modes: Modes) -> frozenset[str]:
    """The tokens of a text in a token mode."""
    mode, text = modes.token, simplified(text, modes)
    latin = re.findall("[a-z0-9_]+", text)
    runs = re.findall(f"[{_HAN}]+", text)
    if mode is TokenMode.CHAR:
        return frozenset([*latin, *"".join(runs)])
    if mode is TokenMode.RUN:
        return frozenset(latin + runs)
    pairs = [run[i : i + 2] for run in runs for i in range(max(1, len(run) - 1))]
    return frozenset(latin + pairs)


def tag_tokens(tags: Sequence[str], own: set[str], modes: Modes) -> frozenset[str]:
    """The tokens of tags, without generic ones and the unit's own names."""
    folded = [fold(tag).strip() for tag in tags if tag.strip()]
    kept = [tag for tag in folded if modes.literal or not (tag in own or tag in _GENERIC)]
    if modes.tag is TagMode.WHOLE:
        return frozenset(simplified(tag, modes) for tag in kept)
    return tokens(" ".join(kept), modes)


def similarity(one: frozenset[str], other: frozenset[str]) -> Fraction:
    """Jaccard similarity."""
    shared = len(one & other)
    return _share(shared, len(one) + len(other) - shared)


@cache
def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


@dataclass
class Unit:
    """One row of ``nim_unit`` with its lists, and its token sets by mode, computed once."""

    row: Mapping[str, Any]
    tags: list[str]
    platforms: list[str]
    customers: list[str]

    def __post_init__(self) -> None:
        self.ref = (self.row["path"], self.row["entry"])
        self.own = {fold(name).strip() for name in (self.row["product"], self.row["platform"], *self.platforms)}
        self._sets: dict[Modes, tuple[frozenset[str], ...]] = {}

    @cached_property
    def text(self) -> tuple[str, ...]:
        """The texts that are equal in all copies of a case."""
        names = ("display_title", "root_cause", "solution")
        return tuple(" ".join(fold(self.row[name]).split()) for name in names)

    def title(self, modes: Modes) -> str:
        """The compared title: a useless one only with ``literal``."""
        return str(self.row["title" if modes.literal else "display_title"])

    def real(self, name: str, modes: Modes) -> str:
        """A text of the row; a placeholder is empty except with ``literal``."""
        text = str(self.row[name])
        return "" if not modes.literal and is_placeholder(text) else text

    def sets(self, modes: Modes) -> tuple[frozenset[str], ...]:
        """Title, tags, description, conclusion."""
        if modes not in self._sets:
            cause = self.real("root_cause", modes)
            conclusion = f"{cause} {self.real('solution', modes)}" if cause else ""
            texts = (self.title(modes), str(self.row["description"]), conclusion)
            title, description, both = (tokens(text, modes) for text in texts)
            self._sets[modes] = (title, tag_tokens(self.tags, self.own, modes), description, both)
        return self._sets[modes]


@dataclass
class Base:
    """Every unit of an index, in its order."""

    units: list[Unit]

    @classmethod
    def read(cls, db: Path) -> "Base":
        """All units of an index."""
        connection = sqlite3.connect(f"{db.as_uri()}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        rows = connection.execute("SELECT * FROM nim_unit ORDER BY id").fetchall()
        lists: dict[str, dict[int, list[str]]] = {}
        for name, order in (("tag", "position"), ("customer", "position"), ("platform", "platform")):
            lists[name] = {}
            for unit, value in connection.execute(f"SELECT unit, {name} FROM nim_{name} ORDER BY unit, {order}"):
                lists[name].setdefault(unit, []).append(value)
        connection.close()
        return cls(
            [
                Unit(dict(row), *(lists[name].get(row["id"], []) for name in ("tag", "platform", "customer")))
                for row in rows
            ]
        )


@dataclass
class Verdict:
    """One qualifying unit as the brute force grades it."""

    unit: Unit
    high: bool
    score: Fraction
    parts: dict[str, Fraction]


def grade(request: Request, unit: Unit) -> Verdict | None:
    """The verdict on one unit by the rule of its track type; None if it does not qualify."""
    modes, sets = request.modes, unit.sets(request.modes)
    tags = similarity(tag_tokens(request.tags, unit.own, modes), sets[1])
    title = similarity(tokens(request.title, modes), sets[0])
    description = similarity(tokens(request.description, modes), sets[2])
    parts = {"tags": tags, "title": title, "description": description}
    tags_and_title = (6 * tags + 4 * title) / 10
    if unit.row["track_type"] != "排查类":
        return (
            Verdict(unit, tags_and_title >= Fraction(65, 100), tags_and_title, parts)
            if tags_and_title >= Fraction(40, 100)
            else None
        )
    cause = request.root_cause.strip() if modes.literal else tokens(request.root_cause, modes)
    if not (cause and unit.real("root_cause", modes)):
        return Verdict(unit, False, tags_and_title, parts) if tags_and_title >= Fraction(50, 100) else None
    conclusion = similarity(tokens(f"{request.root_cause} {request.solution}", modes), sets[3])
    high = description >= Fraction(55, 100)
    return (
        Verdict(unit, high, conclusion, parts | {"conclusion": conclusion}) if conclusion >= Fraction(60, 100) else None
    )


def order(request: Request) -> Callable[[Verdict], tuple[Any, ...]]:
    """The sort key of verdicts, best first. The dates of the base are all written alike, so they sort as texts."""
    as_typed = request.modes._replace(literal=True)
    title = tokens(request.title, as_typed)

    def key(verdict: Verdict) -> tuple[Any, ...]:
        row, unit = verdict.unit.row, verdict.unit
        literal = request.modes.literal
        day = (row["updated"] or row["created"]).ljust(10, "\0")
        return (
            not verdict.high,
            -verdict.score,
            bool(request.feature) and fold(row["feature_folder"]) != fold(request.feature),
            bool(request.product) and row["scope"] != request.product,
            not {request.platform, "通用"} & set(unit.platforms),
            -len(title & tokens(unit.title(request.modes), as_typed)),
            not (row["solution"] if literal else unit.real("solution", request.modes)),
            [-ord(character) for character in day],
            *unit.ref,
        )

    return key


def levels(base: Base, request: Request) -> list[tuple[str, list[Unit]]]:
    """Each scan level with its units."""
    found: list[tuple[str, list[Unit]]] = []
    if request.product:
        product = [unit for unit in base.units if unit.row["scope"] == request.product]
        wanted, folders = fold(request.feature), {fold(unit.row["feature_folder"]) for unit in product}
        near = {f for f in folders if wanted and f and (wanted in f or f in wanted)}
        inside = [u for u in product if fold(u.row["feature_folder"]) in ({wanted} if wanted in near else near)]
        found += [("L1 - 同功能", inside)] if inside else []
        found.append(("L2 - 跨平台", product))
    return [*found, ("L3 - 全库", base.units)]


def grades(base: Base, request: Request) -> list[Verdict]:
    """Every pair that qualifies."""
    return [verdict for verdict in (grade(request, unit) for unit in base.units) if verdict]


def brute_force(base: Base, request: Request, qualified: list[Verdict]) -> dict[str, Any]:
    """The answer without its nearest cases and notes, copies merged."""
    verdicts = {verdict.unit.ref: verdict for verdict in qualified}
    key = order(request)
    for name, units in levels(base, request):  # noqa: B007  # the level at which the scan ends is used below
        groups: dict[Any, list[Verdict]] = {}
        for verdict in (verdicts[unit.ref] for unit in units if unit.ref in verdicts):
            same = verdict.unit.ref if request.modes.literal else verdict.unit.text
            groups.setdefault(same, []).append(verdict)
        if len(groups) >= 3:
            break
    best = sorted((min(group, key=key) for group in groups.values()), key=key)[:5]
    matches = [_shown(base, request, verdict) for verdict in best]
    return {"level": name, "scanned": len(units), "qualified": len(groups), "matches": matches}


def _shown(base: Base, request: Request, best: Verdict) -> dict[str, Any]:
    copies = [unit for unit in base.units if unit.text == best.unit.text and not request.modes.literal]
    every = {unit.ref: unit for unit in (best.unit, *copies)}.values()
    members = sorted(every, key=lambda u: (u.row["scope"] != request.product, u is not best.unit, u.ref))
    return {
        "ref": members[0].ref,
        "grade": "高度匹配" if best.high else "可能相关",
        "score": _rounded(best.score),
        "scores": {name: _rounded(part) for name, part in best.parts.items()},
        "title": best.unit.title(request.modes),
        "customers": list(dict.fromkeys(name for unit in members for name in unit.customers)),
        "updated": max(unit.row["updated"] or unit.row["created"] for unit in members),
        "frequency": sum(unit.row["frequency"] for unit in members),
        "duplicates": [path + (f"#{entry}" if entry else "") for path, entry in (unit.ref for unit in members[1:])],
    }


def _rounded(share: Fraction) -> float:
    """Two decimals, half up."""
    return int(share * 100 + Fraction(1, 2)) / 100


def exact(ratio: Any) -> Fraction:
    """A ratio of the product as a fraction."""
    return Fraction(ratio.numerator, ratio.denominator)

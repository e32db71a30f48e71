"""The whole answer: against the brute force on random requests, and scan levels, order, copies and notes."""

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from nim_support import Base, brute_force, build_base, exact, grades, make_request, page, recognize, search

from query.analysis.tokens import TokenMode
from query.index import Index, open_index
from query.nim.contract import Answer, Grade, Level, Modes, Request, TagMode, TrackType
from query.nim.matching import Graded, matching_units
from query.nim.request import Given
from query.nim.request_text import RequestTokens
from query.nim.search import marker_line, match_order, scan_levels, search_nim, search_request
from query.nim.similarity import Ratio
from query.nim.units import UnitRow, load_units

MODES = [Modes(*mode) for mode in product(TokenMode, TagMode, (False, True))]
#: Numbers of random requests. On the real base a request in a mode that is not compiled takes half a second.
ON_THE_SAMPLE = 192
ON_SHORT_TEXTS = 192
ON_THE_REAL_BASE = 105
SLOWLY_ON_THE_REAL_BASE = 11
PLACEHOLDER_TAGS = ("SDK", "通用", "咨询", "Demo", "ｓｄｋ", "iOS", "安卓", "Android", "IM-SDK", "RTC", "短信")


def request_near(chance: random.Random, base: Base, modes: Modes) -> Request:
    """A request made by mutating one unit, or two."""
    unit, other = chance.choice(base.units), chance.choice(base.units)
    row = unit.row
    tags = [tag for tag in unit.tags if chance.random() < 0.85]
    tags += chance.sample(other.tags, min(len(other.tags), chance.choice((0, 0, 0, 1, 2))))
    tags += [chance.choice((row["product"], row["platform"], *PLACEHOLDER_TAGS))] * (chance.random() < 0.4)
    chance.shuffle(tags)
    with_cause = chance.random() < 0.5
    return make_request(
        product=chance.choice((row["scope"], row["scope"], other.row["scope"], "", "没有的产品")),
        feature=chance.choice((row["feature_folder"], other.row["feature_folder"], row["feature_folder"][:2], "")),
        platform=chance.choice((*unit.platforms, *other.platforms, "")),
        tags=tuple(tags),
        title=cut(chance, unit.title(modes), other.title(modes)),
        description=cut(chance, row["description"], other.row["description"]),
        root_cause=cut(chance, unit.real("root_cause", modes), other.row["root_cause"]) if with_cause else "",
        solution=cut(chance, row["solution"], other.row["solution"]) if with_cause else "",
        modes=modes,
    )


def cut(chance: random.Random, text: str, other: str) -> str:
    """The text whole, a part of it, with some of another, or nothing."""
    mutations: tuple[Callable[[], str], ...] = (
        lambda: text,
        lambda: text,
        lambda: text[: chance.randrange(len(text) + 1)],
        lambda: text[chance.randrange(len(text) // 3 + 1) :] + other[: chance.randrange(len(other) // 3 + 1)],
        lambda: text.upper() + "！",
        lambda: "",
    )
    return chance.choice(mutations)()


def shown(answer: Answer) -> dict[str, Any]:
    """The part of an answer that the brute force computes too."""
    document = answer.as_dict()
    names = ("grade", "score", "scores", "title", "customers", "updated", "frequency", "duplicates")
    return {
        "level": document["scan"]["level"],
        "scanned": document["scan"]["units"],
        "qualified": document["scan"]["qualified"],
        "matches": [
            {"ref": (match["path"], match["entry"] or 0)} | {name: match[name] for name in names}
            for match in document["matches"]
        ],
    }


def graded(index: Index, request: Request) -> list[tuple[int, bool, Fraction]]:
    """Each qualifying unit, whether its grade is the high one, and its exact score."""
    return [
        (g.unit, g.grade is Grade.HIGH, exact(g.score)) for g in matching_units(index, RequestTokens.of(index, request))
    ]


def compare(db: Path, base: Base, seed: int, modes: list[Modes], count: int, exactly: bool = True) -> int:
    """Search random requests; the number with a match. ``exactly``: also compare the exact score of each unit."""
    chance = random.Random(seed)  # noqa: S311  # repeatable requests, no secrets
    matched = 0
    with open_index(db) as index:
        for number in range(count):
            request = request_near(chance, base, modes[number % len(modes)])
            wanted = grades(base, request)
            answer = search_request(index, request)
            assert shown(answer) == brute_force(base, request, wanted), request
            if exactly:
                assert graded(index, request) == [(v.unit.row["id"], v.high, v.score) for v in wanted], request
            matched += bool(answer.matches)
    return matched


def test_brute_force_on_the_sample(sample_db: Path) -> None:
    """In every mode the answer is the same as that of a comparison with every unit, including ties and exact scores."""
    assert compare(sample_db, Base.read(sample_db), 20260601, MODES, ON_THE_SAMPLE) > ON_THE_SAMPLE / 3


@pytest.fixture(scope="module")
def short_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base of short texts over few characters, rare and common ones: most similarities lie near a threshold."""
    chance = random.Random(20260604)  # noqa: S311  # a repeatable base, no secrets
    pages = {}
    for number in range(250):
        folder = chance.choice(("IM-SDK/推送", "IM-SDK/登录", "RTC/推送"))
        pages[f"{folder}/{number}.md"] = page(
            chance.choice(("排查类", "咨询类")),
            symptom=short(chance, 6),
            title=short(chance, 5) or "通",
            tags=[tag for tag in short_tags(chance) if tag],
            product=folder.partition("/")[0],
            platform=chance.choice(("iOS", "Web")),
            root_cause=short(chance, 4) or chance.choice(("", "待排查")),
            solution=short(chance, 3),
        )
    return build_base(tmp_path_factory.mktemp("short"), pages)


def short(chance: random.Random, longest: int) -> str:
    """A few characters of an alphabet, the first ones more often."""
    return "".join(
        "甲乙丙丁戊己庚辛壬癸子丑寅卯"[int(13.99 * chance.random() ** 2)] for _ in range(chance.randrange(longest + 1))
    )


def short_tags(chance: random.Random) -> list[str]:
    """Some short tags, and names of products and platforms, which are not compared with some units."""
    names = [name for name in ("IM-SDK", "RTC", "iOS", "Web", "SDK") if chance.random() < 0.2]
    return [*(short(chance, 2) for _ in range(chance.randrange(4))), *names]


def test_brute_force_on_short_texts(short_db: Path) -> None:
    """A unit that just reaches a threshold is found, and one that just misses it is not."""
    base, chance = Base.read(short_db), random.Random(20260605)  # noqa: S311  # repeatable requests, no secrets
    scores = set()
    with open_index(short_db) as index:
        for _ in range(ON_SHORT_TEXTS):
            request = make_request(
                product=chance.choice(("IM-SDK", "RTC", "")),
                feature=chance.choice(("推送", "")),
                platform=chance.choice(("iOS", "")),
                title=short(chance, 5),
                tags=tuple(short_tags(chance)),
                description=short(chance, 6),
                root_cause=short(chance, 4),
                solution=short(chance, 3),
            )
            wanted = grades(base, request)
            assert graded(index, request) == [(v.unit.row["id"], v.high, v.score) for v in wanted], request
            assert shown(search_request(index, request)) == brute_force(base, request, wanted), request
            scores |= {str(verdict.score) for verdict in wanted}
    assert {"2/5", "1/2", "3/5", "13/20"} <= scores


@pytest.fixture(scope="module")
def real_base(real_db: Path) -> Base:
    """The real base with its token sets."""
    return Base.read(real_db)


def test_brute_force_on_the_real_base(real_db: Path, real_base: Base) -> None:
    """On the real base, the compiled sets give the same answer as a comparison with every unit."""
    assert compare(real_db, real_base, 20260602, [Modes()], ON_THE_REAL_BASE) > ON_THE_REAL_BASE / 3


def test_brute_force_on_the_real_base_in_other_modes(real_db: Path, real_base: Base) -> None:
    """So do the modes whose token sets are computed at the time of the request."""
    modes = [mode for mode in MODES if not mode.compiled]
    assert (
        compare(real_db, real_base, 20260603, modes, SLOWLY_ON_THE_REAL_BASE, exactly=False)
        > SLOWLY_ON_THE_REAL_BASE / 4
    )


# ── Scan levels and order ────────────────────────────────────────────────────────────────────────────────────


def consult(title: str = "甲乙丙", **fields: Any) -> str:
    """A 咨询类 page with the tags of ``REQUEST``."""
    return page("咨询类", **{"title": title, "tags": ["丁戊"], "feature": "登录", "solution": title} | fields)


REQUEST = make_request(tags=("丁戊",), title="甲乙丙", product="IM-SDK", feature="登录", platform="iOS")


@pytest.fixture(scope="module")
def levels_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two cases in the feature (one twice), one more in the product, one in another product."""
    return build_base(
        tmp_path_factory.mktemp("levels"),
        {
            "IM-SDK/登录/a.md": consult(),
            "IM-SDK/登录/a-1.md": consult(),
            "IM-SDK/登录/b.md": consult("甲乙丙一"),
            "IM/推送/c.md": consult("甲乙丙二", product="IM"),
            "RTC/登录/d.md": consult("甲乙丙三", product="RTC"),
            "RTC/推送/e.md": consult("子丑", tags=["寅"], product="RTC"),
            "RTC/推送/f.md": consult("寅卯辰", tags=["寅"], product="RTC"),
            "RTC/推送/g.md": consult("寅卯辰巳", tags=["寅"], product="RTC"),
            "RTC/推送/h.md": consult("寅卯辰午", tags=["寅"], product="RTC"),
            "RTC/推送/i.md": consult("寅卯辰未", tags=["寅"], product="RTC"),
            "RTC/推送/j.md": consult("寅卯辰申", tags=["寅"], product="RTC"),
            "RTC/推送/k.md": consult("寅卯辰酉", tags=["寅"], product="RTC"),
        },
    )


@pytest.mark.parametrize(
    ("request_", "level", "scanned", "found"),
    [
        pytest.param(REQUEST, Level.PRODUCT, 4, "abc", id="copies counted once do not stop the first level"),
        pytest.param(
            REQUEST._replace(modes=Modes(literal=True)), Level.FEATURE, 3, "aab", id="literal counts each copy"
        ),
        pytest.param(REQUEST._replace(feature="推"), Level.PRODUCT, 4, "abc", id="second level contains the first"),
        pytest.param(REQUEST._replace(feature="没有"), Level.PRODUCT, 4, "abc", id="no such folder"),
        pytest.param(REQUEST._replace(product="RTC"), Level.WHOLE, 12, "abcd", id="the whole base contains both"),
        pytest.param(REQUEST._replace(product=""), Level.WHOLE, 12, "abcd", id="no product"),
        pytest.param(REQUEST._replace(product="没有"), Level.WHOLE, 12, "abcd", id="no such product"),
        pytest.param(
            make_request(tags=("寅",), title="寅卯辰", product="RTC", feature="推送"),
            Level.FEATURE,
            7,
            "fghij",
            id="enough at once",
        ),
    ],
)
def test_levels(levels_db: Path, request_: Request, level: Level, scanned: int, found: str) -> None:
    """The scan widens, each level containing the one before, until three cases qualify; five are shown."""
    answer = search(levels_db, request_)
    assert (answer.level, answer.scanned) == (level, scanned)
    assert sorted(Path(case.path).stem[0] for case in answer.matches) == sorted(found)


@pytest.mark.parametrize(
    ("product_", "feature", "sizes"),
    [
        pytest.param("IM-SDK", "消息收发", (7, 20, 34), id="three levels"),
        pytest.param("IM-SDK", "没有", (20, 34), id="no such feature"),
        pytest.param("IM-SDK", "", (20, 34), id="no feature"),
        pytest.param("", "消息收发", (34,), id="no product"),
        pytest.param("没有", "消息收发", (0, 34), id="no such product"),
    ],
)
def test_sizes_of_levels(sample_db: Path, product_: str, feature: str, sizes: tuple[int, ...]) -> None:
    """Each level contains the one before and has as many units as its size, and the last is the whole base."""
    with open_index(sample_db) as index:
        levels = scan_levels(index, product_, feature)
        units = load_units(index, [number for (number,) in index.rows("SELECT id FROM nim_unit")])
    contained = [{number for number, row in units.items() if level.contains(row)} for level in levels]
    assert tuple(level.size for level in levels) == tuple(map(len, contained)) == sizes
    assert [level.level for level in levels] == list(Level)[-len(sizes) :]
    assert contained[-1] == set(units)
    assert all(inner <= outer for inner, outer in pairwise(contained))


def test_sibling_folders_belong_to_their_product(sample_db: Path) -> None:
    """The product folder IM belongs to IM-SDK."""
    with open_index(sample_db) as index:
        numbers = [number for (number,) in index.rows("SELECT id FROM nim_unit WHERE product_folder = 'IM'")]
        rows = [load_units(index, numbers)[number] for number in numbers]
        product_level, whole = scan_levels(index, "IM-SDK", "")
        other = scan_levels(index, "RTC", "")[0]
    assert rows
    assert {(product_level.contains(row), other.contains(row), whole.contains(row)) for row in rows} == {
        (True, False, True)
    }


def test_qualified_counts_what_is_not_shown(levels_db: Path) -> None:
    """``qualified`` also counts the cases that are not shown."""
    answer = search(levels_db, make_request(tags=("寅",), title="寅卯辰", product="RTC", feature="推送"))
    assert (answer.qualified, len(answer.matches)) == (7, 5)


ROW = UnitRow(
    unit=1,
    path="knowledge/m.md",
    entry=0,
    track_type="咨询类",
    standard_product="IM-SDK",
    feature_folder="登录",
    raw_title="问题",
    title="甲乙",
    product="IM-SDK",
    feature="登录",
    platform="iOS",
    root_cause="",
    solution="答",
    answered=1,
    created="2026-01-01",
    updated="2026-01-02",
    frequency=1,
    copy_of=1,
    platforms=("iOS",),
    customers=(),
)
GRADED = Graded(1, Grade.POSSIBLE, Ratio(1, 2), {}, no_tags=False)
#: Criterion of the order, the strongest first -> the fields of a better and of a worse row than ``ROW``.
CRITERIA: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "grade": ({"grade": Grade.HIGH}, {}),
    "score": ({"score": Ratio(51, 100)}, {"score": Ratio(49, 100)}),
    "exact feature folder": ({}, {"feature_folder": "登录日志"}),
    "same product": ({}, {"standard_product": "RTC"}),
    "same platform": ({}, {"platforms": ("Web", "Android")}),
    "title overlap": ({"title": "甲乙丙"}, {"title": "甲丁"}),
    "an answer": ({}, {"answered": 0, "solution": "详见聊天记录"}),
    "newer": ({"updated": "2026-2-1"}, {"updated": "", "created": "2025/12/31"}),
    "path": ({"path": "knowledge/a.md"}, {"path": "knowledge/z.md"}),
    "entry": ({}, {"entry": 2}),
}


def member(number: int, changed: dict[str, Any]) -> tuple[Graded, UnitRow]:
    """The row and its grade with some fields changed."""
    grading = {name: value for name, value in changed.items() if name in {"grade", "score"}}
    return GRADED._replace(unit=number, **grading), ROW._replace(
        unit=number, **{name: value for name, value in changed.items() if name not in grading}
    )


@pytest.mark.parametrize("criterion", CRITERIA)
def test_order(criterion: str) -> None:
    """A case that is better by a criterion comes before one that is better by every weaker criterion."""
    names = list(CRITERIA)
    weaker = [CRITERIA[name] for name in names[names.index(criterion) + 1 :]]
    strong, weak = ({name: value for pair in weaker for name, value in pair[side].items()} for side in (0, 1))
    better, worse = CRITERIA[criterion]
    first, second = member(1, weak | better), member(2, strong | worse)
    assert sorted([second, first], key=match_order(REQUEST)) == [first, second]
    assert sorted([first, second], key=match_order(REQUEST)) == [first, second]


@pytest.mark.parametrize(
    ("changed", "request_"),
    [
        pytest.param({"platforms": ("通用",)}, REQUEST, id="通用 is as good as the platform"),
        pytest.param({"platforms": ("Android", "iOS")}, REQUEST, id="one of several platforms"),
        pytest.param({"feature_folder": "推送"}, REQUEST._replace(feature=""), id="no feature in the request"),
        pytest.param({"standard_product": "RTC"}, REQUEST._replace(product=""), id="no product in the request"),
        pytest.param({"updated": "", "created": "2026-01-02"}, REQUEST, id="created stands for a missing updated"),
        pytest.param({"updated": "2026/1/2"}, REQUEST, id="the same day written otherwise"),
        pytest.param({"title": "乙甲", "raw_title": "甲"}, REQUEST, id="another title that shares as much"),
        pytest.param({"score": Ratio(2, 4)}, REQUEST, id="the same score written otherwise"),
        pytest.param({"answered": 0}, REQUEST._replace(modes=Modes(literal=True)), id="literal takes a placeholder"),
    ],
)
def test_ties(changed: dict[str, Any], request_: Request) -> None:
    """Rows that differ in nothing that counts are ordered by path and entry alone."""
    key = match_order(request_)
    assert key(member(1, changed))[:-2] == key(member(1, {}))[:-2]


# ── Copies, notes, the marker line ───────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def copies_db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case three times over two products, and a file ``-1`` that is a different one."""
    text = {"root_cause": "天地玄黄", "solution": "宇宙洪荒"}
    return build_base(
        tmp_path_factory.mktemp("copies"),
        {
            "RTC/通话/a.md": page(product="RTC", customers=["客户a", "客户b"], **text),
            "IM-SDK/登录/b.md": page(customers=["客户b", "客户c"], updated="2026-03-01", tags=["乙"], **text),
            "IM-SDK/登录/b-1.md": page(customers=[], **text | {"solution": "宇宙 洪荒"}),
            "IM-SDK/登录/b-2.md": page(customers=[], title="甲乙丙丁", **text | {"solution": " 宇宙洪荒 "}),
            "IM-SDK/登录/c.md": page("咨询类", title="己", tags=["IM-SDK", "iOS"], solution="答"),
            "IM-SDK/登录/d.md": page("咨询类", title="技术咨询", tags=[], symptom="怎么转码", solution="详见聊天记录"),
        },
    )


CAUSE = make_request(root_cause="天地玄黄", solution="宇宙洪荒", title="甲乙丙丁", tags=("甲",))


@pytest.mark.parametrize(
    ("product_", "path", "duplicates"),
    [
        ("IM-SDK", "knowledge/IM-SDK/登录/b.md", ["knowledge/IM-SDK/登录/b-2.md", "knowledge/RTC/通话/a.md"]),
        ("RTC", "knowledge/RTC/通话/a.md", ["knowledge/IM-SDK/登录/b-2.md", "knowledge/IM-SDK/登录/b.md"]),
    ],
)
def test_copies(copies_db: Path, product_: str, path: str, duplicates: list[str]) -> None:
    """Copies are one answer: the path inside the requested product first, customers merged, frequency summed."""
    answer = search(copies_db, CAUSE._replace(product=product_))
    merged = next(case for case in answer.matches if case.duplicates)
    assert (merged.path, set(merged.duplicates)) == (path, set(duplicates))
    assert (set(merged.customers), merged.frequency, merged.updated) == ({"客户a", "客户b", "客户c"}, 3, "2026-03-01")


def test_another_text_is_no_copy(copies_db: Path) -> None:
    """A file called ``-1`` whose solution differs stays an answer of its own."""
    alone = [case.path for case in search(copies_db, CAUSE).matches if not case.duplicates]
    assert alone == ["knowledge/IM-SDK/登录/b-1.md"]


def test_literal_keeps_copies(copies_db: Path) -> None:
    """``--literal`` shows every copy, and none as the copy of another, among matches and nearest alike."""
    request = CAUSE._replace(modes=Modes(literal=True), text="甲乙丙丁")
    answer = search(copies_db, request)
    assert len(answer.matches) == 4
    assert [case for case in (*answer.matches, *answer.nearest) if case.duplicates] == []


def test_copies_of_the_real_base(real_base: Base) -> None:
    """185 units of the real base are copies of another, by title, cause and solution as by the file's own column."""
    first: dict[tuple[str, ...], int] = {}
    copies = {unit.row["id"]: first.setdefault(unit.text, unit.row["id"]) for unit in real_base.units}
    assert copies == {unit.row["id"]: unit.row["copy_of"] for unit in real_base.units}
    assert sum(number != original for number, original in copies.items()) == 185


def test_literal_prints_the_title_as_it_is(copies_db: Path) -> None:
    """A useless title is printed by the question's first sentence, but literally as it is."""
    request = make_request(title="怎么转码")
    assert [case.title for case in search(copies_db, request).matches] == ["怎么转码"]
    literal = make_request(title="技术咨询", modes=Modes(literal=True))
    assert [(case.title, case.answered) for case in search(copies_db, literal).matches] == [("技术咨询", True)]


def test_an_unanswered_case_is_flagged(copies_db: Path) -> None:
    """A case whose solution is a placeholder is found, and flagged."""
    assert [case.answered for case in search(copies_db, make_request(title="怎么转码")).matches] == [False]


_NO_TAG = "no tag is left to compare: each is generic, or names a product or a platform of the base"


@pytest.mark.parametrize(
    ("fields", "notes"),
    [
        pytest.param({"product": "IM-SDK", "tags": ("甲",)}, [], id="no note"),
        pytest.param({"tags": ("甲",)}, ["product undetermined: the whole base was scanned"], id="no product"),
        pytest.param(
            {"product": "IM-SKD", "tags": ("甲",)},
            ["the base has no case of product IM-SKD, which is no known alias either; the whole base was scanned"],
            id="no such product",
        ),
        pytest.param({"product": "IM-SDK", "tags": ("SDK", "ios", "IM-SDK")}, [_NO_TAG], id="only names"),
        pytest.param(
            {"product": "IM-SDK", "tags": ("推送",), "title": "己"},
            ["1 of 1 matches have no tag to compare on one side: their tag similarity is 0"],
            id="a unit without tags of its own",
        ),
    ],
)
def test_notes(copies_db: Path, fields: dict[str, Any], notes: list[str]) -> None:
    """Notes name a widened search and missing tags."""
    assert list(search(copies_db, make_request(**fields)).notes) == notes


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        pytest.param({}, "类型=待确认 | 产品=待确认 | 关键词=", id="nothing known"),
        pytest.param(
            {"track_type": TrackType.TROUBLESHOOT, "product": "RTC", "tags": ("414", "黑屏")},
            "类型=排查类 | 产品=RTC | 关键词=414、黑屏",
            id="keywords are joined",
        ),
        pytest.param({"title": "怎么\n转码\r\n"}, "类型=待确认 | 产品=待确认 | 关键词=怎么 转码", id="line ends"),
        pytest.param(
            {"product": "a\u2028b\x85c\x0bd", "tags": ("x|y\n", "\x1c")},
            "类型=待确认 | 产品=a b c d | 关键词=x|y 、",
            id="every kind of line end, and a pipe",
        ),
    ],
)
def test_marker_line(fields: dict[str, Any], line: str) -> None:
    """The marker is the line of the specification, and one line whatever the request holds."""
    marker = marker_line(make_request(**fields))
    assert marker == f"[nim-kb-search] 已触发 | {line}".rstrip()
    assert marker.splitlines() == [marker]


def test_nearest_are_no_matches(sample_db: Path) -> None:
    """Nearest cases carry no grade, are at most five, are no copies of each other, and none is a match."""
    request = recognize(sample_db, "短信 个别号码收不到验证码", tags=("验证码", "收不到", "退订", "DND:07"))
    answer = search(sample_db, request)
    assert len(answer.matches) == 1
    assert 0 < len(answer.nearest) <= 5
    assert {(case.grade, case.merge) for case in answer.nearest} == {(None, False)}
    shown = [path for case in (*answer.matches, *answer.nearest) for path in (case.path, *case.duplicates)]
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize("modes", [Modes(), Modes(tag=TagMode.WHOLE), Modes(token=TokenMode.RUN)], ids=str)
@pytest.mark.parametrize(("typed", "written"), [("登錄失敗", "登录失败"), ("登录失败", "登錄失敗")])
def test_traditional_characters(tmp_path: Path, modes: Modes, typed: str, written: str) -> None:
    """Either script finds the other, in title, tags, cause and description, and is shown as it is written."""
    case = page(symptom=written, title=written, tags=[written], root_cause=written, solution=written)
    db = build_base(tmp_path, {"IM-SDK/登录/a.md": case})
    every = dict.fromkeys(("title", "description", "root_cause", "solution"), typed)
    found = search(db, make_request(**every, tags=(typed,), modes=modes)).matches[0]
    assert (found.title, found.score, found.grade) == (written, 1.0, Grade.HIGH)
    fallback = search(db, make_request(title=typed, tags=(typed,), modes=modes)).matches[0]
    assert fallback.scores == {"tags": 1.0, "title": 1.0, "description": 0.0}
    literal = modes._replace(literal=True)
    assert search(db, make_request(title=typed, tags=(typed,), modes=literal)).matches == ()


def test_text_and_parameters(sample_db: Path) -> None:
    """A search with a text is that of the request recognized in it, and outer spaces do not change its answer."""
    with open_index(sample_db) as index:
        answer = search_nim(index, "蓝牙耳机没声音", Given(product="RTC"))
        padded = search_nim(index, " 蓝牙耳机没声音\n", Given(product="RTC"))
        request = recognize(sample_db, "蓝牙耳机没声音", product="RTC")
        assert search_request(index, request) == answer
    assert answer.nearest
    assert padded._replace(request=request) == answer

"""Which units qualify and with which grade, each rule on units of their own."""

from pathlib import Path
from typing import Any

import pytest
from nim_support import Base, build_base, exact, grades, make_request, page

from query.analysis.tokens import TokenMode
from query.index import open_index
from query.nim.contract import Grade, Modes, Request, TagMode
from query.nim.matching import matching_units
from query.nim.request_text import RequestTokens

LITERAL = Modes(literal=True)
WHOLE = Modes(tag=TagMode.WHOLE)
HIGH, MAYBE = Grade.HIGH, Grade.POSSIBLE
CONCLUSION: dict[str, Any] = {"root_cause": "天地玄", "solution": "黄宇"}
#: Path -> page. The tests call a unit by the name of its file.
PAGES = {
    "IM-SDK/登录/consult.md": page("咨询类", title="甲乙", tags=["子丑寅"]),
    "IM-SDK/登录/causeless.md": page(title="戊己", tags=["辰巳午"]),
    "IM-SDK/登录/cause.md": page(title="庚辛", tags=["申酉"], symptom="一二三四五六七八九十百", **CONCLUSION),
    "IM-SDK/登录/placeholder.md": page(title="壬癸", tags=["戌亥"], root_cause="待排查", solution="详见聊天记录"),
    "IM-SDK/登录/own.md": page("咨询类", title="红橙", tags=["IM-SDK", "ＩＯＳ", "SDK", "咨询", "推送"]),
    "IM-SDK/登录/named.md": page("咨询类", title="黄绿", tags=["IM-SDK", "iOS", "通用", "demo"]),
    "RTC/通话/other.md": page("咨询类", title="青蓝", tags=["IM-SDK"], product="RTC", platform="Web"),
    **{
        f"产品{n}/通话/{n}.md": page("咨询类", title="白玉", tags=[], product=f"产品{n}", platform="Web")
        for n in range(40)
    },
    "IM-SDK/登录/border.md": page("咨询类", title="金木水", tags=["春夏秋冬年"]),
    "IM-SDK/登录/other-border.md": page("咨询类", title="松竹梅兰菊桃李", tags=["鼠牛虎"]),
    "IM-SDK/登录/bare.md": page("咨询类", title="东南西北", tags=[]),
    "IM-SDK/登录/latin.md": page("咨询类", title="error_code 414", tags=["initSDK v9.1", "kick-out"]),
    "IM-SDK/登录/useless.md": page("咨询类", title="技术咨询", tags=[], symptom="怎么合并转发？急"),
    "IM-SDK/登录/rare.md": page("咨询类", title="\U00030edd\U00030edd面", tags=["\U0002ceb0"]),
}


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The base above."""
    return build_base(tmp_path_factory.mktemp("jaccard"), PAGES)


def graded(db: Path, request: Request) -> dict[str, tuple[Grade, str]]:
    """Name of each qualifying unit -> its grade and its exact score."""
    names = {unit.row["id"]: Path(unit.row["path"]).stem for unit in Base.read(db).units}
    with open_index(db) as index:
        return {
            names[g.unit]: (g.grade, str(exact(g.score)))
            for g in matching_units(index, RequestTokens.of(index, request))
        }


TWENTY = "一二三四五六七八九十百千万亿兆京垓秭穰沟"


@pytest.mark.parametrize(
    ("request_", "wanted"),
    [
        pytest.param({"tags": ("子丑",)}, {"consult": (MAYBE, "2/5")}, id="咨询 0.40"),
        pytest.param({"tags": ("子丑卯",), "title": "乙丙丁"}, {"consult": (MAYBE, "2/5")}, id="咨询 0.40 mixed"),
        pytest.param({"tags": ("子丑卯",), "title": "乙丙丁天"}, {}, id="咨询 0.38"),
        pytest.param({"tags": ("子丑寅卯",), "title": "甲"}, {"consult": (HIGH, "13/20")}, id="咨询 0.65"),
        pytest.param({"tags": ("子丑寅卯",), "title": "甲丙"}, {"consult": (MAYBE, "7/12")}, id="咨询 0.58"),
        pytest.param({"tags": ("辰巳未",), "title": "戊"}, {"causeless": (MAYBE, "1/2")}, id="fallback 0.50"),
        pytest.param({"tags": ("辰巳未",), "title": "戊地"}, {}, id="fallback 0.43"),
        pytest.param({"tags": ("辰巳午",), "title": "戊己"}, {"causeless": (MAYBE, "1")}, id="fallback, equal"),
        pytest.param(
            CONCLUSION | {"tags": ("辰巳午",), "title": "戊己"},
            {"causeless": (MAYBE, "1"), "cause": (MAYBE, "1")},
            id="a cause on one side only is the fallback",
        ),
        pytest.param({"tags": ("申酉",), "title": "庚辛"}, {"cause": (MAYBE, "1")}, id="a cause in the unit only"),
        pytest.param(
            {"root_cause": "天地玄", "description": TWENTY}, {"cause": (HIGH, "3/5")}, id="排查 0.60 and 0.55"
        ),
        pytest.param(
            {"root_cause": "天地玄", "description": TWENTY + "载"}, {"cause": (MAYBE, "3/5")}, id="排查 0.60, 0.52"
        ),
        pytest.param({"root_cause": "天地玄日", "description": TWENTY}, {}, id="排查 0.50"),
        pytest.param(
            {"root_cause": "日月盈昃", "tags": ("申酉",), "title": "庚辛"}, {}, id="another cause, same tags and title"
        ),
        pytest.param({"root_cause": " \n", "tags": ("申酉",), "title": "庚辛"}, {"cause": (MAYBE, "1")}, id="blank"),
        pytest.param({"root_cause": "？！", "tags": ("申酉",), "title": "庚辛"}, {"cause": (MAYBE, "1")}, id="marks"),
        pytest.param({"solution": "黄宇天地玄"}, {}, id="a solution without a cause is no conclusion"),
        pytest.param({"title": "东南西北"}, {"bare": (MAYBE, "2/5")}, id="no tags on either side is a similarity of 0"),
        pytest.param({}, {}, id="an empty request"),
        pytest.param(
            {"tags": ("春夏秋冬年", "零壹贰叁肆伍陆"), "title": "金木水火土日月星"},
            {"border": (MAYBE, "2/5")},
            id="0.40 of 5/12 and 3/8",
        ),
        pytest.param(
            {"tags": ("鼠牛虎", "兔龙蛇马羊"), "title": "松竹梅兰菊桃李零壹贰叁肆伍陆柒捌"},
            {"other-border": (MAYBE, "2/5")},
            id="0.40 of 3/8 and 7/16",
        ),
        pytest.param({"title": "𰻝面", "tags": ("𬺰",)}, {"rare": (HIGH, "1")}, id="Han beyond the first plane"),
        pytest.param({"title": "ERROR_CODE：４１４", "tags": ("kick out",)}, {"latin": (MAYBE, "16/25")}, id="folded"),
    ],
)
def test_grades(db: Path, request_: dict[str, Any], wanted: dict[str, tuple[Grade, str]]) -> None:
    """A unit qualifies by the rule of its own type, exactly from the threshold on, with the exact score."""
    assert graded(db, make_request(**request_)) == wanted


@pytest.mark.parametrize(
    ("request_", "modes", "wanted"),
    [
        pytest.param(
            {"tags": ("推送", "IM-SDK", "ios")}, Modes(), {"own": "3/5"}, id="own names are removed from both"
        ),
        pytest.param(
            {"tags": ("推送", "sdk", "Demo", "通用")}, Modes(), {"own": "3/5"}, id="generic ones are removed too"
        ),
        pytest.param({"tags": ("IM-SDK",)}, Modes(), {"other": "3/5"}, id="another product is compared"),
        pytest.param({"tags": ("IM-SDK", "ios", "demo", "通用")}, Modes(), {"other": "2/5"}, id="no tag left is 0"),
        pytest.param(
            {"tags": ("IM-SDK", "ios", "demo", "通用")},
            LITERAL,
            {"named": "3/5"},
            id="literal keeps every tag",
        ),
        pytest.param({"tags": ("推送", "IM-SDK")}, WHOLE, {"own": "3/5"}, id="whole, own names are removed"),
        pytest.param({"tags": ("KICK-OUT", "initsdk V9.1")}, WHOLE, {"latin": "3/5"}, id="whole, folded"),
        pytest.param({"tags": ("kick out", "initSDK v9.1")}, WHOLE, {}, id="whole, another tag"),
        pytest.param({"tags": ("丑寅子",)}, Modes(TokenMode.CHAR), {"consult": "3/5"}, id="characters in any order"),
        pytest.param({"tags": ("丑寅子",)}, Modes(TokenMode.RUN), {}, id="a run is one token"),
        pytest.param({"tags": ("子丑寅",)}, Modes(TokenMode.RUN), {"consult": "3/5"}, id="the same run"),
        pytest.param({"tags": ("子丑",), "title": "甲乙"}, Modes(TokenMode.BIGRAM), {"consult": "7/10"}, id="pairs"),
        pytest.param({"tags": ("", "  ", "子丑寅")}, WHOLE, {"consult": "3/5"}, id="blank tags are none"),
    ],
)
def test_tags_and_modes(db: Path, request_: dict[str, Any], modes: Modes, wanted: dict[str, str]) -> None:
    """Generic tags and a unit's own product and platforms are not compared with it."""
    assert {name: score for name, (_, score) in graded(db, make_request(modes=modes, **request_)).items()} == wanted


@pytest.mark.parametrize(
    ("modes", "wanted"),
    [(Modes(), {}), (LITERAL, {"placeholder": (MAYBE, "1")})],
    ids=["counts as empty", "literal compares it"],
)
def test_placeholders_of_a_unit(db: Path, modes: Modes, wanted: dict[str, tuple[Grade, str]]) -> None:
    """A placeholder is no cause and no solution, except with ``literal``."""
    assert graded(db, make_request(root_cause="待排查", solution="详见聊天记录", modes=modes)) == wanted


@pytest.mark.parametrize("cause", ["待排查", "详见聊天记录。", "未知"])
def test_placeholders_of_a_request(db: Path, cause: str) -> None:
    """A request whose cause is a placeholder has none: the fallback applies."""
    assert graded(db, make_request(root_cause=cause, tags=("申酉",), title="庚辛")) == {"cause": (MAYBE, "1")}


@pytest.mark.parametrize(
    ("title", "modes", "found"),
    [
        ("怎么合并转发", Modes(), True),
        ("技术咨询", Modes(), False),
        ("技术咨询", LITERAL, True),
        ("怎么合并转发", LITERAL, False),
    ],
)
def test_useless_titles(db: Path, title: str, modes: Modes, found: bool) -> None:
    """A unit titled 技术咨询 is compared by the first sentence of its question, with ``literal`` by its title."""
    assert graded(db, make_request(title=title, modes=modes)) == ({"useless": (MAYBE, "2/5")} if found else {})


def test_many_names_as_tags(db: Path) -> None:
    """A request may have a tag for each product and platform of the base."""
    base = Base.read(db)
    with open_index(db) as index:
        names = tuple(key for (key,) in index.rows("SELECT key FROM dictionary WHERE kind = 'nim origin'"))
    assert len(names) > 40
    for tags in (names, (*names, "推送"), ("推送", *names[:20])):
        request = make_request(tags=tags, title="红橙")
        wanted = {Path(v.unit.row["path"]).stem: (MAYBE, str(v.score)) for v in grades(base, request)}
        assert graded(db, request) == wanted


def test_a_title_of_thousands_of_characters(db: Path) -> None:
    """A request of thousands of distinct tokens is compared like any other."""
    long = "".join(map(chr, range(0x4E00, 0x4E00 + 6000)))
    assert graded(db, make_request(title=long, description=long, root_cause=long, tags=(long, "子丑寅"))) == {}

"""The token sets of NIM units, as they are stored in the index."""

from dataclasses import replace

import pytest

from indexer.compile.rows import dictionary_row
from indexer.compile.token_sets import ComparedTexts, compared_texts, origin_rows, token_set_rows
from indexer.records import Unit
from query.analysis.posting_lists import bits_of, unpack_numbers

UNIT = Unit(
    path="knowledge/IM-SDK/登录/iOS/a.md",
    entry=0,
    line=1,
    track_type="排查类",
    sub_type="",
    product="IM-SDK",
    product_folder="IM-SDK",
    feature="登录",
    feature_folder="登录",
    platform="苹果",
    platforms=("iOS",),
    title="技术咨询",
    display_title="登录失败",
    description="一直转圈",
    root_cause="证书过期",
    solution="换证书",
    answered=True,
    details="",
    tags=("登录", "414"),
    customers=(),
    source="",
    created="",
    updated="",
    frequency=1,
)

VARIANTS = {ord("錄"): "录"}


@pytest.mark.parametrize(
    ("changed", "field", "value"),
    [
        pytest.param({}, "title", "登录失败", id="a useless title is the question"),
        pytest.param({}, "conclusion", "证书过期 换证书", id="cause and solution together"),
        pytest.param({"solution": "详见聊天记录"}, "conclusion", "证书过期", id="a placeholder solution"),
        pytest.param({"root_cause": "待排查"}, "conclusion", "", id="no conclusion without a cause"),
        pytest.param({"root_cause": "待排查"}, "has_cause", False, id="a placeholder cause"),
        pytest.param({"root_cause": ""}, "has_cause", False, id="no cause"),
        pytest.param({}, "has_cause", True, id="a cause"),
        pytest.param({}, "is_trouble", True, id="排查类"),
        pytest.param({"track_type": "咨询类"}, "is_trouble", False, id="咨询类"),
        pytest.param({"tags": ("登录", "im-sdk", "ＩＯＳ", "苹果", "RTC")}, "tags", "登录 RTC", id="own names"),
        pytest.param({"tags": ("通用", "咨询", "sdk", "DEMO", "Demo 登录")}, "tags", "Demo 登录", id="generic tags"),
        pytest.param({"tags": ()}, "tags", "", id="no tags"),
    ],
)
def test_compared_texts(changed: dict[str, object], field: str, value: object) -> None:
    """Placeholders, generic tags and the unit's own product and platform are not compared."""
    assert getattr(compared_texts(replace(UNIT, **changed)), field) == value  # type: ignore[arg-type]


COMPARED = [
    ComparedTexts("登錄SDK", "414 登录", "证书", is_trouble=True, has_cause=True),
    ComparedTexts("", "", "", is_trouble=False, has_cause=False),
    ComparedTexts("sdk sdk", "登", "", is_trouble=False, has_cause=False),
]


def test_sets() -> None:
    """A set is stored as one text: single characters, then longer tokens; characters are simplified."""
    rows = token_set_rows(COMPARED, VARIANTS)["nim_set"]
    assert [(row["unit"], row["title"], row["tags"]) for row in rows] == [
        (1, "录登 sdk", "录登 414"),
        (2, "", ""),
        (3, " sdk", "登"),
    ]
    assert [(row["is_trouble"], row["has_cause"]) for row in rows] == [(1, 1), (0, 0), (0, 0)]


def test_ranks() -> None:
    """The sets of a field are ranked by size, without empty ones; a posting list contains ranks."""
    rows = token_set_rows(COMPARED, VARIANTS)
    sizes = [(r["field"], r["size"], r["first_rank"], unpack_numbers(r["units"])) for r in rows["nim_set_size"]]
    assert sizes == [
        ("conclusion", 2, 0, (1,)),
        ("tags", 1, 0, (3,)),
        ("tags", 3, 1, (1,)),
        ("title", 1, 0, (3,)),
        ("title", 3, 1, (1,)),
    ]
    postings = [(r["field"], r["token"], bits_of(r["ranks"], 0, 1)) for r in rows["nim_posting"]]
    assert postings == [
        ("conclusion", "书", 0b1),
        ("conclusion", "证", 0b1),
        ("tags", "414", 0b10),
        ("tags", "录", 0b10),
        ("tags", "登", 0b11),
        ("title", "sdk", 0b11),
        ("title", "录", 0b10),
        ("title", "登", 0b10),
    ]


def test_origin_rows() -> None:
    """Every product and platform of a unit is an entry, once, in lower case."""
    other = replace(UNIT, product="ＲＴＣ", platform="iOS", platforms=("iOS", "Web"))
    assert origin_rows([UNIT, other]) == {
        "dictionary": [dictionary_row(k, "nim origin") for k in ("im-sdk", "ios", "rtc", "web", "苹果")]
    }

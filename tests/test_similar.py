"""Units -> the token sets that the file holds (decisions 3-7)."""

from dataclasses import replace

import pytest

from fileformat.fold import normalise
from fileformat.tokens import jaccard_tokens
from indexer import similar
from indexer.records import Unit
from indexer.similar import Sides, TooManyTokens, place_rows, sides, similarity_rows

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
        pytest.param({"tags": ("登录", "im-sdk", "ＩＯＳ", "苹果", "RTC")}, "tags", "登录 RTC", id="own names leave"),
        pytest.param(
            {"tags": ("通用", "咨询", "sdk", "DEMO", "Demo 登录")}, "tags", "Demo 登录", id="generic ones leave"
        ),
        pytest.param({"tags": ()}, "tags", "", id="no tags"),
        pytest.param({"description": ""}, "description", "", id="no description"),
    ],
)
def test_sides(changed: dict[str, object], field: str, value: object) -> None:
    """What of a unit is compared."""
    assert getattr(sides(replace(UNIT, **changed)), field) == value  # type: ignore[arg-type]


COMPARED = [
    Sides("登錄SDK", "414 登录", "转圈 a", "证书", is_trouble=True, has_cause=True),
    Sides("", "", "", "", is_trouble=False, has_cause=False),
    Sides("sdk sdk", "登", "", "", is_trouble=False, has_cause=False),
]


def test_rows() -> None:
    """A set is a sorted string of one character per token, and the codes explain every longer token."""
    rows, inverted = similarity_rows(COMPARED, VARIANTS)
    tokens = {row["code"]: row["token"] for row in rows["nim_token"]}
    assert sorted(tokens.values()) == ["414", "sdk"]
    assert [row["unit"] for row in rows["nim_set"]] == [1, 2, 3]
    for row, side in zip(rows["nim_set"], COMPARED, strict=True):
        for field in ("title", "tags", "description", "conclusion"):
            held = str(row[field])
            assert held == "".join(sorted(held))
            assert {tokens.get(code, code) for code in held} == jaccard_tokens(
                normalise(getattr(side, field), VARIANTS)
            )
        assert (row["is_trouble"], row["has_cause"]) == (int(side.is_trouble), int(side.has_cause))
    assert inverted == [
        {field: " ".join(str(row[field])) for field in ("title", "tags", "conclusion")} for row in rows["nim_set"]
    ]


def test_codes_do_not_depend_on_the_order_of_units() -> None:
    """The same tokens get the same codes, whichever unit comes first."""
    assert (
        similarity_rows(COMPARED, VARIANTS)[0]["nim_token"] == similarity_rows(COMPARED[::-1], VARIANTS)[0]["nim_token"]
    )


def test_more_tokens_than_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A base with more tokens than there are code points is refused, not mixed up."""
    monkeypatch.setattr(similar, "_FIRST_CODES", (range(0xF0000, 0xF0001), range(0x100000, 0x100001)))
    assert len(similarity_rows(COMPARED, VARIANTS)[0]["nim_token"]) == 2
    with pytest.raises(TooManyTokens, match="more than 2 distinct tokens"):
        similarity_rows([*COMPARED, replace(COMPARED[1], title="kickout")], VARIANTS)


def test_place_rows() -> None:
    """Every name of a product or platform is listed once, folded."""
    other = replace(UNIT, product="ＲＴＣ", platform="iOS", platforms=("iOS", "Web"))
    assert place_rows([UNIT, other]) == {"nim_place": [{"key": k} for k in ("im-sdk", "ios", "rtc", "web", "苹果")]}

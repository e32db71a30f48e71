"""The values and shapes of an answer of ``rtckb nim``, in the words of the specification."""

from enum import StrEnum
from typing import Any

import pytest
from nim_support import EMPTY, make_request

from query.analysis.tokens import TokenMode
from query.nim.contract import Answer, Case, Grade, Level, Modes, TagMode, TrackType
from query.schemas import schemas

CASE = Case(
    path="knowledge/IM-SDK/登录/功能实现咨询.md",
    entry=2,
    track_type="咨询类",
    grade=Grade.HIGH,
    score=0.65,
    scores={"tags": 0.75, "title": 0.5, "description": 0.0},
    title="甲乙",
    product="IM-SDK",
    feature="登录",
    platform="iOS",
    root_cause="",
    solution="答",
    answered=True,
    customers=("客户a",),
    updated="2026-01-02",
    frequency=1,
    duplicates=(),
)
#: The keys of a match, in order.
KEYS = [
    "path",
    "entry",
    "track_type",
    "grade",
    "score",
    "scores",
    "title",
    "product",
    "feature",
    "platform",
    "root_cause",
    "solution",
    "answered",
    "customers",
    "updated",
    "frequency",
    "duplicates",
    "merge",
]


@pytest.mark.parametrize(
    ("enum", "values"),
    [
        (TrackType, "排查类 咨询类"),
        (Grade, "高度匹配 可能相关"),
        (TokenMode, "char run bigram"),
        (TagMode, "tokens whole"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_values(enum: type[StrEnum], values: str) -> None:
    """Each enumeration has exactly these values."""
    assert [member.value for member in enum] == values.split()


def test_levels() -> None:
    """The levels are printed in these words."""
    assert [level.value for level in Level] == ["L1 - 同功能", "L2 - 跨平台", "L3 - 全库"]


def test_a_match_has_these_keys() -> None:
    """A match prints these keys in this order."""
    assert list(CASE.as_dict()) == KEYS


@pytest.mark.parametrize(
    ("changed", "key", "shown"),
    [
        ({"grade": Grade.HIGH}, "merge", True),
        ({"grade": Grade.POSSIBLE}, "merge", False),
        ({"grade": None}, "merge", False),
        ({"grade": None}, "grade", None),
        ({"entry": 0}, "entry", None),
        ({"entry": 2}, "entry", 2),
        ({"answered": False}, "answered", False),
        ({"duplicates": ("a.md",)}, "duplicates", ["a.md"]),
    ],
)
def test_a_match(changed: dict[str, Any], key: str, shown: object) -> None:
    """Only 高度匹配 starts a merge; a single-document case has no entry; lists print as lists."""
    assert CASE._replace(**changed).as_dict()[key] == shown


def test_an_answer_has_these_keys() -> None:
    """A response always prints its six keys, and a scan its three."""
    answer = Answer("[marker]", EMPTY, Level.WHOLE, 34, 0, (), (CASE,), ("note",))
    document = answer.as_dict()
    assert list(document) == ["marker", "request", "scan", "matches", "nearest", "notes"]
    assert document["scan"] == {"level": "L3 - 全库", "units": 34, "qualified": 0}
    assert (document["matches"], len(document["nearest"]), document["notes"]) == ([], 1, ["note"])


def test_a_request_prints_what_is_undetermined_as_null() -> None:
    """A parameter that is neither given nor found is null, and the modes are printed."""
    document = make_request(text="t", track_type=TrackType.CONSULT, tags=("a",), origins={"tags": "option"}).as_dict()
    undetermined = [name for name, value in document.items() if value is None]
    assert undetermined == [
        "product",
        "feature",
        "platform",
        "sub_type",
        "title",
        "root_cause",
        "solution",
        "description",
    ]
    assert (document["text"], document["track_type"], document["tags"]) == ("t", "咨询类", ["a"])
    assert (document["token_mode"], document["tag_mode"], document["literal"]) == ("char", "tokens", False)
    assert make_request().as_dict()["track_type"] is None


def test_only_the_default_modes_are_compiled() -> None:
    """The index stores the token sets of the default modes only."""
    assert Modes().compiled
    assert [m for m in (Modes(TokenMode.RUN), Modes(tag=TagMode.WHOLE), Modes(literal=True)) if m.compiled] == []


@pytest.mark.parametrize("record", [CASE, EMPTY, Modes()], ids=lambda record: type(record).__name__)
def test_records_are_frozen(record: object) -> None:
    """The records of the contract cannot be changed."""
    with pytest.raises(AttributeError):
        record.title = "x"  # type: ignore[attr-defined]


def test_the_schema_is_the_contract() -> None:
    """The schema that the command prints has the contract's keys and enumerations."""
    response = schemas()["nim"]["properties"]["response"]["properties"]
    assert list(response) == list(Answer("", EMPTY, Level.WHOLE, 0, 0, (), (), ()).as_dict())
    match, near = (response[name]["items"]["properties"] for name in ("matches", "nearest"))
    assert list(match) == list(near) == KEYS
    assert match["grade"]["enum"] == [*Grade]
    assert near["grade"] == {"type": "null"}
    assert response["scan"]["properties"]["level"]["enum"] == [*Level]
    assert list(response["request"]["properties"]) == list(EMPTY.as_dict())

"""The units of the index: rows and copies, dates, merged cases, and the compared texts."""

from pathlib import Path

import pytest
from nim_support import make_request, sets_of

from query.analysis.case_ref import case_ref
from query.analysis.tokens import jaccard_tokens, join_tokens
from query.index import Index, open_index
from query.nim.units import ComparedTexts, UnitRow, compared_texts, date_key, load_units, merged_case


@pytest.fixture(scope="module")
def rows(sample_db: Path) -> dict[str, UnitRow]:
    """Every unit of the sample by its reference."""
    with open_index(sample_db) as index:
        numbers = [number for (number,) in index.rows("SELECT id FROM nim_unit")]
        found = load_units(index, numbers).values()
    return {case_ref(row.path, row.entry).removeprefix("knowledge/"): row for row in found}


def test_copies_come_along(sample_db: Path, rows: dict[str, UnitRow]) -> None:
    """Each copy of a case loads all of them, and no unit loads nothing."""
    copies = [row for name, row in rows.items() if "验证码收不到" in name]
    with open_index(sample_db) as index:
        for row in copies:
            assert sorted(load_units(index, [row.unit])) == sorted(copy.unit for copy in copies)
        assert load_units(index, []) == {}
    assert len({row.copy_of for row in copies}) == 1


def test_a_name_with_a_number_is_no_copy(rows: dict[str, UnitRow]) -> None:
    """A file ``-1`` with a different text is a case of its own."""
    names = ("短信/短信发送/通用/排查-国际短信延迟.md", "短信/短信发送/通用/排查-国际短信延迟-1.md")
    assert [rows[name].copy_of == rows[name].unit for name in names] == [True, True]


@pytest.mark.parametrize(
    ("ref", "platforms", "customers"),
    [
        ("IM-SDK/消息收发/功能实现咨询.md#2", ("Android",), ("客户a7b8", "客户c9d0")),
        ("IM/消息发送/小程序/排查-切后台再回来发不出消息.md", ("微信小程序",), ("客户c4d5",)),
        ("短信/签名报备/--/排查-签名审核被驳回.md", ("通用",), ("客户f3a5",)),
        ("IM-SDK/集成编译/Android/排查-打包后重复类冲突.md", ("Android",), ()),
    ],
)
def test_lists(rows: dict[str, UnitRow], ref: str, platforms: tuple[str, ...], customers: tuple[str, ...]) -> None:
    """Platforms have their canonical names, and customers are in the order of the page."""
    assert (rows[ref].platforms, rows[ref].customers) == (platforms, customers)


def test_literal_views(rows: dict[str, UnitRow]) -> None:
    """A useless title is shown, and a placeholder is an answer, with ``literal`` only."""
    row = rows["RTC/服务开通/功能实现咨询.md#3"]
    assert (row.shown_title(True), row.is_answered(True)) == ("技术咨询", True)
    assert row.shown_title(False) != "技术咨询"
    assert not row.is_answered(False)


#: The same day in many forms, oldest day first.
DAYS = [
    ["2024-12-31", "2024/12/31"],
    ["2025", "2025-", "2025年"],
    ["2025-01", "2025-1", "2025/01", "2025年1月"],
    ["2025-01-01"],
    [
        "2025-01-05",
        "2025-1-5",
        "2025/01/05",
        "2025.1.5",
        "20250105",
        "2025年1月5日",
        " 2025-01-05 10:23",
        "２０２５-01-05",
    ],
    ["2025-01-10", "2025-1-10"],
    ["2025-10-01", "2025-10-1"],
]


def test_dates_are_compared_as_days() -> None:
    """Dates sort by year, month and day in every form, and one without a day before the days of its month."""
    keys = [{date_key(date) for date in forms} for forms in DAYS]
    assert all(len(forms) == 1 for forms in keys), keys
    days = [key for forms in keys for key in forms]
    assert days == sorted(set(days))
    assert max(date_key(text) for text in ("", "未知", "v2025-01-05")) < min(keys[0])


def test_the_newest_date_of_copies_is_shown(rows: dict[str, UnitRow]) -> None:
    """A merged case has the newest date of its copies, however the dates are written."""
    row, other = (row for name, row in rows.items() if "验证码收不到" in name)
    dates = {"2025-10-01": ("2025-9-30", "2025-10-01"), "2026/1/2": ("2026/1/2", "")}
    for newest, (one, two) in dates.items():
        units = {row.unit: row._replace(updated=one), other.unit: other._replace(updated=two, created="2025-12-31")}
        case = merged_case(row, units, make_request(), grade=None, score=0.0, scores={})
        assert case.updated == newest


def by_title(index: Index, literal: bool, title: str) -> ComparedTexts:
    """The unit with this title."""
    (found,) = (text for text in compared_texts(index, literal) if text.title == title)
    return found


def test_compared_texts_give_the_compiled_sets(sample_db: Path) -> None:
    """The token sets of the texts of every unit are exactly the compiled sets."""
    sql = "SELECT unit, is_trouble, has_cause, title, tags FROM nim_set ORDER BY unit"
    with open_index(sample_db) as index:
        conclusions = sets_of(index, "conclusion")
        compiled = [(*row, conclusions.get(row[0], "")) for row in index.rows(sql)]
        texts = list(compared_texts(index, literal=False))
    fields = [(t.title, " ".join(t.tags), t.conclusion) for t in texts]
    sets = [[join_tokens(jaccard_tokens(text)) for text in field] for field in fields]
    read = [(t.unit, t.is_trouble, t.has_cause, *joined) for t, joined in zip(texts, sets, strict=True)]
    assert read == compiled


@pytest.mark.parametrize(
    ("title", "literal", "tags", "has_cause"),
    [
        ("小程序切后台再回来发不出消息", False, ("切后台", "消息发送失败", "connectState"), True),
        ("小程序切后台再回来发不出消息", True, ("小程序", "切后台", "消息发送失败", "connectState"), True),
        ("短信签名审核一直被驳回", False, ("签名", "审核", "驳回"), True),
        ("聊天消息有没有自动翻译", False, ("消息翻译", "多语言"), False),
    ],
)
def test_tags(sample_db: Path, title: str, literal: bool, tags: tuple[str, ...], has_cause: bool) -> None:
    """A unit's own product and platform are not among its compared tags, except with ``literal``."""
    with open_index(sample_db) as index:
        found = by_title(index, literal, title)
    assert (found.tags, found.has_cause) == (tags, has_cause)


def test_literal_titles(sample_db: Path) -> None:
    """A useless title is compared with ``literal`` only."""
    with open_index(sample_db) as index:
        literal = [text.title for text in compared_texts(index, literal=True)]
        useful = [text.title for text in compared_texts(index, literal=False)]
    assert (literal.count("技术咨询"), useful.count("技术咨询")) == (2, 0)


def test_conclusions(sample_db: Path) -> None:
    """A conclusion is the cause and the solution together, and nothing without a cause."""
    with open_index(sample_db) as index:
        assert by_title(index, False, "桌面角标数字清不掉").conclusion.startswith("角标由服务端累加")
        assert "reportBadge(0)" in by_title(index, False, "桌面角标数字清不掉").conclusion
        assert by_title(index, False, "界面库怎样适配深色模式").conclusion == ""

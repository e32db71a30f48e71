"""Units by number -> what is shown of them.

The texts of units for modes that the file holds no sets of.
"""

from pathlib import Path

import pytest
from nim_support import sets_of

from query.analysis.tokens import jaccard_tokens, join_tokens
from query.index import Index, open_index
from query.nim.units import UnitRow, UnitTexts, load_units, uncompiled_texts


@pytest.fixture(scope="module")
def rows(sample_db: Path) -> dict[str, UnitRow]:
    """Every unit of the sample by its place."""
    with open_index(sample_db) as index:
        numbers = [number for (number,) in index.rows("SELECT id FROM nim_unit")]
        return {row.place.removeprefix("knowledge/"): row for row in load_units(index, numbers).values()}


def test_copies_come_along(sample_db: Path, rows: dict[str, UnitRow]) -> None:
    """Asking for one of two copies loads both, and asking for nothing loads nothing."""
    copies = [row for name, row in rows.items() if "验证码收不到" in name]
    with open_index(sample_db) as index:
        for row in copies:
            assert sorted(load_units(index, [row.unit])) == sorted(copy.unit for copy in copies)
        assert load_units(index, []) == {}
    assert len({row.copy_of for row in copies}) == 1


def test_a_name_with_a_number_is_no_copy(rows: dict[str, UnitRow]) -> None:
    """The file ``-1`` whose text differs is its own."""
    names = ("短信/短信发送/通用/排查-国际短信延迟.md", "短信/短信发送/通用/排查-国际短信延迟-1.md")
    assert [rows[name].copy_of == rows[name].unit for name in names] == [True, True]


@pytest.mark.parametrize(
    ("place", "platforms", "customers"),
    [
        ("IM-SDK/消息收发/功能实现咨询.md#2", ("Android",), ("客户a7b8", "客户c9d0")),
        ("IM/消息发送/小程序/排查-切后台再回来发不出消息.md", ("微信小程序",), ("客户c4d5",)),
        ("短信/签名报备/--/排查-签名审核被驳回.md", ("通用",), ("客户f3a5",)),
        ("IM-SDK/集成编译/Android/排查-打包后重复类冲突.md", ("Android",), ()),
    ],
)
def test_lists(rows: dict[str, UnitRow], place: str, platforms: tuple[str, ...], customers: tuple[str, ...]) -> None:
    """Platforms are canonical, customers in the source's order."""
    assert (rows[place].platforms, rows[place].customers) == (platforms, customers)


def test_literal_views(rows: dict[str, UnitRow]) -> None:
    """A useless title and a placeholder are themselves to ``--literal`` alone."""
    row = rows["RTC/服务开通/功能实现咨询.md#3"]
    assert (row.titled(True), row.is_answered(True)) == ("技术咨询", True)
    assert row.titled(False) != "技术咨询"
    assert not row.is_answered(False)


def by_title(index: Index, literal: bool, title: str) -> UnitTexts:
    """The unit with this title."""
    (found,) = (text for text in uncompiled_texts(index, literal) if text.title == title)
    return found


def test_they_are_what_the_file_compiles(sample_db: Path) -> None:
    """Tokenised, the texts of every unit are exactly the compiled sets."""
    sql = "SELECT unit, is_trouble, has_cause, title, tags FROM nim_set ORDER BY unit"
    with open_index(sample_db) as index:
        conclusions = sets_of(index, "conclusion")
        compiled = [(*row, conclusions.get(row[0], "")) for row in index.rows(sql)]
        texts = list(uncompiled_texts(index, literal=False))
    fields = [(t.title, " ".join(t.tags), t.conclusion) for t in texts]
    sets = [[join_tokens(jaccard_tokens(text)) for text in field] for field in fields]
    read = [(t.unit, t.is_trouble, t.has_cause, *mine) for t, mine in zip(texts, sets, strict=True)]
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
    """A unit's own product and platform are no tags of it, except literally."""
    with open_index(sample_db) as index:
        found = by_title(index, literal, title)
    assert (found.tags, found.has_cause) == (tags, has_cause)


def test_literal_titles(sample_db: Path) -> None:
    """Literally, a useless title is the title."""
    with open_index(sample_db) as index:
        literal = [text.title for text in uncompiled_texts(index, literal=True)]
        ours = [text.title for text in uncompiled_texts(index, literal=False)]
    assert (literal.count("技术咨询"), ours.count("技术咨询")) == (2, 0)


def test_conclusions(sample_db: Path) -> None:
    """A conclusion is the cause and the solution together, and nothing without a cause."""
    with open_index(sample_db) as index:
        assert by_title(index, False, "桌面角标数字清不掉").conclusion.startswith("角标由服务端累加")
        assert "reportBadge(0)" in by_title(index, False, "桌面角标数字清不掉").conclusion
        assert by_title(index, False, "界面库怎样适配深色模式").conclusion == ""

"""Units by number -> what is shown of them."""

from pathlib import Path

import pytest

from query.index import open_index
from query.nim.cases import UnitRow, load_units


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

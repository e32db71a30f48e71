"""Where is looked: levels and folders (decisions 10, 13)."""

from itertools import pairwise
from pathlib import Path

import pytest

from query.index import open_index
from query.nim.contract import Level
from query.nim.scope import matching_folders, scan_levels
from query.nim.units import load_units

FOLDERS = ["推送", "推送服务", "iOS推送", "登录", "", "Login"]


@pytest.mark.parametrize(
    ("feature", "found"),
    [
        pytest.param("推送", ["推送"], id="the folder of that name alone"),
        pytest.param("登录连接", ["登录"], id="a folder whose name is contained in it"),
        pytest.param("服务", ["推送服务"], id="a folder whose name contains it"),
        pytest.param("iOS推送服务", ["iOS推送", "推送", "推送服务"], id="several"),
        pytest.param(" login ", ["Login"], id="without case and outer spaces"),
        pytest.param("短信", [], id="none is no error"),
        pytest.param("", [], id="not asked"),
        pytest.param("  ", [], id="blank"),
    ],
)
def test_matching_folders(feature: str, found: list[str]) -> None:
    """The folder of that name, else those that contain it or are contained in it."""
    assert list(matching_folders(feature, FOLDERS)) == found


@pytest.mark.parametrize(
    ("product", "feature", "sizes"),
    [
        pytest.param("IM-SDK", "消息收发", (7, 20, 34), id="three levels"),
        pytest.param("IM-SDK", "没有", (20, 34), id="no such feature"),
        pytest.param("IM-SDK", "", (20, 34), id="no feature"),
        pytest.param("", "消息收发", (34,), id="no product"),
        pytest.param("没有", "消息收发", (0, 34), id="no such product"),
    ],
)
def test_levels(sample_db: Path, product: str, feature: str, sizes: tuple[int, ...]) -> None:
    """Each level contains the one before and holds as many units as it says, and the last is the whole base."""
    with open_index(sample_db) as index:
        levels = scan_levels(index, product, feature)
        units = load_units(index, [number for (number,) in index.rows("SELECT id FROM nim_unit")])
    held = [{number for number, row in units.items() if level.holds(row)} for level in levels]
    assert tuple(level.size for level in levels) == tuple(map(len, held)) == sizes
    assert [level.level for level in levels] == list(Level)[-len(sizes) :]
    assert held[-1] == set(units)
    assert all(inner <= outer for inner, outer in pairwise(held))


def test_sibling_folders_belong_to_their_product(sample_db: Path) -> None:
    """The folder IM is looked at with IM-SDK."""
    with open_index(sample_db) as index:
        numbers = [number for (number,) in index.rows("SELECT id FROM nim_unit WHERE product_folder = 'IM'")]
        rows = load_units(index, numbers)
        product, whole = scan_levels(index, "IM-SDK", "")
        other = scan_levels(index, "RTC", "")[0]
    assert numbers
    assert [(product.holds(rows[n]), other.holds(rows[n]), whole.holds(rows[n])) for n in numbers] == [
        (True, False, True) for _ in numbers
    ]

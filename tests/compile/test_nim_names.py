"""The dictionary entries of products and platforms, and of terms that only one product's units have."""

from dataclasses import replace
from typing import Any

import pytest
from test_token_sets import UNIT

from indexer.compile.nim_names import vocabulary_rows
from indexer.data import load_nim_products, load_platforms, standard_product
from query.analysis.normalize import keys


@pytest.mark.parametrize(
    ("folder", "product"),
    [
        ("IM-SDK", "IM-SDK"),
        *((folder, "IM-SDK") for folder in ("IM", "IM V9", "IM V10", "IM功能", "IM-群组", "IM-Server")),
        *((folder, "RTC") for folder in ("音视频2.0", "音视频SDK", "RTC-SDK", "音视频1.0")),
        *((folder, "IM-UIKit") for folder in ("UIKIT", "UIKit问题", "UIKit配置")),
        ("直播", "直播"),
        ("易盾", "易盾"),
        ("", ""),
    ],
)
def test_standard_product(folder: str, product: str) -> None:
    """A sibling folder belongs to its standard product; a folder outside the table is a product itself."""
    assert standard_product(folder) == product


def entries(kind: str, *units: tuple[str, tuple[str, ...]]) -> list[dict[str, Any]]:
    """The dictionary entries of one kind, for units given as (product folder, terms of the title)."""
    made = [replace(UNIT, product_folder=folder) for folder, _ in units]
    prepared = [{"title": terms, "tags": ()} for _, terms in units]
    rows = vocabulary_rows(made, prepared, {"蓝牙耳机": "蓝牙 耳机"}, {})["dictionary"]
    return [row for row in rows if row["kind"] == kind]


def learned(*units: tuple[str, tuple[str, ...]]) -> dict[str, tuple[str, int]]:
    """Learned term -> its product, and the number of that product's units that have it."""
    rows = entries("nim product", *units)
    return {row["key"]: (row["ref"], row["rank"]) for row in rows if row["strength"] == "learned"}


RTC, IM = ("RTC", ("耳机",)), ("IM-SDK", ("耳机",))


@pytest.mark.parametrize(
    ("units", "wanted"),
    [
        pytest.param([RTC] * 4, {"耳机": ("RTC", 4)}, id="four units of one product"),
        pytest.param([RTC] * 3, {}, id="three are too few"),
        pytest.param([RTC] * 19 + [IM], {"耳机": ("RTC", 19)}, id="95 in a hundred"),
        pytest.param([RTC] * 18 + [IM], {}, id="less than 95 in a hundred"),
        pytest.param(
            [RTC] * 2 + [("音视频2.0", ("耳机",))] * 2, {"耳机": ("RTC", 4)}, id="sibling folders count together"
        ),
        pytest.param([("RTC", ("耳",))] * 4, {}, id="a single character is no term"),
        pytest.param([("RTC", ("耳机", "耳机"))] * 2, {}, id="a unit counts once"),
        pytest.param([("RTC", ("蓝牙耳机",))] * 4, {"蓝牙": ("RTC", 4), "耳机": ("RTC", 4)}, id="a run is its words"),
    ],
)
def test_learned(units: list[tuple[str, tuple[str, ...]]], wanted: dict[str, tuple[str, int]]) -> None:
    """A term is learned if at least four units have it, and at least 95 % of them are of one product."""
    assert learned(*units) == wanted


def test_aliases_count_before_terms() -> None:
    """An alias of the table is no learned term, however many units of one product have it."""
    rows = {row["key"]: row for row in entries("nim product", *[("RTC", ("连麦",))] * 5)}
    assert (rows["连麦"]["strength"], rows["连麦"]["ref"]) == (None, "RTC")


def test_table() -> None:
    """Every name, alias and sibling folder of the table is an entry of its product, and no key has two."""
    rows = [row for row in entries("nim product", IM) if row["strength"] is None]
    products = {row["key"]: row["ref"] for row in rows}
    assert len(products) == len(rows)
    for product in load_nim_products():
        for name in (product.name, *product.aliases, *product.folders):
            assert products[keys(name, {})[0]] == product.name


def test_folders_outside_the_table() -> None:
    """A product folder outside the table is an entry under its own name, ranked behind the table."""
    rows = {row["key"]: row for row in entries("nim product", ("直播", ()), IM)}
    assert (rows["直播"]["ref"], rows["直播"]["strength"]) == ("直播", None)
    assert rows["直播"]["rank"] > max(row["rank"] for key, row in rows.items() if key != "直播") - 2


def test_platforms() -> None:
    """Every alias is an entry of its platform; 通用 is no platform."""
    platforms = {row["key"]: row["ref"] for row in entries("nim platform")}
    wanted = {
        keys(name, {})[0]: platform
        for platform, aliases in load_platforms().items()
        if platform != "通用"
        for name in (platform, *aliases)
    }
    assert platforms == wanted
    assert (platforms["安卓"], platforms["小程序"], "全平台" in platforms) == ("Android", "微信小程序", False)


def test_rows_are_sorted() -> None:
    """The order of the rows does not depend on the order of the units."""
    units = [("直播", ("耳机",)), ("易盾", ("声音",)), *[RTC] * 4]
    assert entries("nim product", *units) == sorted(
        entries("nim product", *units[::-1]), key=lambda r: str((r["key"], r["ref"]))
    )

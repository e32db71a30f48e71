"""The vocabulary files of the readers agree with the specification and with the functions that use them."""

from indexer import data
from indexer.reading.nim.values import GENERIC, is_placeholder, is_useless_title, platforms_of

STANDARD = ("IM-SDK", "IM-UIKit", "RTC", "呼叫组件", "NERoom", "网易会议", "短信", "智能体")
PLATFORMS = (
    "iOS",
    "Android",
    "Web",
    "Flutter",
    "HarmonyOS",
    "Windows",
    "macOS",
    "Linux",
    "Node",
    "Server",
    "通用",
)


def test_products_are_those_of_the_specification() -> None:
    """The eight products have the specification's order, and no folder belongs to two of them."""
    products = data.load_nim_products()
    assert tuple(product.name for product in products) == STANDARD
    folders = [folder for product in products for folder in product.folders]
    assert len(folders) == len(set(folders))
    assert not {"直播", "点播", "易盾", "其他"} & set(folders)
    assert {"IM", "IM V9", "IM V10"} <= set(products[0].folders)


def test_platforms_hold_those_of_the_specification() -> None:
    """The platform folders of the specification come first, and no alias has two names."""
    table = data.load_platforms()
    assert tuple(table)[: len(PLATFORMS)] == PLATFORMS
    aliases = [alias.casefold() for name, names in table.items() for alias in {name, *names}]
    assert len(aliases) == len(set(aliases))
    assert all(platforms_of(name) == (name,) for name in table)
    assert GENERIC in table


def test_placeholders() -> None:
    """Every phrase of the file is recognised as a member of its list, and is listed once."""
    words = data.load_placeholders()
    assert all(map(is_placeholder, (*words.answers, *words.see_body)))
    assert all(map(is_useless_title, words.useless_titles))
    for phrases in (words.answers, words.useless_titles, words.template_lines, words.template_openings):
        assert len(phrases) == len(set(phrases))
        assert all(phrases)


def test_standard_product() -> None:
    """A sibling folder belongs to its standard product; a folder outside the table is a product itself."""
    assert [data.standard_product(name) for name in ("IM V9", "IM-SDK", "直播")] == ["IM-SDK", "IM-SDK", "直播"]

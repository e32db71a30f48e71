"""The data files of the readers, each loaded once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from indexer.reading.front_matter import load_strings


@dataclass(frozen=True, slots=True)
class NimProduct:
    """One row of the specification's product table, with its sibling folders (decision 9)."""

    name: str
    aliases: tuple[str, ...]
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placeholders:
    """Texts that say nothing (decisions 4, 6 and 7), as written in ``placeholders.yaml``."""

    answers: tuple[str, ...]
    see_body: tuple[str, ...]
    template_lines: tuple[str, ...]
    template_openings: tuple[str, ...]
    useless_titles: tuple[str, ...]
    description_headers: tuple[str, ...]


@cache
def load_nim_products() -> tuple[NimProduct, ...]:
    """The product table in the specification's order (decision 9)."""
    rows = cast("list[dict[str, Any]]", _load("nim_products.yaml"))
    return tuple(NimProduct(row["name"], tuple(row["aliases"]), tuple(row["folders"])) for row in rows)


@cache
def _product_of_folder() -> Mapping[str, str]:
    products = load_nim_products()
    return {folder: product.name for product in products for folder in (product.name, *product.folders)}


def standard_product(folder: str) -> str:
    """The standard product that a product folder belongs to; a folder outside the table is a product of its own."""
    return _product_of_folder().get(folder, folder)


@cache
def load_platforms() -> Mapping[str, tuple[str, ...]]:
    """Canonical platform name -> its aliases (decision 11)."""
    table = cast("dict[str, list[str]]", _load("platforms.yaml"))
    return {name: tuple(aliases) for name, aliases in table.items()}


@cache
def load_placeholders() -> Placeholders:
    """Placeholder answers, template lines, useless titles (decisions 4, 6 and 7)."""
    table = cast("dict[str, list[str]]", _load("placeholders.yaml"))
    return Placeholders(**{name: tuple(texts) for name, texts in table.items()})


def _load(name: str) -> object:
    return load_strings(files(__name__).joinpath("vocabulary", name).read_text("utf-8"))

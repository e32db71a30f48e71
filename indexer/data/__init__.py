"""The vocabulary files of the readers, each loaded once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from indexer.yaml_text import load_strings

#: The folder of the vocabulary files.
VOCABULARY = files(__name__).joinpath("vocabulary")


@dataclass(frozen=True, slots=True)
class NimProduct:
    """One row of the product table of the NIM specification, with the sibling folders that belong to the product."""

    name: str
    aliases: tuple[str, ...]
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placeholders:
    """The lists of ``placeholders.yaml``: texts that carry no information, as they are written.

    See docs/decisions/nim.md#placeholders, #useless-titles and #description-of-a-case.
    """

    answers: tuple[str, ...]
    see_body: tuple[str, ...]
    template_lines: tuple[str, ...]
    template_openings: tuple[str, ...]
    useless_titles: tuple[str, ...]
    description_headers: tuple[str, ...]


@cache
def load_nim_products() -> tuple[NimProduct, ...]:
    """The product table in the order of the specification (docs/decisions/nim.md#products)."""
    rows = load_vocabulary("nim_products.yaml")
    return tuple(NimProduct(row["name"], tuple(row["aliases"]), tuple(row["folders"])) for row in rows)


@cache
def _product_of_folder() -> Mapping[str, str]:
    products = load_nim_products()
    return {folder: product.name for product in products for folder in (product.name, *product.folders)}


def standard_product(folder: str) -> str:
    """The standard product that a product folder belongs to; a folder outside the table is a product itself."""
    return _product_of_folder().get(folder, folder)


@cache
def load_platforms() -> Mapping[str, tuple[str, ...]]:
    """Canonical platform name -> its aliases (docs/decisions/nim.md#platforms)."""
    return {name: tuple(aliases) for name, aliases in load_vocabulary("platforms.yaml").items()}


@cache
def load_placeholders() -> Placeholders:
    """The lists of ``placeholders.yaml``."""
    return Placeholders(**{name: tuple(texts) for name, texts in load_vocabulary("placeholders.yaml").items()})


def load_vocabulary(name: str) -> Any:
    """The value of one YAML file of the vocabulary folder, with every scalar as text."""
    return load_strings(VOCABULARY.joinpath(name).read_text("utf-8"))

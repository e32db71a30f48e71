"""The fields of an index entry or a front matter -> records, alike in both layouts."""

import re
from collections.abc import Mapping
from typing import Any

from indexer.frontmatter import Value, list_of, text_of
from indexer.records import Product, Relation


def tags_of(value: "Value | None") -> tuple[str, ...]:
    """Tags as a list, or as one text with commas between them."""
    listed = re.split(r"[,，、;；]", value) if isinstance(value, str) else value
    return list_of(listed)


def is_planned(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says that its page is not written yet."""
    return text_of(entry.get("status")).lower() == "planned"


def product_of(entry: Mapping[str, Any], listed_in: str) -> Product:
    """One entry of ``products``."""
    return Product(
        id=text_of(entry.get("id")),
        name=text_of(entry.get("name")),
        description=text_of(entry.get("description")),
        llms_file=text_of(entry.get("llms_file")),
        listed_in=listed_in,
    )


def relation_of(entry: Mapping[str, Any], listed_in: str) -> Relation:
    """One entry of the cross-product relations."""
    return Relation(
        id=text_of(entry.get("id")),
        products=list_of(entry.get("products")),
        slices=list_of(entry.get("slices")),
        description=text_of(entry.get("description")),
        listed_in=listed_in,
    )

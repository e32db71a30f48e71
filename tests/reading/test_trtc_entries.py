"""The fields of an entry become records, whatever the layout."""

import pytest

from indexer.reading.front_matter import Value
from indexer.reading.trtc.listed import is_planned, product_of, relation_of, tags_of
from indexer.records import Product, Relation

TAGS: dict[str, tuple["Value | None", tuple[str, ...]]] = {
    "a list": (["x", "Y", "x"], ("x", "Y")),
    "one text with commas": ("x, y，z、w; v；u", ("x", "y", "z", "w", "v", "u")),
    "one word": ("x", ("x",)),
    "a number in a list": (["6206"], ("6206",)),
    "nothing": (None, ()),
    "empty items": (["", " ", "x"], ("x",)),
}


@pytest.mark.parametrize(("written", "tags"), TAGS.values(), ids=TAGS)
def test_tags(written: "Value | None", tags: tuple[str, ...]) -> None:
    """Tags are a list or a text, in order, each once."""
    assert tags_of(written) == tags


@pytest.mark.parametrize(
    ("status", "planned"), [("planned", True), (" Planned ", True), ("active", False), ("", False)]
)
def test_planned(status: str, planned: bool) -> None:
    """Only the word planned plans."""
    assert is_planned({"status": status}) is planned


def test_no_status() -> None:
    """What has no status is written."""
    assert not is_planned({})


def test_product() -> None:
    """A product keeps its four fields; one that lacks any has empty ones."""
    entry = {"id": "live", "name": "L", "description": "d", "llms_file": "u", "public_release": {}}
    assert product_of(entry, "p.yaml") == Product("live", "L", "d", "u", "p.yaml")
    assert product_of({"id": "live"}, "p.yaml") == Product("live", "", "", "", "p.yaml")


def test_relation() -> None:
    """A relation keeps its products and slices as they stand, also ids that nobody has."""
    entry = {"id": "r", "products": ["live", "chat"], "slices": "chat/x", "description": "d"}
    assert relation_of(entry, "p.yaml") == Relation("r", ("live", "chat"), ("chat/x",), "d", "p.yaml")

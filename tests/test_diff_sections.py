"""Every column of the things compared is compared, or known to follow from something else."""

from pathlib import Path

import pytest

from query.diff_sections import SECTIONS
from query.index import open_index

#: Table -> the section that tells it, and columns left out: identities, positions, what follows from others.
TABLES = {
    "product": ("products", {"id", "product_id"}),
    "slice": ("slices", {"id", "slice_id", "product_id"}),
    "slice_page": ("pages", {"id", "slice", "platform", "path"}),
    "relation": ("relations", {"id", "relation_id"}),
    "scenario": ("scenarios", {"id", "scenario_id"}),
    "nim_unit": (
        "cases",
        {"id", "path", "entry", "line", "product_folder", "scope", "feature_folder", "copy_of"},
    ),
}


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_compared(table: str, sample_db: Path) -> None:
    """A column that the schema gains is compared, or someone says here why not."""
    section, left_out = TABLES[table]
    with open_index(sample_db) as index:
        columns = {row[1] for row in index.rows(f"PRAGMA table_info({table})")}
    assert columns == left_out | set(SECTIONS[section].fields)


#: Section -> how many identities the tables hold.
COUNTS = {
    "products": "SELECT count(*) FROM product",
    "slices": "SELECT count(*) FROM slice",
    "slice_tags": "SELECT count(*) FROM slice_tag",
    "error_codes": "SELECT count(*) FROM (SELECT DISTINCT slice, code FROM error_code)",
    "pages": "SELECT count(*) FROM slice_page",
    "relations": "SELECT count(*) FROM relation",
    "scenarios": "SELECT count(*) FROM scenario",
    "cases": "SELECT count(*) FROM nim_unit",
    "nim_tags": "SELECT count(DISTINCT tag) FROM nim_tag",
}


@pytest.mark.parametrize("section", SECTIONS)
def test_items(section: str, sample_db: Path) -> None:
    """Each thing has an identity of its own, every field, and some value in each list somewhere."""
    with open_index(sample_db) as index:
        items = SECTIONS[section].items(index)
        assert [(len(items),)] == index.rows(COUNTS[section])
    for name in SECTIONS[section].lists:
        assert any(fields[name] for fields in items.values())
    names = {*SECTIONS[section].fields, *SECTIONS[section].lists}
    assert all(set(fields) == names for fields in items.values())

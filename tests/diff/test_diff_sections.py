"""Every column of the things compared is compared, or known to follow from something else."""

from pathlib import Path

import pytest
from split_support import WEB, write_base

from indexer.build import Sources, build
from query.diff.sections import SECTIONS
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


def test_a_code_that_only_an_index_lists(tmp_path: Path) -> None:
    """A code without a page has its fields all the same, so that a change of them is told."""
    base = write_base(tmp_path, **{"chat/web/index.yaml": WEB.replace("[贴纸包, sticker]", "[70031, -8101]")})
    build(Sources(base, None), tmp_path / "x.db")
    with open_index(tmp_path / "x.db") as index:
        found = SECTIONS["error_codes"].items(index)
    listed = {"place": ["index"], "section": ["keywords"], "text": ["发送贴纸"], "page": [""]}
    assert (found["chat/sticker 70031"], found["chat/sticker -8101"]) == (listed, listed)
    assert found["live/firework -8101"]["page"] == ["knowledge-base/slices/live/firework.md"]

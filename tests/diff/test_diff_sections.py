"""Every column of the compared tables is compared, or is known to follow from something else."""

from pathlib import Path
from typing import Any

import pytest
from split_support import WEB, write_base

from indexer.build import Sources, build
from query.analysis.case_ref import case_ref
from query.diff.sections import SECTIONS
from query.index import Index, open_index

#: Table -> its section, and the columns left out: identities, positions, and what follows from other columns.
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


#: Section -> its fields of many values.
LISTS = {
    "slices": {"tags", "platforms", "pages", "related"},
    "error_codes": {"place", "section", "text", "page"},
    "relations": {"products", "slices"},
    "scenarios": {"slices"},
    "cases": {"tags", "customers", "platforms"},
}


@pytest.mark.parametrize("table", TABLES)
def test_every_column_is_compared(table: str, sample_db: Path) -> None:
    """A new column of the schema must be compared, or be listed above as left out."""
    section, left_out = TABLES[table]
    with open_index(sample_db) as index:
        columns = {row[1] for row in index.rows(f"PRAGMA table_info({table})")}
    assert columns == left_out | set(SECTIONS[section].fields) - LISTS.get(section, set())


#: Section -> how many identities the tables hold.
COUNTS = {
    "products": "SELECT count(*) FROM product",
    "slices": "SELECT count(*) FROM slice",
    "slice_tags": "SELECT count(*) FROM slice_tag WHERE origin != 'name'",
    "error_codes": "SELECT count(*) FROM (SELECT DISTINCT slice, code FROM error_code)",
    "pages": "SELECT count(*) FROM slice_page",
    "relations": "SELECT count(*) FROM relation",
    "scenarios": "SELECT count(*) FROM scenario",
    "cases": "SELECT count(*) FROM nim_unit",
    "nim_tags": "SELECT count(DISTINCT tag) FROM nim_tag",
}


def items(index: Index, section: str) -> dict[str, dict[str, Any]]:
    """Identity -> field -> value, as the section selects them from one file."""
    names = SECTIONS[section].fields
    rows = sorted(index.rows(SECTIONS[section].select.replace("@", "main.")), key=lambda row: row[1])
    return {identity: dict(zip(names, values, strict=True)) for identity, _, *values in rows}


@pytest.mark.parametrize("section", SECTIONS)
def test_items(section: str, sample_db: Path) -> None:
    """Each item has an identity of its own, and each list has a value somewhere."""
    with open_index(sample_db) as index:
        found = items(index, section)
        assert [(len(found),)] == index.rows(COUNTS[section])
    lists = {name for fields in found.values() for name, value in fields.items() if str(value).startswith(('["', "[["))}
    assert lists >= LISTS.get(section, set())


def test_cases_are_called_by_their_reference(sample_db: Path) -> None:
    """The SQL identity of a case is its ``case_ref``, in the order of the sources."""
    with open_index(sample_db) as index:
        units = index.rows("SELECT path, entry FROM nim_unit ORDER BY id")
        assert list(items(index, "cases")) == [case_ref(path, entry) for path, entry in units]
    assert {bool(entry) for _, entry in units} == {True, False}


def test_a_code_that_only_an_index_lists(tmp_path: Path) -> None:
    """A code without a page has all fields, so that a change of them is found."""
    base = write_base(tmp_path, **{"chat/web/index.yaml": WEB.replace("[贴纸包, sticker]", "[70031, -8101]")})
    build(Sources(base, None), tmp_path / "x.db")
    with open_index(tmp_path / "x.db") as index:
        found = items(index, "error_codes")
    listed = {"place": '["index"]', "section": '["keywords"]', "text": '["发送贴纸"]', "page": '[""]'}
    assert (found["chat/sticker 70031"], found["chat/sticker -8101"]) == (listed, listed)
    assert found["live/firework -8101"]["page"] == '["knowledge-base/slices/live/firework.md"]'

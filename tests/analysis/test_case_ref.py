"""How units are called: written and read back by one rule, which the SQL of ``diff`` follows."""

from pathlib import Path

import pytest

from query.analysis.case_ref import case_ref, parse_case_ref
from query.diff.sections import SECTIONS
from query.index import open_index

PLACES = [
    ("knowledge/a.md", 0, "knowledge/a.md"),
    ("knowledge/a.md", 3, "knowledge/a.md#3"),
    ("knowledge/a#1\n.md", 0, "knowledge/a#1\n.md"),
    ("knowledge/a#1.md", 12, "knowledge/a#1.md#12"),
]


@pytest.mark.parametrize(("path", "entry", "place"), PLACES)
def test_there_and_back(path: str, entry: int, place: str) -> None:
    """A place names its unit, and is read back."""
    assert case_ref(path, entry) == place
    assert parse_case_ref(place) == (path, entry)


def test_no_entry() -> None:
    """The document of an answer has null where there is no entry."""
    assert case_ref("knowledge/a.md", None) == "knowledge/a.md"


@pytest.mark.parametrize("place", ["", "#3", "a.md#", "a.md#x", "a.md#1234567890"])
def test_not_an_entry(place: str) -> None:
    """What is no number behind a path belongs to the path."""
    assert parse_case_ref(place) == (place, 0)


def test_diff_calls_them_so(sample_db: Path) -> None:
    """``diff`` spells the rule in SQL."""
    with open_index(sample_db) as index:
        units = index.rows("SELECT path, entry FROM nim_unit ORDER BY id")
        assert list(SECTIONS["cases"].items(index)) == [case_ref(path, entry) for path, entry in units]
    assert {bool(entry) for _, entry in units} == {True, False}

"""References of NIM units: written and read back by one rule."""

import pytest

from query.analysis.case_ref import case_ref, parse_case_ref

REFERENCES = [
    ("knowledge/a.md", 0, "knowledge/a.md"),
    ("knowledge/a.md", 3, "knowledge/a.md#3"),
    ("knowledge/a#1\n.md", 0, "knowledge/a#1\n.md"),
    ("knowledge/a#1.md", 12, "knowledge/a#1.md#12"),
]


@pytest.mark.parametrize(("path", "entry", "reference"), REFERENCES)
def test_there_and_back(path: str, entry: int, reference: str) -> None:
    """A reference names one unit and is read back."""
    assert case_ref(path, entry) == reference
    assert parse_case_ref(reference) == (path, entry)


def test_no_entry() -> None:
    """Without an entry, a reference is the path."""
    assert case_ref("knowledge/a.md", None) == "knowledge/a.md"


@pytest.mark.parametrize("reference", ["", "#3", "a.md#", "a.md#x", "a.md#1234567890"])
def test_not_an_entry(reference: str) -> None:
    """Anything behind # that is no short number belongs to the path."""
    assert parse_case_ref(reference) == (reference, 0)

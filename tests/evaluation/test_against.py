"""Comparison of two runs, row by row."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.evaluation.against import change_text, compared, read_run
from query.evaluation.labelled import BadLabels

RUNS = st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from(["status", "hit@1", "hit@3"]), unique=True))


def test_changes_of_rows() -> None:
    """A row that lost a figure is broken, even if it won another one; the order of figures is no change."""
    old = {"a": ["x"], "b": [], "c": ["x"], "d": ["x", "y"], "gone": []}
    new = {"a": [], "b": ["x"], "c": ["y"], "d": ["y", "x"], "come": []}
    assert compared(old, new) == {
        "fixed": {"a": {"won": ["x"], "lost": []}},
        "broken": {"b": {"won": [], "lost": ["x"]}, "c": {"won": ["x"], "lost": ["y"]}},
        "unchanged": 1,
        "only_old": 1,
        "only_new": 1,
    }


@given(old=RUNS, new=RUNS)
def test_every_row_is_counted_once(old: dict[str, list[str]], new: dict[str, list[str]]) -> None:
    """Fixed, broken and unchanged rows and those of one run only are all rows."""
    change = compared(old, new)
    both = len(change["fixed"]) + len(change["broken"]) + change["unchanged"]
    assert both + change["only_old"] == len(old)
    assert both + change["only_new"] == len(new)


@given(run=RUNS)
def test_a_run_against_itself(run: dict[str, list[str]]) -> None:
    """A run has no changes against itself."""
    assert compared(run, run)["unchanged"] == len(run)


def test_for_a_person() -> None:
    """The text has the counts, then each row with its figures."""
    text = change_text(compared({"a": ["x"], "b": [], "z": []}, {"a": [], "b": ["y"]}))
    assert text.splitlines() == [
        "1 fixed, 1 broken, 0 unchanged",
        "fixed  a  won x",
        "broken  b  lost y",
        "1 rows of the older run alone, 0 of this one",
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"verdicts": 1}', '{"verdicts": {"a": "x"}}', "{"])
def test_a_file_that_is_no_run(text: str, tmp_path: Path) -> None:
    """The error names the file and what was wanted."""
    path = tmp_path / "old.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BadLabels, match=r"old\.json.*wanted what 'rtckb eval"):
        read_run(path)


def test_a_missing_run(tmp_path: Path) -> None:
    """A missing file cannot be read."""
    with pytest.raises(BadLabels, match="cannot be read"):
        read_run(tmp_path / "none.json")

"""CASES.md: every known hostile input has a row, and every place that a row names is there."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT, SHARED

TABLE = ROOT / "tests" / "CASES.md"
_ROW = re.compile(r"^\| ([A-Z]\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
_PLACE = re.compile(r"`([^`]+)`")
ROWS = [match.groups() for match in _ROW.finditer(TABLE.read_text("utf-8"))]


def known_ids() -> list[str]:
    """The ids of the list beside the checkout."""
    listed = SHARED / "cases.md"
    if not listed.is_file():
        pytest.skip("the list of cases is not beside this checkout (../shared/cases.md)")
    return re.findall(r"^- \*\*([A-Z]\d+)\*\*", listed.read_text("utf-8"), re.MULTILINE)


@cache
def functions(path: Path) -> frozenset[str]:
    """The test functions of a file, those of its classes included."""
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_each_line_has_one_row() -> None:
    """No line is silently left, none answered twice, and none invented."""
    assert Counter(row[0] for row in ROWS) == Counter(known_ids())


def test_every_row_is_read() -> None:
    """A row of another form than the others would not be checked."""
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if re.match(r"\| [A-Z]", line)]
    assert len(lines) == len(ROWS) > 150


@pytest.mark.parametrize(("number", "places"), [(row[0], row[3]) for row in ROWS], ids=[row[0] for row in ROWS])
def test_every_place_exists(number: str, places: str) -> None:
    """A file is there, a test is in it, and so is the case of its table that is named."""
    named = _PLACE.findall(places)
    assert named, number
    for place in named:
        node, _, case = place.removesuffix("]").partition(" [")
        name, _, function = node.partition("::")
        path = ROOT / name
        assert path.is_file(), place
        assert not function or function in functions(path), place
        assert case in path.read_text("utf-8"), place

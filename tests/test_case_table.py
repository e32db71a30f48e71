"""CASES.md has a row for every known hostile input, and every test that a row names exists."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT, SHARED

TABLE = (ROOT / "tests" / "CASES.md").read_text("utf-8")
#: (id, input, answer, tests)
ROWS = re.findall(r"^\| ([A-Z]\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", TABLE, re.MULTILINE)


@cache
def functions(path: Path) -> frozenset[str]:
    """The test functions of a file, including those of its classes."""
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_one_row_for_each_id() -> None:
    """Every id of the list of known inputs has exactly one row, and no other id has one."""
    listed = SHARED / "cases.md"
    if not listed.is_file():
        pytest.skip("the list of cases is not beside this checkout (../shared/cases.md)")
    known = re.findall(r"^- \*\*([A-Z]\d+)\*\*", listed.read_text("utf-8"), re.MULTILINE)
    assert Counter(number for number, *_ in ROWS) == Counter(known)


def test_every_row_is_read() -> None:
    """Every row of the tables has the four columns that are read here."""
    assert len(ROWS) == len(re.findall(r"^\| [A-Z]\d", TABLE, re.MULTILINE)) > 150


def test_every_pointer_leads_to_a_test() -> None:
    """A row names existing files, tests in them and cases of those tests, or is marked as not yet tested."""
    assert [f"{number}: {fault}" for number, _, _, tests in ROWS for fault in _faults(tests)] == []


def _faults(tests: str) -> Iterator[str]:
    pointers = re.findall(r"`([^`]+)`", tests)
    if not pointers and tests != "not yet":
        yield f"names no test: {tests}"
    for pointer in pointers:
        node, _, case = pointer.removesuffix("]").partition(" [")
        name, _, function = node.partition("::")
        path = ROOT / name
        if not path.is_file():
            yield f"no such file: {name}"
        elif function and function not in functions(path):
            yield f"no such test: {node}"
        elif case not in path.read_text("utf-8"):
            yield f"no such case: {pointer}"

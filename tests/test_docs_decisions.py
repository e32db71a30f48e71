"""The decisions under docs/ can be trusted: links lead to them, their tests exist, and nothing cites them by number."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT
from test_case_table import functions

DECISIONS = {path.name: path.read_text("utf-8") for path in sorted((ROOT / "docs" / "decisions").glob("*.md"))}
PLANNED = "Status: planned, not built yet."
#: Folders and files of the project, without what tools leave in a checkout.
_SOURCES = ("indexer", "query", "tests", "docs", ".github")
_SUFFIXES = frozenset({".md", ".py", ".sql", ".toml", ".tsv", ".yaml", ".yml"})
_LINK = re.compile(r"decisions/(\w+\.md)((?:#[\w-]+(?:, | and )?)+)")
_SECTION = re.compile(r"^### (.+)\n((?:(?!#{2,3} ).*\n)*)", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)(?: \[([^`]+)\])?`")
_BY_NUMBER = re.compile(r"decisions? [0-9]|decisions-\w+,? [0-9]|cases\.md,? [A-Z]?[0-9]")


def project_files() -> Iterator[Path]:
    """Every file of the project that people write."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.suffix in _SUFFIXES)
    for folder in _SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in _SUFFIXES and "__pycache__" not in path.parts:
                yield path


TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in project_files()}
SECTIONS = [(name, *section) for name, text in DECISIONS.items() for section in _SECTION.findall(text)]
TESTS = [(name, *test) for name, text in DECISIONS.items() for test in _TEST.findall(text)]


def anchor(heading: str) -> str:
    """The anchor that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_links_lead_to_a_decision() -> None:
    """Every link to a decision, from code, comments or documents, names one that exists."""
    known = {(name, anchor(heading)) for name, heading, _ in SECTIONS}
    links = [
        (file, name, slug)
        for file, text in TEXTS.items()
        for name, slugs in _LINK.findall(text)
        for slug in re.findall(r"#([\w-]+)", slugs)
    ]
    assert len(links) > 20
    assert [link for link in links if link[1:] not in known] == []


def test_every_decision_has_a_topic() -> None:
    """The table at the top of a document lists each of its decisions once."""
    for name, text in DECISIONS.items():
        rows = re.findall(r"^\| \[.+?\]\(#.+?\) \| (.+) \|$", text, re.MULTILINE)
        listed = re.findall(r"\(#([\w-]+)\)", " ".join(rows))
        assert sorted(listed) == sorted(anchor(heading) for file, heading, _ in SECTIONS if file == name)


@pytest.mark.parametrize(
    ("text", "heading"),
    [pytest.param(text, heading, id=f"{name}#{anchor(heading)}") for name, heading, text in SECTIONS],
)
def test_a_decision_has_a_reason_and_a_test(text: str, heading: str) -> None:
    """A decision gives its reason and its test, or states that it is not built yet."""
    assert "\nWhy: " in text, heading
    assert _TEST.search(text) or PLANNED in text, heading


@pytest.mark.parametrize(
    ("file", "function", "case"), [pytest.param(*test[1:], id=f"{test[0]}: {test[2]}") for test in TESTS]
)
def test_named_tests_exist(file: str, function: str, case: str) -> None:
    """A test that a decision names is in that file, and so is its case, in the file itself or as a golden case."""
    assert (ROOT / file).is_file()
    assert function in functions(ROOT / file)
    golden = {path.stem for path in (ROOT / "tests" / "golden").rglob("*") if path.is_file()}
    assert not case or case in golden or case in TEXTS[file]


def test_nothing_is_cited_by_number() -> None:
    """A number of a list outside the repository means nothing to a reader: carry the reason, or link the decision."""
    cited = [f"{file}: {found[0]}" for file, text in TEXTS.items() for found in _BY_NUMBER.finditer(text)]
    assert cited == []

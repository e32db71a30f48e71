"""The documents agree with the code and with each other: links, paths, messages, variables and examples."""

import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import OLD, ROOT

from query.errors import EXIT_INDEX
from query.evaluation.labelled import is_nim, read_labelled
from query.integrity import APPLICATION_ID, DIGEST_KEY, SCHEMA_VERSION, STORAGE_HASH_KEY, content_tables
from rtckb import main

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/**/*.md")])
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]*)\)")
_PATH = re.compile(r"`((?:query|indexer|tests|docs|\.ci|\.github)/[\w./*-]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _database(path: Path, **pragmas: int) -> None:
    with closing(sqlite3.connect(path)) as db:
        for name, value in pragmas.items():
            db.execute(f"PRAGMA {name} = {value}")
        db.execute("CREATE TABLE slice_vocabulary (term)")
        db.commit()


#: A file that is no index of this version -> how to make it.
UNUSABLE: dict[str, Callable[[Path], object]] = {
    "missing": Path.exists,
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "empty": Path.touch,
    "a text": lambda path: path.write_text("text"),
    "a Git LFS pointer": lambda path: path.write_bytes(OLD),
    "of another program": _database,
    "older": lambda path: _database(path, application_id=APPLICATION_ID, user_version=SCHEMA_VERSION - 1),
    "newer": lambda path: _database(path, application_id=APPLICATION_ID, user_version=SCHEMA_VERSION + 1),
}


@pytest.mark.parametrize("make", UNUSABLE.values(), ids=UNUSABLE)
def test_messages_about_unusable_files_are_documented(make: Callable[[Path], object], tmp_path: Path) -> None:
    """docs/file-format.md quotes the message about each kind of file that is no index of this version."""
    path = tmp_path / "rtckb.db"
    make(path)
    done = CliRunner().invoke(main, ["info", "--db", str(path)])
    table = (ROOT / "docs" / "file-format.md").read_text("utf-8").partition("| file | message")[2].partition("\n\n")[0]
    quoted = [re.escape(message).replace("…", ".*") for message in re.findall("`(.+?)`", table)]
    message = done.stderr.removeprefix(f"rtckb: {path}: ").strip()
    assert done.exit_code == EXIT_INDEX
    assert any(re.fullmatch(pattern, message) for pattern in quoted), message


def test_marks_and_hashes_are_documented() -> None:
    """docs/file-format.md names the application id, the keys of both hashes, and the tables outside the digest."""
    text = (ROOT / "docs" / "file-format.md").read_text("utf-8").partition("## Versions")[0]
    sql = (ROOT / "schema.sql").read_text("utf-8")
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(sql)
        outside = set(re.findall(r"^CREATE TABLE (\w+)", sql, re.MULTILINE)).difference(content_tables(db))
    assert f" {APPLICATION_ID}," in text
    assert {DIGEST_KEY, STORAGE_HASH_KEY, *outside} <= set(re.findall(r"`(\w+)`", text))


def test_every_environment_variable_is_documented() -> None:
    """docs/commands.md lists exactly the variables that the code reads."""
    sources = "".join(path.read_text("utf-8") for half in ("query", "indexer") for path in (ROOT / half).rglob("*.py"))
    table = set(re.findall(r"^\| `(RTCKB_\w+)` \|", (ROOT / "docs" / "commands.md").read_text("utf-8"), re.MULTILINE))
    assert table == set(re.findall(r"RTCKB_[A-Z_]*[A-Z]", sources))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    """Every relative link in a document names a file and a heading that exist."""
    links = _LINK.findall(document.read_text("utf-8"))
    assert [link for link in links if not _exists(document, link)] == []


def test_named_paths_exist() -> None:
    """Every path of the repository that a document names in code exists, in whole or as a pattern."""
    texts = {path: path.read_text("utf-8") for path in DOCUMENTS if path.name != "CHANGELOG.md"}
    named = {name for text in texts.values() for name in _PATH.findall(text)}
    assert len(named) > 5
    assert sorted(name for name in named if not any(ROOT.glob(name))) == []


def test_labelled_examples_are_valid(tmp_path: Path) -> None:
    """``rtckb eval`` reads the rows that docs/evaluation.md shows, one of each knowledge base."""
    (rows,) = re.findall(r"^```jsonl\n(.*?)^```", (ROOT / "docs" / "evaluation.md").read_text("utf-8"), re.M | re.S)
    (tmp_path / "rows.jsonl").write_text(rows, "utf-8")
    assert [is_nim(row) for row in read_labelled(tmp_path / "rows.jsonl")] == [False, True]


def _exists(document: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = document.parent / name if name else document
    return target.exists() and (not anchor or anchor in _anchors(target.read_text("utf-8")))


def _anchors(text: str) -> set[str]:
    """The anchors that GitHub gives to the headings of a document, and those it sets itself."""
    headings = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(text))
    return {*headings, *re.findall(r'<a (?:id|name)="([^"]+)"', text)}

"""The documents agree with the code. ``python tests/test_docs_reference.py`` writes the generated parts anew.

Generated are the tables in docs/file-format.md, from schema.sql, and the help in docs/commands.md, from ``--help``.
"""

import os
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from conftest import OLD, ROOT

from query.errors import EXIT_INDEX
from query.evaluation.labelled import is_nim, read_labelled
from query.integrity import APPLICATION_ID, DIGEST_KEY, SCHEMA_VERSION, STORAGE_HASH_KEY, content_tables
from rtckb import ANSWERED_BY, main

BEGIN = "<!-- Generated: run 'python tests/test_docs_reference.py' after a change. -->\n"
END = "<!-- End of the generated part. -->\n"
#: Characters in a line of help, whatever the terminal.
WIDTH = 100
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob(".github/**/*.md")])
_SECTION = re.compile(r"^-- ─+ (.+?) ─+$")
_HISTORY = re.compile(r"^-- Version history.*\n((?:^--.*\n)+)", re.MULTILINE)
_VALUES = re.compile(r"CHECK \(\w+ IN \(([^)]*)\)\)")
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]*)\)")
_PATH = re.compile(r"`((?:query|indexer|tests|docs|\.ci|\.github)/[\w./*-]+)`")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Column(NamedTuple):
    """A column as SQLite knows it, and the lines of schema.sql that define it."""

    name: str
    type: str
    is_key: bool
    may_be_null: bool
    reference: str
    definition: str

    @property
    def meaning(self) -> str:
        """Constraints, then the comment of schema.sql."""
        code = re.sub(r"--.*", "", self.definition)
        values = _VALUES.search(code)
        comment = " ".join(re.findall(r"--\s*(.*)", self.definition))
        parts = (
            "primary key" if self.is_key else "",
            "unique" if "UNIQUE" in code else "",
            f"→ `{self.reference}`" if self.reference else "",
            f"one of {values[1]}" if values else "",
            "may be NULL" if self.may_be_null else "",
            comment,
        )
        return "; ".join(filter(None, parts)).replace("|", r"\|").replace("->", "→")


def schema_reference() -> str:
    """The version history and every table of schema.sql, in its order."""
    sql = (ROOT / "schema.sql").read_text("utf-8")
    (history,) = _HISTORY.findall(sql)
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(sql)
        tables = chain.from_iterable(_statement_lines(db, statement) for statement in _statements(sql))
        (version,) = db.execute("PRAGMA user_version").fetchone()
        versions = f"The format version is {version}.\n\n```text\n{_uncommented(history)}\n```\n\n## The build"
        return "\n".join([versions, *tables, ""])


def _statements(sql: str) -> Iterator[str]:
    """Each statement with the comments above it."""
    lines: list[str] = []
    for line in sql.splitlines():
        lines.append(line)
        if sqlite3.complete_statement("\n".join(lines)):
            yield "\n".join(lines)
            lines = []


def _statement_lines(db: sqlite3.Connection, statement: str) -> Iterator[str]:
    """The Markdown of one statement: a table with its columns, or one line for an index."""
    above, create, definition = statement.partition("CREATE ")
    for section in filter(None, map(_SECTION.match, above.splitlines())):
        yield from ("", f"## {section[1]}")
    if index := re.match(r"INDEX (\w+) ON \w+ \((.+)\)", definition):
        yield from ("", f"Index `{index[1]}` on {index[2]}.")
    if table := re.match(r"(?:VIRTUAL )?TABLE (\w+)(?: USING (\w+))?", definition):
        kind = f" ({table[2]})" if table[2] else ""
        yield from ("", f"### `{table[1]}`{kind}", "", *_paragraphs(_comment(above)), "")
        columns = _columns(db, table[1], create + definition)
        if table[2]:
            yield f"Columns: {', '.join(f'`{column.name}`' for column in columns)}."
        else:
            yield from ("| column | type | meaning |", "|---|---|---|")
            yield from (f"| `{column.name}` | {column.type.lower()} | {column.meaning} |" for column in columns)


def _comment(above: str) -> str:
    """The comment that ends on the line above a statement."""
    return above.rpartition("\n\n")[2].lstrip()


def _paragraphs(comment: str) -> list[str]:
    """A comment as Markdown: indented lines become a block of code."""
    lines: list[str] = []
    for line in _uncommented(comment).splitlines():
        if line.startswith("  ") != (lines[-1:] != [] and lines[-1].startswith("  ")):
            lines.append("```text" if line.startswith("  ") else "```")
        lines.append(line)
    return [*lines, "```"] if lines and lines[-1].startswith("  ") else lines


def _uncommented(comment: str) -> str:
    return "\n".join(re.sub(r"^-- ?", "", line) for line in comment.strip().splitlines())


def _columns(db: sqlite3.Connection, table: str, statement: str) -> Iterator[Column]:
    is_virtual = statement.startswith("CREATE VIRTUAL")
    references = {row[3]: f"{row[2]}.{row[4]}" for row in db.execute(f"PRAGMA foreign_key_list({table})")}
    for _, name, kind, not_null, _, key in db.execute(f"PRAGMA table_info({table})"):
        may_be_null = not (is_virtual or not_null or key)
        yield Column(name, kind, key > 0, may_be_null, references.get(name, ""), _definition(name, statement))


def _definition(column: str, statement: str) -> str:
    """The line that begins with the column's name, and the lines below it that hold only a comment."""
    found = re.search(rf"^ +{column} .*(?:\n +--.*)*", statement, re.MULTILINE)
    return found[0] if found else ""


def command_reference() -> str:
    """What ``rtckb COMMAND --help`` prints, for each command."""
    return "\n".join(f"## rtckb {name}\n\n```text\n{_help(name)}```\n" for name in ANSWERED_BY)


def _help(*command: str) -> str:
    done = CliRunner().invoke(
        main, [*command, "--help"], prog_name="rtckb", terminal_width=WIDTH, catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done.output


#: Document -> the function that gives its generated part.
GENERATED: dict[str, Callable[[], str]] = {
    "docs/file-format.md": schema_reference,
    "docs/commands.md": command_reference,
}


def _updated(document: Path, generated: str) -> str:
    """The text of a document with ``generated`` between its two marks."""
    above, begin, rest = document.read_text("utf-8").partition(BEGIN)
    _, end, below = rest.partition(END)
    assert begin, f"{document}: found no line {BEGIN!r}"
    assert end, f"{document}: found no line {END!r}"
    return f"{above}{begin}\n{generated}\n{end}{below}"


@pytest.mark.parametrize(("name", "generate"), GENERATED.items(), ids=GENERATED)
def test_generated_parts_are_current(name: str, generate: Callable[[], str]) -> None:
    """A change of schema.sql or of a command's options is in the reference: python tests/test_docs_reference.py."""
    assert (ROOT / name).read_text("utf-8") == _updated(ROOT / name, generate())


def test_every_table_states_what_one_row_is() -> None:
    """Every ordinary table of schema.sql has a comment directly above it."""
    statements = _statements((ROOT / "schema.sql").read_text("utf-8"))
    comments = {
        definition.split()[0]: _comment(above)
        for above, create, definition in (statement.partition("CREATE TABLE ") for statement in statements)
        if create
    }
    assert len(comments) > 20
    assert [table for table, comment in comments.items() if not comment] == []


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
    text = (ROOT / "docs" / "file-format.md").read_text("utf-8").partition(BEGIN)[0]
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


def test_links_from_comments_lead_somewhere() -> None:
    """Every document and heading that a comment in the code or in schema.sql links exists."""
    sources = [path for folder in ("query", "indexer", "tests") for path in (ROOT / folder).rglob("*.py")]
    texts = [path.read_text("utf-8") for path in (ROOT / "schema.sql", ROOT / "rtckb.py", *sources)]
    links = {link for text in texts for link in re.findall(r"\bdocs/[\w/-]+\.md#[\w-]+", text)}
    assert sorted(link for link in links if not _exists(ROOT / "README.md", link)) == []


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


if __name__ == "__main__":
    for page, generator in GENERATED.items():
        (ROOT / page).write_text(_updated(ROOT / page, generator()), "utf-8")

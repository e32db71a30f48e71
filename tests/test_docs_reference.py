"""The generated parts of docs/: tables from schema.sql, help from the commands.

``python tests/test_docs_reference.py`` writes them anew.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from conftest import ROOT

from rtckb import MODULES, main

BEGIN = "<!-- Generated: run 'python tests/test_docs_reference.py' after a change. -->\n"
END = "<!-- End of the generated part. -->\n"
#: Characters in a line of help, whatever the terminal.
WIDTH = 100
_SECTION = re.compile(r"^-- ─+ (.+?) ─+$")
_HISTORY = re.compile(r"^-- Version history.*\n((?:^--.*\n)+)", re.MULTILINE)
_VALUES = re.compile(r"CHECK \(\w+ IN \(([^)]*)\)\)")


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
    return "\n".join(f"## rtckb {name}\n\n```text\n{_help(name)}```\n" for name in MODULES)


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


if __name__ == "__main__":
    for page, generator in GENERATED.items():
        (ROOT / page).write_text(_updated(ROOT / page, generator()), "utf-8")

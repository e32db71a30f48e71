"""Index files that no build writes: cut, altered, with hostile headers. Each command answers or exits with 3."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner

from rtckb import main

PAGE = 4096
#: A call of each query command.
CALLS = (
    ("trtc", "弹幕 -4215 连麦", "--explain", "--content"),
    ("nim", "桌面角标清不掉 414", "--nearest", "--explain", "--format", "text"),
    ("nim", "角标", "--token-mode", "run", "--title", "桌面角标数字清不掉"),
    ("show", "live/danmaku-wall"),
    ("show", "voice-duet"),
    ("info", "--format", "text"),
    ("verify",),
)
#: Values that columns are overwritten with; the last one is text that is not UTF-8.
_VALUES = ("NULL", "5", "x'ff00'", "''", "CAST(x'ff' AS TEXT)")


def outcome(db: Path, call: Sequence[str]) -> str:
    """``exit N``, or what is wrong with the result of the call."""
    done = CliRunner().invoke(main, [call[0], "--db", str(db), *call[1:]])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return f"{call[0]}: {done.exception!r}"
    if done.exit_code == 3 and (done.stdout or not done.stderr.startswith("rtckb: ") or done.stderr.count("\n") != 1):
        return f"{call[0]}: exit 3 with {done.stdout!r} and {done.stderr!r}"
    return f"exit {done.exit_code}"


def cut(source: Path, scratch: Path, every: int = 1) -> Iterator[str]:
    """Cut the file before every n-th page and in the middle of it; the calls that did not exit with 3."""
    data = source.read_bytes()
    for number, page in enumerate(range(0, len(data) // PAGE, every)):
        for length in (page * PAGE, page * PAGE + PAGE // 2):
            scratch.write_bytes(data[:length])
            call = CALLS[number % len(CALLS)]
            if outcome(scratch, call) != "exit 3":
                yield f"{length} bytes: {outcome(scratch, call)}"


def altered(source: Path, scratch: Path, part: slice = slice(None)) -> Iterator[str]:
    """Empty or drop each table, make it a view, overwrite each column; the calls that exited neither with 0, 2 nor 3.

    ``verify`` must exit with 3 for every altered file.
    """
    for statement in statements(source)[part]:
        if not alter(source, scratch, statement):
            continue
        for call in CALLS:
            ended = outcome(scratch, call)
            if ended not in ({"exit 3"} if call == ("verify",) else {"exit 0", "exit 2", "exit 3"}):
                yield f"{statement}: {call[0]}: {ended}"


def statements(source: Path) -> list[str]:
    """Every alteration, in the order of the schema."""
    with closing(sqlite3.connect(source)) as db:
        rows = db.execute("SELECT name, sql LIKE 'CREATE VIRTUAL%' FROM sqlite_master WHERE type = 'table'").fetchall()
        tables = {name: virtual for name, virtual in rows if not name.startswith("sqlite_")}
        columns = {name: [row[1] for row in db.execute(f'PRAGMA table_info("{name}")')] for name in tables}
    found = [f'DROP TABLE "{name}"' for name, virtual in tables.items() if virtual]
    for name in (name for name, virtual in tables.items() if not virtual):
        found += [f'DELETE FROM "{name}"', f'DROP TABLE "{name}"']
        found.append(f'ALTER TABLE "{name}" RENAME TO "other"; CREATE VIEW "{name}" AS SELECT * FROM "other"')
        found += [f'UPDATE OR IGNORE "{name}" SET "{column}" = {v}' for column in columns[name] for v in _VALUES]
    return found


def alter(source: Path, scratch: Path, statement: str) -> bool:
    """Change a copy of the index; False if SQLite refuses, or nothing has changed."""
    shutil.copy(source, scratch)
    with closing(sqlite3.connect(scratch)) as db:
        try:
            db.executescript(f"PRAGMA ignore_check_constraints = ON; PRAGMA legacy_alter_table = ON; {statement}")
        except sqlite3.Error:
            return False
    return _content(scratch) != _content(source)


def _content(path: Path) -> list[object]:
    """The schema and every row of the ordinary tables, including shadow tables."""
    with closing(sqlite3.connect(path)) as db:
        db.text_factory = lambda data: ("text", data)  # a text is not the bytes that it consists of
        ordinary = "type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        names = db.execute(f"SELECT CAST(name AS BLOB) FROM sqlite_master WHERE {ordinary}").fetchall()
        schema = db.execute("SELECT * FROM sqlite_master ORDER BY name").fetchall()
        return [schema, *(db.execute(f'SELECT * FROM "{name.decode()}"').fetchall() for (name,) in names)]


def _header(offset: int, value: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data[:offset] + value + data[offset + len(value) :]


#: A hostile header -> the bytes of a file that has it (SQLite file format, 1.3).
HEADERS: dict[str, Callable[[bytes], bytes]] = {
    "no page size": _header(16, b"\0\0"),
    "another page size": _header(16, b"\x02\0"),
    "four billion pages": _header(28, b"\xff\xff\xff\xff"),
    "a free list behind the last page": _header(32, b"\xff\xff\xff\xff\xff\xff\xff\xff"),
    "another application": _header(68, b"ABCD"),
    "a newer version": _header(60, b"\x7f\xff\xff\xff"),
    "an unknown text encoding": _header(56, b"\0\0\0\x09"),
    "a newer schema format": _header(44, b"\0\0\0\x63"),
    "write-ahead mode without a log": _header(18, b"\2\2"),
    "a newer write mode": _header(18, b"\x63\x63"),
}


def headers(source: Path, scratch: Path) -> Iterator[str]:
    """Write hostile headers; the calls that exited neither with 0 nor with 3."""
    for name, change in HEADERS.items():
        scratch.write_bytes(change(source.read_bytes()))
        for call in CALLS:
            ended = outcome(scratch, call)
            if ended not in {"exit 0", "exit 3"}:
                yield f"{name}: {ended}"


def found(wrong: Iterable[str], most: int = 20) -> list[str]:
    """The first lines only: one fault can cause many of them."""
    return [line for _, line in zip(range(most), wrong, strict=False)]

"""Index files that no build makes: cut at a page, altered, hostile. What asks of them ends in an answer or exit 3."""

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from click.testing import CliRunner

from rtckb import main

PAGE = 4096
#: One call for each road through the reading half.
CALLS = (
    ("trtc", "弹幕 -4215 连麦", "--explain", "--content"),
    ("nim", "桌面角标清不掉 414", "--nearest", "--explain", "--format", "text"),
    ("nim", "角标", "--token-mode", "run", "--title", "桌面角标数字清不掉"),
    ("show", "live/danmaku-wall"),
    ("show", "voice-duet"),
    ("info", "--format", "text"),
    ("verify",),
)
#: What a value is overwritten with: no value, a number, bytes, nothing, bytes that are no text.
_VALUES = ("NULL", "5", "x'ff00'", "''", "CAST(x'ff' AS TEXT)")


def outcome(db: Path, call: Sequence[str]) -> str:
    """``exit N``, or what is wrong with how the call ended."""
    done = CliRunner().invoke(main, [call[0], "--db", str(db), *call[1:]])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return f"{call[0]}: {done.exception!r}"
    if done.exit_code == 3 and (done.stdout or not done.stderr.startswith("rtckb: ") or done.stderr.count("\n") != 1):
        return f"{call[0]}: exit 3 with {done.stdout!r} and {done.stderr!r}"
    return f"exit {done.exit_code}"


def cut(source: Path, scratch: Path, every: int = 1) -> Iterator[str]:
    """Cut at every n-th page border, and in the middle of that page; what did not exit with 3."""
    data = source.read_bytes()
    for number, page in enumerate(range(0, len(data) // PAGE, every)):
        for length in (page * PAGE, page * PAGE + PAGE // 2):
            scratch.write_bytes(data[:length])
            call = CALLS[number % len(CALLS)]
            if outcome(scratch, call) != "exit 3":
                yield f"{length} bytes: {outcome(scratch, call)}"


def altered(source: Path, scratch: Path, part: slice = slice(None)) -> Iterator[str]:
    """Each table emptied, dropped or made a view, each column overwritten; what ended neither in 0, 2 nor 3.

    An altered file that still answers is told by ``verify``.
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
    """A copy of the index changed by statements; False where SQLite refuses, or no row changes."""
    shutil.copy(source, scratch)
    with closing(sqlite3.connect(scratch)) as db:
        try:
            db.executescript(f"PRAGMA ignore_check_constraints = ON; PRAGMA legacy_alter_table = ON; {statement}")
        except sqlite3.Error:
            return False
    return _content(scratch) != _content(source)


def _content(path: Path) -> list[object]:
    """The schema and every row that stands in an ordinary table, shadow tables among them."""
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
    "four milliards of pages": _header(28, b"\xff\xff\xff\xff"),
    "a free list at the end of the world": _header(32, b"\xff\xff\xff\xff\xff\xff\xff\xff"),
    "another application": _header(68, b"ABCD"),
    "a version of the future": _header(60, b"\x7f\xff\xff\xff"),
    "a text encoding that is none": _header(56, b"\0\0\0\x09"),
    "a schema format of the future": _header(44, b"\0\0\0\x63"),
    "write-ahead mode without a log": _header(18, b"\2\2"),
    "a write mode of the future": _header(18, b"\x63\x63"),
}


def headers(source: Path, scratch: Path) -> Iterator[str]:
    """Hostile headers; what ended neither in an answer nor in exit 3."""
    for name, change in HEADERS.items():
        scratch.write_bytes(change(source.read_bytes()))
        for call in CALLS:
            ended = outcome(scratch, call)
            if ended not in {"exit 0", "exit 3"}:
                yield f"{name}: {ended}"


def found(wrong: Iterable[str], most: int = 20) -> list[str]:
    """The first of what was wrong: a fault of one kind has many places."""
    return [line for _, line in zip(range(most), wrong, strict=False)]

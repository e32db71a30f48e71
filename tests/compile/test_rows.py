"""Records -> rows."""

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from indexer.compile.rows import dictionary_row, ledger_rows, nim_rows, trtc_rows
from indexer.records import (
    Base,
    ErrorCode,
    Finding,
    NimBase,
    Product,
    Relation,
    Scenario,
    Severity,
    Slice,
    SlicePage,
    SourceFile,
    Status,
    TrtcBase,
    Unit,
)
from indexer.store.database import schema_sql

PAGE = SlicePage("ios", "p.md", "text", (), (ErrorCode("-1002", "x", "错误码", 3), ErrorCode("Err_X", "", "", 4)), ())
A = Slice(
    "live/a", "live", "A", "", "f", False, ("Co-Guest", "coguest", "room"), ("ROOM", "extra"),
    ("iOS", "ios", "Android"), ("live/b", "live/a", "no/x"), (PAGE,),
)  # fmt: skip
B = replace(A, id="live/b", planned=True, pages=(), tags=(), page_tags=(), related=(), platforms=())
BASE = TrtcBase(
    products=(Product("live", "Live", "d", "l"),),
    relations=(Relation("r", ("live", "chat", "live"), ("no/x", "live/b", "live/a"), "d"),),
    slices=(A, B),
    scenarios=(Scenario("s", "S", "d", "f", False, ("live/b", "no/x", "live/a", "live/b"), "t"),),
)
UNIT = Unit(
    "knowledge/a.md", 0, 1, "排查类", "", "IM-SDK", "IM", "登录", "登录", "iOS、安卓", ("iOS", "Android", "iOS"),
    "t", "t", "d", "r", "s", True, "", ("登录", "KICK-offline"), ("甲", "乙"), "", "2025-01-01", "", 2,
)  # fmt: skip


def test_tags() -> None:
    """Each tag once by its key, those of the index first, then the name, then the page's; generic ones are marked."""
    rows = trtc_rows(BASE, frozenset({"room"}), {})["slice_tag"]
    found = [(r["slice"], r["position"], r["tag"], r["key"], r["origin"], r["generic"]) for r in rows]
    assert found == [
        (1, 1, "Co-Guest", "coguest", "index", 0),
        (1, 2, "room", "room", "index", 1),
        (1, 3, "A", "a", "name", 0),
        (1, 4, "extra", "extra", "page", 0),
        (2, 1, "A", "a", "name", 0),
    ]


def test_references() -> None:
    """References to what the index lacks are dropped, a slice is not related to itself, the order is the index's."""
    rows = trtc_rows(BASE, frozenset(), {})
    assert [(r["slice"], r["related"]) for r in rows["slice_related"]] == [(1, 2)]
    assert [(r["position"], r["slice"]) for r in rows["relation_slice"]] == [(1, 2), (2, 1)]
    assert [r["product_id"] for r in rows["relation_product"]] == ["chat", "live"]
    assert [(r["position"], r["slice"]) for r in rows["scenario_slice"]] == [(1, 2), (2, 1)]
    assert [r["platform"] for r in rows["slice_platform"]] == ["android", "ios"]


def test_codes() -> None:
    """A code is kept with and without its sign; symbolic ones in capitals."""
    rows = trtc_rows(BASE, frozenset(), {})["error_code"]
    found = [(r["code"], r["magnitude"], r["place"], r["page"], r["line"]) for r in rows]
    assert found == [("-1002", "1002", "table", 1, 3), ("ERR_X", "ERR_X", "table", 1, 4)]


def test_codes_of_an_index() -> None:
    """A code among the keywords of an index is of no page; its text is what the index says of the slice."""
    base = replace(BASE, slices=(A, replace(B, description="d", codes=("6206", "Err_Y"))))
    rows = trtc_rows(base, frozenset(), {})["error_code"][2:]
    assert [(r["id"], r["slice"], r["code"], r["place"], r["page"], r["line"], r["text"]) for r in rows] == [
        (3, 2, "6206", "index", None, 0, "d"),
        (4, 2, "ERR_Y", "index", None, 0, "d"),
    ]


def test_units() -> None:
    """Units are numbered from 1 with their tags, customers and distinct platforms."""
    rows = nim_rows(NimBase(units=(UNIT, replace(UNIT, entry=2, tags=()))), {1: 1, 2: 1}, {})
    assert [(r["id"], r["entry"], r["copy_of"], r["answered"]) for r in rows["nim_unit"]] == [
        (1, 0, 1, 1),
        (2, 2, 1, 1),
    ]
    assert [(r["unit"], r["position"], r["tag"]) for r in rows["nim_tag"]] == [(1, 1, "登录"), (1, 2, "KICK-offline")]
    assert [r["platform"] for r in rows["nim_platform"] if r["unit"] == 1] == ["Android", "iOS"]


def test_tag_words() -> None:
    """A base's own tags are counted by their key, under the spelling that comes first."""
    rows = nim_rows(NimBase(units=(UNIT, replace(UNIT, entry=2, tags=("kick offline",)))), {1: 1, 2: 2}, {})
    assert rows["dictionary"] == [
        dictionary_row("kickoffline", "nim tag", "KICK-offline", rank=2),
        dictionary_row("登录", "nim tag", "登录", rank=1),
    ]


def test_ledger() -> None:
    """Files and findings are sorted whatever the order in which they were seen."""
    files = [SourceFile(Base.TRTC, "b", Status.READ, "", 0, 0), SourceFile(Base.NIM, "z", Status.READ, "0a", 0, 2)]
    findings = [Finding(Base.NIM, "a", line, Severity.NOTE, "k", "d") for line in (3, 1, 2)]
    units = [replace(UNIT, path=path) for path in ("b", "z", "z")]
    rows = ledger_rows(files, findings, units)
    ledger = [(row["path"], row["sha256"], row["units"], row["first_unit"]) for row in rows["source_file"]]
    assert ledger == [("z", b"\n", 2, 2), ("b", b"", 0, 0)]
    assert [(row["id"], row["line"]) for row in rows["finding"]] == [(1, 1), (2, 2), (3, 3)]


def test_every_column_has_its_value() -> None:
    """The rows of a table name exactly the columns that schema.sql gives it."""
    files = [SourceFile(Base.TRTC, "b", Status.READ, "", 0, 0)]
    rows = ledger_rows(files, [Finding(Base.NIM, "a", 1, Severity.NOTE, "k", "d")])
    rows |= trtc_rows(BASE, frozenset(), {}) | nim_rows(NimBase(units=(UNIT,)), {1: 1}, {})
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(schema_sql())
        for table, found in rows.items():
            columns = {row[1] for row in db.execute(f'PRAGMA table_info("{table}")')}
            assert found
            assert {frozenset(row) for row in found} == {frozenset(columns)}, table


def test_what_is_stored_is_what_was_read(sample_db: Path) -> None:
    """No stored value has changed its type on the way: text stays text, ``None`` is never written out."""
    with closing(sqlite3.connect(sample_db)) as db:
        for table, sql in db.execute("SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'").fetchall():
            if re.search(r"_(data|idx|content|docsize|config)$", table):
                continue
            columns = db.execute(f'PRAGMA table_info("{table}")').fetchall()
            for column, kind, required in [row[1:4] for row in columns]:
                found = {row[0] for row in db.execute(f'SELECT DISTINCT typeof("{column}") FROM "{table}"')}
                wanted = {kind.lower()} if kind else {"integer", "text"}  # dictionary.ref has the type of its kind
                assert found <= wanted | ({"null"} if not required else set()), (table, column, sql)
                (nones,) = db.execute(f'SELECT count(*) FROM "{table}" WHERE "{column}" = \'None\'').fetchone()
                assert nones == 0, (table, column)


def test_codes_are_text(sample_db: Path) -> None:
    """A code keeps its zeros and its sign."""
    with closing(sqlite3.connect(sample_db)) as db:
        codes = [row[0] for row in db.execute("SELECT code FROM error_code")]
    assert codes
    assert all(isinstance(code, str) for code in codes)
    assert "-4215" in codes
    assert json.loads(json.dumps(codes)) == codes

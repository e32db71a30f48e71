"""Personal details are counted by file, and a redacted index contains none of them."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from query_support import document, invoke

from indexer.build import Sources, build
from indexer.compile.redact import MASK, count_personal, mask, redact
from indexer.lexicon import load_variants
from indexer.reading.nim.reader import read_nim
from indexer.records import NimBase
from indexer.store.previous import unpack_segmentation
from rtckb import main

KEY = "6736959fae3e14c5d7de655126e3109f"

#: Long runs, which take quadratic time if a pattern can start inside them.
RUNS = {"letters": "x", "hyphens": "a-", "digits": "1", "dots": "a.", "at signs": "@"}


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_long_runs(run: str) -> None:
    """A page of base64 or minified code takes linear time, and the detail behind it is masked."""
    assert mask(f"{run * 200_000}，13800000018").endswith(f"，{MASK}")


MASKED = {
    "a mobile number": ("手机号13800000018收不到", f"手机号{MASK}收不到"),
    "one behind a name": ("uid_13800000018", f"uid_{MASK}"),
    "one with its country": ("+8613800000018", MASK),
    "one in groups": ("138 0000-0018", MASK),
    "one in full-width digits": ("１３８０００００018", MASK),
    "two in a row": ("13800000018、19912345678", f"{MASK}、{MASK}"),
    "an e-mail address": ("邮箱：li.lei+nim@mail.example.com）", f"邮箱：{MASK}）"),
    "an e-mail address of digits": ("13800000018@163.com", MASK),
    "a key": (f"appkey: {KEY}，", f"appkey: {MASK}，"),
    "a key in capitals": (f"AppKey为{KEY.upper()}（", f"AppKey为{MASK}（"),
    "a key behind a hexadecimal letter": (f"id{KEY}", f"i{MASK}"),
    "a key with hyphens": ("id=3e14c5d7-de65-5126-e310-9f6736959fae;", f"id={MASK};"),
    "a mention": ("@张三 帮忙看下", f"@{MASK} 帮忙看下"),
    "a mention before a comma": ("请@韩梅梅，看下", f"请@{MASK}，看下"),
    "a mention with a nickname": ("@Jim.Green(吉姆)", f"@{MASK}"),
    "a mention with a full-width sign": ("＠张三", f"@{MASK}"),
    "a mention of a department": ("@消息组-李四", f"@{MASK}"),
}

KEPT = {
    "a longer number": "账号138000000181，时间戳1710312345678",
    "a shorter number": "会话1380000001",
    "no mobile prefix": "12800000018",
    "31 hexadecimal digits": f"trace {KEY[:31]} 结束",
    "everybody": "@所有人不要设置，@all 也是",
    "the feature": "实现@消息功能、@群成员、@好友",
    "packages": "缺少@nimsdk/search，用的是@xkit-yx/im-kit-ui",
    "keywords": "@import 与 @interface、@Override",
    "a server": "dig @8.8.8.8",
    "a literal": 'text = @"要显示的内容";',
    "a version": "im-kit-ui@10.7.0",
    "nothing": "",
}


@pytest.mark.parametrize(("text", "wanted"), MASKED.values(), ids=MASKED)
def test_masked(text: str, wanted: str) -> None:
    """Each category of detail is masked, and the text around it is kept."""
    assert mask(text) == wanted
    assert mask(wanted) == wanted


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_kept(text: str) -> None:
    """Text that only resembles a detail is kept."""
    assert mask(text) == text


CASE = """---
track_type: 排查类
product: 短信
title: "@李雷 反馈：13800000018收不到验证码"
root_cause: 星河科技的签名失效，联系hanmei@example.com
solution: 用{key}重新提交
customers: {customers}
tags: [短信, "13800000019", 签名]
---

## 问题描述

星河科技 反馈，@韩梅梅 处理

## 其他触发场景

- [通用] 同样的现象，来源：['月海网络']，2026-03-15；旭日游艺也有

## 客户

- 旭日游艺
"""
SECRETS = ("李雷", "13800000018", "13800000019", "星河科技", "hanmei", KEY, "韩梅梅", "月海网络", "旭日游艺")


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """A base with every category of detail in every field: a case, its copy for another customer, a clean case."""
    folder = tmp_path / "nim" / "knowledge" / "短信" / "验证码"
    folder.mkdir(parents=True)
    (folder / "a.md").write_text(CASE.format(key=KEY, customers="[星河科技, 月海网络]"), "utf-8")
    (folder / "b.md").write_text(CASE.format(key=KEY, customers="[星河科技, 云上乐园]"), "utf-8")
    (folder / "c.md").write_text("---\ntrack_type: 咨询类\ntitle: 能否群发\nsolution: 支持\n---\n", "utf-8")
    return tmp_path / "nim"


def _stored(path: Path, left_out: frozenset[str]) -> Iterator[tuple[str, str]]:
    """(table, value) of every text in a file: ordinary tables, full-text vocabularies, segmented runs."""
    with closing(sqlite3.connect(path)) as db:
        made = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        virtual = {name for name, sql in made if sql.startswith("CREATE VIRTUAL")}
        shadows = tuple(f"{name}_" for name in virtual)
        for table in (name for name, _ in made if name not in virtual and not name.startswith(shadows)):
            names = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
            for column in (name for name in names if f"{table}.{name}" not in left_out):
                yield from ((table, str(value)) for (value,) in db.execute(f'SELECT "{column}" FROM "{table}"'))
        for table in (name for name, sql in made if "USING fts5 (" in sql):
            db.execute(f"CREATE VIRTUAL TABLE temp.words_of_{table} USING fts5vocab (main, {table}, row)")
            yield from ((table, term) for (term,) in db.execute(f"SELECT term FROM words_of_{table}"))
        ((runs,),) = db.execute("SELECT runs FROM segmentation").fetchall()
    yield from (("segmentation", run) for run in unpack_segmentation(runs))


#: Paths are kept, hashes are no keys of customers, and the packed runs are read unpacked.
LEFT_OUT = frozenset(
    {
        "nim_unit.path",
        "finding.path",
        "source_file.path",
        "source_file.sha256",
        "segmentation.runs",
        "meta.value",
    }
)


def test_nothing_is_left(planted: Path, tmp_path: Path) -> None:
    """No table, vocabulary or segmented run of a redacted file contains a planted detail or a part of one."""
    build(Sources(None, planted, redact=True), tmp_path / "x.db")
    build(Sources(None, planted), tmp_path / "plain.db")
    values = dict.fromkeys(value for _, value in _stored(tmp_path / "x.db", LEFT_OUT))
    plain = dict.fromkeys(value for _, value in _stored(tmp_path / "plain.db", LEFT_OUT))
    for secret in SECRETS:
        assert [value for value in plain if secret in value] != [], "the scan sees an unredacted file's details"
        assert [value for value in values if secret in value] == []
    assert set(values).isdisjoint({"hanmei", "梅梅", "星河", "月海", "云上", "旭日"})


def test_over_an_unredacted_file(planted: Path, tmp_path: Path) -> None:
    """A redacted build over an unredacted file keeps no name of its segmentation: its bytes are those of a new file."""
    build(Sources(None, planted), tmp_path / "x.db")
    build(Sources(None, planted, redact=True), tmp_path / "x.db")
    build(Sources(None, planted, redact=True), tmp_path / "fresh.db")
    assert (tmp_path / "x.db").read_bytes() == (tmp_path / "fresh.db").read_bytes()


def test_customers_of_copies(planted: Path, tmp_path: Path) -> None:
    """Customers are printed as a count, those of merged copies as the count of all, shared ones once."""
    words = ("短信收不到验证码", "--title", "反馈：收不到验证码", "--tag", "短信", "--tag", "签名")
    customers = {}
    for redacted in (False, True):
        build(Sources(None, planted, redact=redacted), tmp_path / "x.db")
        (match,) = document(tmp_path / "x.db", "nim", *words, "--format", "json")["response"]["matches"]
        assert len(match["duplicates"]) == 1
        customers[redacted] = match["customers"]
    assert customers == {False: ["星河科技", "月海网络", "旭日游艺", "云上乐园"], True: ["4 家"]}


def test_printed_count(tmp_path: Path, sample_db: Path) -> None:
    """A redacted file prints the line of the specification with a number in place of the names."""
    build(Sources(None, SAMPLE / "nim", redact=True), tmp_path / "x.db")
    argv = ("nim", "苹果 角标", "--title", "应用图标上的角标数字一直清不掉", "--tag", "角标", "--tag", "badge")
    lines = {}
    for name, path in (("plain", sample_db), ("redacted", tmp_path / "x.db")):
        with closing(sqlite3.connect(path)) as db:
            title, tags, cause, solution, description = db.execute(
                "SELECT display_title, (SELECT group_concat(tag, ' ') FROM nim_tag WHERE unit = nim_unit.id),"
                " root_cause, solution, description FROM nim_unit WHERE path LIKE '%角标数字清不掉.md'"
            ).fetchone()
        options = ("--title", title, "--root-cause", cause, "--solution", solution, "--description", description)
        text = invoke(path, *argv[:2], *options, "--tag", tags, "--format", "text").stdout
        lines[name] = next(line for line in text.splitlines() if line.startswith("  来源客户："))
    assert re.fullmatch(r"  来源客户：[^家]+ \| 更新：\S+", lines["plain"])
    assert re.fullmatch(r"  来源客户：[1-9]\d* 家 \| 更新：\S+", lines["redacted"])
    assert lines["plain"].count("、") + 1 == int(re.findall(r"(\d+) 家", lines["redacted"])[0])


def test_pure(planted: Path) -> None:
    """Paths, folders, numbers and dates are kept, the given records are not changed, and redaction is idempotent."""
    base = read_nim(planted)
    before = repr(base)
    once = redact(base, load_variants())
    assert repr(base) == before
    assert len(once.units) == len(base.units)
    for name in ("path", "entry", "line", "track_type", "product", "product_folder", "feature_folder", "answered"):
        assert [getattr(unit, name) for unit in once.units] == [getattr(unit, name) for unit in base.units]
    assert once.files == base.files
    assert redact(NimBase(), load_variants()) == NimBase()
    nobody = replace(once, units=tuple(replace(unit, customers=()) for unit in once.units))
    assert redact(nobody, load_variants()) == nobody


def test_findings_are_masked(planted: Path) -> None:
    """Quoted text in a finding is masked, with the customers of its page; its path is kept."""
    page = planted / "knowledge/短信/验证码/a.md"
    page.write_text(page.read_text("utf-8").replace("track_type:", "note: x: @李雷 13800000018\ntrack_type:"), "utf-8")
    base = read_nim(planted)
    quoting = replace(base.findings[0], detail="星河科技 13800000018")
    base = replace(base, findings=(*base.findings, quoting))
    masked = redact(base, load_variants()).findings
    assert [finding.path for finding in masked] == [finding.path for finding in base.findings]
    assert masked[-1].detail == f"{MASK} {MASK}"


def test_count_personal(planted: Path) -> None:
    """A file is counted once in total and once for each category; a redacted base has only counts of customers."""
    kinds = ("personal", "customers", "emails", "keys", "mobiles", "mentions")
    base = read_nim(planted)
    assert count_personal(base) == {f"nim.files_{kind}": 2 for kind in kinds}
    left = count_personal(redact(base, load_variants()))
    assert {name for name, number in left.items() if number} == {"nim.files_personal", "nim.files_customers"}


def _build(*argv: str | Path) -> list[str]:
    result = CliRunner().invoke(main, ["build", *map(str, argv)], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "")
    lines: list[str] = result.stderr.splitlines()
    return lines


def test_summary(planted: Path, tmp_path: Path) -> None:
    """One line of the summary counts files with details, masked or not, also if nothing has changed."""
    figures = "2 with customers, 2 with mobile numbers, 2 with e-mail addresses, 2 with keys, 2 with @names"
    argv = ("--nim", planted, "-o", tmp_path / "x.db")
    assert _build(*argv)[-1] == f"  personal details in 2 files ({figures}): kept; --redact masks them"
    assert _build(*argv, "--redact")[-1] == f"  personal details in 2 files ({figures}): masked"
    assert _build(*argv, "--redact")[-1] == f"  personal details in 2 files ({figures}): masked"


def test_redacted_and_plain_files(planted: Path, tmp_path: Path) -> None:
    """A redacted file is not up to date for a plain build, nor the other way; ``info`` and their hashes differ."""
    target = tmp_path / "x.db"
    builds = []
    for redacted in (False, True, True, False, False):
        summary = build(Sources(None, planted, redact=redacted), target)
        builds.append((summary.unchanged, document(target, "info")["redacted"], summary.digest))
    assert [row[:2] for row in builds] == [(False, False), (False, True), (True, True), (False, False), (True, False)]
    assert builds[0][2] == builds[3][2] != builds[1][2]


def test_trtc_is_untouched(sample: Sources, sample_db: Path, tmp_path: Path) -> None:
    """A redacted build does not change the TRTC half."""
    build(replace(sample, redact=True), tmp_path / "x.db")
    tables = ("slice", "slice_tag", "slice_page", "error_code", "scenario")
    rows = []
    for path in (sample_db, tmp_path / "x.db"):
        with closing(sqlite3.connect(path)) as db:
            rows.append([db.execute(f"SELECT * FROM {table}").fetchall() for table in tables])
    assert rows[0] == rows[1]


#: Patterns written independently of the product's, so that a mistake is not repeated.
DETAILS = {
    "mobile": re.compile(r"(?<!\d)1[3-9]\d{9}(?!\d)"),
    "e-mail": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}", re.ASCII | re.IGNORECASE),
    "key": re.compile(r"[0-9a-f]{32}", re.IGNORECASE),
    "customer": re.compile(r"客户[0-9a-f]{4}|初晴/核芯|上海奇已科技|台州浩瀚|华信永道"),
    "mention": re.compile(r"(?<![\w.-])@[\u4e00-\u9fff]{2,4}\s"),
}
EVERYBODY = re.compile(r"@(?:所有人|全体|消息|功能|信息|群成员|好友|用户|指定|我)")


def test_real_base(real: Sources, real_db: Path, tmp_path: Path) -> None:
    """57 files of the real base contain mobile numbers; a redacted index of it contains no detail."""
    assert document(real_db, "info")["sources"]["nim"]["files_mobiles"] == 57
    build(replace(real, redact=True), tmp_path / "x.db", jobs=2)
    trtc = {"slice_page.text", "error_code.text", "slice.description", "scenario.text"}
    seen = set()
    for _, value in _stored(real_db, LEFT_OUT | trtc):
        seen |= {name for name, pattern in DETAILS.items() if pattern.search(value)}
    assert seen >= DETAILS.keys() - {"mention"}, "the scan sees an unredacted file's details"
    found = [
        (table, name, value)
        for table, value in _stored(tmp_path / "x.db", LEFT_OUT | trtc)
        for name, pattern in DETAILS.items()
        if pattern.search(EVERYBODY.sub("", value))
    ]
    assert found == []

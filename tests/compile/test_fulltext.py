"""The text of each full-text column, its words, and the numbers in prose that are error codes."""

import re
from dataclasses import replace

import pytest

from indexer.build import Sources
from indexer.compile.fulltext import (
    bigram_rows,
    prepare,
    prose_codes,
    scenario_fields,
    slice_fields,
    unit_fields,
    word_rows,
)
from indexer.compile.segment import Segmenter, cut_runs
from indexer.compile.workers import Workers
from indexer.reading.markdown import sections
from indexer.reading.nim.reader import read_nim
from indexer.reading.trtc.reader import read_trtc
from indexer.records import Slice, SlicePage
from indexer.store.database import schema_sql

PAGE = """# 标题
正文一
## 常见问题
问题一
### 黑屏
问题二
## 用法
正文二
## 相关链接
别处
### 更多
别处二
"""


def _page(body: str) -> SlicePage:
    return SlicePage("", "p", body, sections(body), (), ("joinRoom", "leaveRoom"))


SLICE = Slice("live/a", "live", "名", "述", "f", False, ("t",), ("u",), ("ios",), (), (_page(PAGE), _page(PAGE)))


def test_slice_fields() -> None:
    """Troubleshooting sections have a column of their own; sections with links are left out; sub-sections follow."""
    fields = slice_fields(SLICE)
    assert (fields["name"], fields["tags"], fields["description"]) == ("名", "t u", "述")
    assert fields["troubleshooting"].split() == ["问题一", "问题二"] * 2
    assert fields["body"].split() == ["正文一", "正文二"] * 2
    assert fields["headings"].split() == ["标题", "常见问题", "黑屏", "用法"] * 2
    assert fields["apis"] == "joinRoom leaveRoom"


TABLES = ("slice_words", "scenario_words", "nim_words")
#: Columns without text of a record.
NO_TEXT = {"concepts"}


@pytest.mark.parametrize("table", TABLES)
def test_fields_are_the_columns(table: str, sample: Sources) -> None:
    """The fields are the columns of the full-text table, in their order."""
    assert sample.trtc is not None
    assert sample.nim is not None
    trtc = read_trtc(sample.trtc)
    fields = {
        "slice_words": slice_fields(trtc.slices[0]),
        "scenario_words": scenario_fields(trtc.scenarios[0]),
        "nim_words": unit_fields(read_nim(sample.nim).units[0]),
    }
    (declared,) = re.findall(rf"TABLE {table} USING fts5 \((.*?)content", schema_sql(), re.DOTALL)
    assert list(fields[table]) == [column for column in re.findall(r"\w+", declared) if column not in NO_TEXT]


PROSE = {
    "a sign": ("返回 -1002 时", ["-1002"]),
    "another minus": ("返回 −1002 时", ["-1002"]),
    "backticks": ("可重试错误 `100001` 等", ["100001"]),
    "a word for code": ("错误码 30003", ["30003"]),
    "a case of code": ("case -1101:", ["-1101"]),
    "a range": ("-2101 ~ -2108（房间类）", ["-2101", "-2108"]),
    "a bare number": ("最多 1002 路", []),
    "a number alone": ("1002", []),
    "a version in backticks": ("`9.19.4`", []),
    "a date": ("2024-05-12", []),
}


@pytest.mark.parametrize(("line", "codes"), PROSE.values(), ids=PROSE)
def test_prose_codes(line: str, codes: list[str]) -> None:
    """A number in prose is a code if it is signed, called a code, or in backticks in a text about errors."""
    assert [code.code for code in prose_codes(_page(f"# 标题\n\n{line}\n"))] == codes


def test_lines_of_prose_codes() -> None:
    """A code has its section, line and text; it is listed once, and not for a line that a table lists."""
    body = "# 标题\n返回 -1\n- 返回 -1\n> 返回 -2\n"
    page = _page(body)
    found = prose_codes(page)
    assert [(c.code, c.section, c.line, c.text) for c in found] == [
        ("-1", "标题", 2, "返回 -1"),
        ("-2", "标题", 4, "返回 -2"),
    ]
    assert prose_codes(replace(page, codes=found))[0].line == 3


TEXTS = ({"title": "Kick-Offline：離線推送", "body": "弹幕 9.19.4，弹幕"}, {"title": "", "body": "，。"})
VARIANTS = {ord("離"): "离", ord("線"): "线"}


def _prepared() -> tuple[list[dict[str, list[str]]], dict[str, str]]:
    segmenter = Segmenter({}, Workers(1))
    prepared = prepare(TEXTS, segmenter, VARIANTS)
    return [{field: list(pieces) for field, pieces in texts.items()} for texts in prepared], dict(segmenter.words())


def test_pieces() -> None:
    """Other words are final, Han runs are normalized keys of the segmentation, each segmented once."""
    prepared, words = _prepared()
    assert prepared == [
        {"title": ["kickoffline", "kick", "offlin", "离线推送"], "body": ["弹幕", "9.19.4", "弹幕"]},
        {"title": [], "body": []},
    ]
    assert words == cut_runs(["离线推送", "弹幕"])


def test_word_rows() -> None:
    """The row of a record is its number, and the words of each field in the order of the text."""
    prepared, words = _prepared()
    assert list(word_rows(prepared, words)) == [
        (
            1,
            {
                "title": f"kickoffline kick offlin {words['离线推送']}",
                "body": "弹幕 9.19.4 弹幕",
            },
        ),
        (2, {"title": "", "body": ""}),
    ]


def test_bigram_rows() -> None:
    """The row of a record is the pairs of its Han runs in all fields, and nothing else."""
    prepared, words = _prepared()
    assert list(bigram_rows(prepared, words)) == [(1, {"text": "离线 线推 推送 弹幕 弹幕"}), (2, {"text": ""})]

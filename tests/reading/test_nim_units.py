"""The units of whole pages: one case for each kind of page in the real base."""

from typing import Any

import pytest

from indexer.reading.decode import decode
from indexer.reading.nim.reader import read_decoded
from indexer.records import Unit

HEAD = "track_type: 排查类\nsub_type: 使用问题\nproduct: IM-SDK\nfeature: 登录\n"
DEFAULT_PATH = "knowledge/IM-SDK/登录连接/Web/排查-登录失败.md"


def units_of(text: str, path: str = DEFAULT_PATH) -> tuple[Unit, ...]:
    """The units of one page."""
    return read_decoded(decode(text.encode()), path)[1]


def page(fields: str, body: str = "") -> str:
    """A page with the usual fields and ``fields``."""
    return f"---\n{HEAD}{fields}---\n\n{body}"


def entry(comment: str, text: str = "## Q: T\n\n**问题描述**：d\n\n**答案**：a\n") -> str:
    """An entry file with one entry."""
    return page("platform: iOS\nupdated: 2026-03-15\n", f"<!-- entry: {comment} -->\n{text}\n---\n")


LONG_INNER = "## Q: 内 **问题描述**：进入会议\n\n**答案**：详见正文。\n\n"

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "lines at column 0": (
        page("title: t\nsolution: 1. a\n2. b\n\n3. c\ntags: [x]\n"),
        {"solution": "1. a\n2. b\n\n3. c", "tags": ("x",), "entry": 0, "line": 1},
    ),
    "code at column 0": (
        page("title: t\nsolution: 改\n```\nexclude group: 'x', module: 'y'\n```\ntags: []\n"),
        {"solution": "改\n```\nexclude group: 'x', module: 'y'\n```", "tags": ()},
    ),
    "a colon in a value": (page("title: 报错: java.lang.E: x\n"), {"title": "报错: java.lang.E: x"}),
    "JSON members": (
        '---\n\n  "track_type": "排查类",\n  "title": "t",\n  "customers": [\n    "甲/乙"\n  ]\n\n---\n',
        {"track_type": "排查类", "title": "t", "customers": ("甲/乙",)},
    ),
    "missing fence": (
        f'---\n{HEAD}title: t\nupdated: 2025-03-23\n\n## 其他触发场景\n\n- [Web] x，来源：["丙"]，2025-03-23\n---\n\n'
        "## 问题详情\n\n**现象**：\nd\n",
        {"title": "t", "updated": "2025-03-23", "description": "d", "customers": ("丙",)},
    ),
    "an @ at the head": (
        page("title: @所有人返回811\n"),
        {"title": "@所有人返回811", "display_title": "@所有人返回811"},
    ),
    "an unknown escape": (page('title: t\nsolution: "a\n\\$\\$ORIGIN"\n'), {"solution": "a\n$$ORIGIN"}),
    "a bare customer": (entry("customers=杭州 A&B（分）, tags=[]"), {"customers": ("杭州 A&B（分）",)}),
    "no customer": (entry("customers=, tags=[]"), {"customers": ()}),
    "Python lists": (
        entry("customers=['甲'], tags=['a', 'b']"),
        {"customers": ("甲",), "tags": ("a", "b")},
    ),
    "attributes of an entry": (
        entry('troubleshooting="1. 查\\n2. 等", root_cause="c, d", solution="s"', "## Q: T\n"),
        {"root_cause": "c, d", "solution": "s", "details": "1. 查\n2. 等", "answered": True},
    ),
    "attributes that the text repeats": (
        entry(
            'troubleshooting="1. 查", root_cause="c"',
            "## Q: T\n**排查过程**：\n1. 查\n**根因**：c\n**解决方案**：s",
        ),
        {"root_cause": "c", "solution": "s", "details": "1. 查"},
    ),
    "platform of the front matter": (entry("tags=[]"), {"platform": "iOS", "platforms": ("iOS",)}),
    "platform of the folder": (
        f"---\n{HEAD}---\n<!-- entry: tags=[] -->\n## Q: T\n",
        {"platform": "Web", "platforms": ("Web",)},
    ),
    "a placeholder stays and is flagged": (
        entry("tags=[]", "## Q: T\n**问题描述**：d\n**答案**：详见聊天记录分析"),
        {"solution": "详见聊天记录分析", "answered": False, "description": "d"},
    ),
    "empty answer": (
        entry("tags=[]", "## Q: T\n\n**问题描述**：\n\n**答案**：\n"),
        {"solution": "", "answered": False, "description": ""},
    ),
    "cause and solution": (
        entry("tags=[]", "## Q: T\n**问题描述**：d\n\n**排查过程**：\n1. x\n\n**根因**：c\n\n**解决方案**：s"),
        {"root_cause": "c", "solution": "s", "details": "1. x", "answered": True},
    ),
    "a useless title": (
        entry("tags=[]", "## Q: 技术咨询\n**问题描述**：如何登录？急\n**答案**：a"),
        {"title": "技术咨询", "display_title": "如何登录"},
    ),
    "entries of 排查类": (
        entry("created=2025-07-31"),
        {"track_type": "排查类", "created": "2025-07-31", "entry": 1, "line": 10},
    ),
    "a question without entries": (
        page("title: t\nsolution: s\n").replace("排查类", "咨询类"),
        {"track_type": "咨询类", "entry": 0, "title": "t", "solution": "s", "answered": True},
    ),
    "the field wins over the file's name": (
        page("title: t\n").replace("排查类", "咨询类"),
        {"track_type": "咨询类"},
    ),
    "no fields for cause and answer": (
        page("title: t\n", "# t\n\n## 问题描述\n\nd\n\n## 解答\n\ns\n"),
        {"description": "d", "solution": "s", "root_cause": "", "answered": True},
    ),
    "an empty cause": (page("title: t\nroot_cause:\n", "## 根因分析\n\nc\n"), {"root_cause": "c"}),
    "a cause of nothing": (
        page("title: t\nroot_cause: null\nsolution: None\n"),
        {"root_cause": "", "solution": "", "answered": False},
    ),
    "详见正文": (
        page("title: t\nsolution: 详见正文。\n", "## 解决方案\n\ns\n"),
        {"solution": "s", "answered": True},
    ),
    "详见正文 without a body": (
        page("title: t\nsolution: 详见正文。\n"),
        {"solution": "详见正文。", "answered": False},
    ),
    "a cause to be confirmed": (
        page("title: t\nroot_cause: 待确认\n", "## 问题原因\nc\n"),
        {"root_cause": "c"},
    ),
    "the longer answer": (
        page("title: t\nsolution: abc\n", "## 解决方案\n\nlonger one\n"),
        {"solution": "longer one", "details": "abc"},
    ),
    "the front matter is longer": (
        page("title: t\nsolution: longer one\n", "## 解决方案\n\nabc\n"),
        {"solution": "longer one", "details": "abc"},
    ),
    "one holds the other": (
        page("title: t\nsolution: ab c\n", "## 解决方案\n\n1. abc\n"),
        {"solution": "1. abc", "details": ""},
    ),
    "the cause of the front matter is used": (
        page("title: t\nroot_cause: c\n", "## 问题原因\n\nanother cause\n"),
        {"root_cause": "c", "details": "another cause"},
    ),
    "H1 and other sections": (
        page("title: t\ntags: []\n", "# t\n\n## 问题描述\nd\n## 标签\n- RTC\n## 客户\n- 甲"),
        {"description": "d", "tags": (), "customers": ("甲",), "details": "- RTC\n\n- 甲"},
    ),
    "templates": (
        page(
            "title: t\n",
            "## 问题详情\n**现象**：\nd\n**相关日志**：\n（从会话提取关键报错日志，无则省略）\n"
            "## 其他触发场景\n（暂无）\n",
        ),
        {"description": "d", "details": ""},
    ),
    "merged items": (
        page(
            "title: t\ncustomers: [甲]\n",
            "## 其他触发场景\n- [Web] x，来源：['乙', '甲']，2026-03-20\n- [iOS] y，来源：丙，2026-03-26\n",
        ),
        {
            "customers": ("甲", "乙", "丙"),
            "details": "- [Web] x，来源：['乙', '甲']，2026-03-20\n- [iOS] y，来源：丙，2026-03-26",
        },
    ),
    "a scalar customer": (page("title: t\ncustomers: 甲公司\n"), {"customers": ("甲公司",)}),
    "dates as written": (
        page("title: t\ncreated: 2025-02-31\nupdated: '2026-3'\n"),
        {"created": "2025-02-31", "updated": "2026-3"},
    ),
    "created after updated": (
        page("title: t\ncreated: 2026-01-01\nupdated: 2025-01-01\n"),
        {"created": "2026-01-01", "updated": "2025-01-01"},
    ),
    "empty lists": (page("title: t\ntags: []\ncustomers:\n"), {"tags": (), "customers": ()}),
    "an alias": (page("title: t\nplatform: 安卓\n"), {"platform": "安卓", "platforms": ("Android",)}),
    "two platforms": (
        page("title: t\nplatform: iOS/Android\n"),
        {"platform": "iOS/Android", "platforms": ("iOS", "Android")},
    ),
    "a file name": (
        page("title: t\nplatform: 咨询-开通.md\n"),
        {"platform": "Web", "platforms": ("Web",)},
    ),
    "the fields count, the folders are kept": (
        page("title: t\nplatform: iOS\n"),
        {"feature": "登录", "feature_folder": "登录连接", "product_folder": "IM-SDK", "platform": "iOS"},
    ),
    "the folders stand in": (
        "---\ntitle: t\n---\n",
        {"product": "IM-SDK", "feature": "登录连接", "track_type": "", "platform": "Web"},
    ),
    "a sub_type of one's own": (page("title: t\n").replace("使用问题", "商务/报价"), {"sub_type": "商务/报价"}),
    "the title field wins over the file's name": (
        page("title: 另一个\n"),
        {"title": "另一个", "display_title": "另一个"},
    ),
    "the title field wins over the heading": (
        page("title: 崩溃\n", "## 问题：iOS iOS 崩溃\n"),
        {"title": "崩溃"},
    ),
    "no title field": (page("", "## 问题：崩溃\n\nd\n"), {"title": "崩溃", "description": "d"}),
    "no title at all": (page("source: chat\n", "text\n"), {"title": "", "display_title": "text"}),
    "odd characters": (page("title: 😀\u00a0\tก²\n"), {"title": "😀\u00a0\tก²"}),
    "a lone surrogate": (page('title: "\\ud83d x"\n'), {"title": "\ufffd x"}),
    "words of YAML": (page("title: no\ntags: [on, ~]\n"), {"title": "no", "tags": ("on", "~")}),
    "numbers": (page("title: 0414\ntags: [9.10]\n"), {"title": "0414", "tags": ("9.10",)}),
    "a hash": (page("title: 崩溃 #KB0039\n"), {"title": "崩溃 #KB0039"}),
    "a list as an answer": (page("title: t\nsolution:\n- a\n- b\n"), {"solution": "- a\n- b"}),
    "frequency": (entry("frequency=12, tags=[]"), {"frequency": 12}),
    "frequency that is no number": (entry("frequency=many, tags=[]"), {"frequency": 1}),
    "an entry's own fields": (
        entry("product=RTC, feature=录制, source=faq, updated=2026-01"),
        {"product": "RTC", "feature": "录制", "source": "faq", "updated": "2026-01", "sub_type": "使用问题"},
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_units(text: str, expected: dict[str, Any]) -> None:
    """Each kind of page gives one unit with the right values."""
    (unit,) = units_of(text)
    assert {name: getattr(unit, name) for name in expected} == expected
    assert unit.display_title


def test_nested_entries_keep_the_ordinals() -> None:
    """A nested entry is no unit, but its comment is counted; its fields replace the outer ones."""
    outer = "<!-- entry: platform=功能实现咨询.md, customers=[], tags=[] -->\n## Q: 外\n\n**问题描述**："
    inner = f'<!-- entry: platform=Web, customers=["甲"], tags=["a"] --> {LONG_INNER}'
    text = page("", f"{outer}{inner}---\n\n{outer}\n\n{inner}---\n<!-- entry: platform=iOS -->\n## Q: 三\n")
    units = units_of(text, "knowledge/IM/会话/功能实现咨询.md")
    assert [(unit.entry, unit.title, unit.platform, unit.description) for unit in units] == [
        (1, "内", "Web", "进入会议"),
        (2, "内", "Web", "进入会议"),
        (4, "三", "iOS", ""),
    ]
    assert [unit.answered for unit in units] == [False, False, False]


def test_an_inner_entry_without_title_takes_the_outer_one() -> None:
    """The outer title is used if the nested entry has none."""
    text = page(
        "",
        "<!-- entry: tags=[] -->\n## Q: 外\n\n**问题描述**：<!-- entry: platform=Web --> **问题描述**：d\n",
    )
    assert [(unit.title, unit.description) for unit in units_of(text)] == [("外", "d")]

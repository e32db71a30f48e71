"""The sections and labels of a case give its description, root cause, solution and details."""

import time

import pytest

from indexer.reading.nim.page import PageText, read_entry, read_page

DESCRIBED = {
    "the symptom": (
        "## 问题描述\n\n别的\n\n## 问题详情\n\n**现象**：\n收不到\n推送\n",
        "收不到\n推送",
    ),
    "up to the next label": ("## 问题详情\n\n**现象**：\na\n\n**复现步骤**：\nb\n", "a"),
    "up to a label of any name": ("## 问题详情\n\n**现象**：a\n**权衡**：b\n", "a"),
    "the colon inside the label": ("## 问题详情\n**现象：**\na\n**环境信息：** b", "a"),
    "else 问题描述": ("# T\n\n## 问题描述\n\na\n\n## 问题背景\n\nb\n", "a"),
    "else 问题详情": ("## 问题：T\n\n## 问题详情\n\na\n\n**环境信息**：\n- 平台：iOS\n", "a"),
    "else 问题背景": ("# T\n\n## 问题背景\n\nb\n", "b"),
    "else what stands below the title": ("## 问题：T\n\na\n\n## 解决方案\n\nc\n", "a"),
    "an empty symptom gives way": (
        "## 问题详情\n**现象**：\n（从会话提取，无则省略）\n\n## 问题描述\nb",
        "b",
    ),
    "template lines fall out": (
        "## 问题详情\n**现象**：\na\n（从会话提取关键报错日志，无则省略）\nb",
        "a\nb",
    ),
    "a rule at the end is none of it": ("## 问题描述\na\n\n---\n\n---\n", "a"),
    "code is text": (
        "## 问题描述\na\n```\n## 解决方案\n# x\n```\nb\n\n## 解决方案\nc",
        "a\n```\n## 解决方案\n# x\n```\nb",
    ),
    "nothing": ("## 解决方案\n\nc\n", ""),
}


@pytest.mark.parametrize(("body", "description"), DESCRIBED.values(), ids=DESCRIBED.keys())
def test_description(body: str, description: str) -> None:
    """The description is the best field that has a text, and ends where the next label or heading begins."""
    assert read_page(body).description == description


ANSWERED = {
    "usual names": ("## 问题原因\n\na\n\n## 解决方案\n\nb\n", "a", "b"),
    "other names": ("## 根因分析\na\n## 解答\nb", "a", "b"),
    "numbered headings": ("## 一、问题原因\na\n## 2. 解决方案：\nb", "a", "b"),
    "deeper headings are text": (
        "## 解决方案\n### 方案一\na\n### 方案二\nb",
        "",
        "### 方案一\na\n### 方案二\nb",
    ),
    "labels inside are text": (
        "## 解决方案\n1. a\n**权衡**：b\n**关键发现**：c",
        "",
        "1. a\n**权衡**：b\n**关键发现**：c",
    ),
    "comments of unfenced code are text": (
        "## 问题：T\n## 解决方案\na\n# Uncomment\nb",
        "",
        "a\n# Uncomment\nb",
    ),
    "an unclosed code block hides nothing": ("## 问题原因\n```\na\n## 解决方案\nb", "```\na", "b"),
    "template causes are none": ("## 问题原因\n\n（根因分析）\n\n## 解决方案\nb", "", "b"),
    "the text is in the heading": ("## 问题原因\\n\\n电信拦截\\n二\n\n## 解决方案\nb", "电信拦截\n二", "b"),
    "the longer of two": ("## 解决方案\na\n## 解答\nlonger", "", "longer"),
}


@pytest.mark.parametrize(("body", "cause", "solution"), ANSWERED.values(), ids=ANSWERED.keys())
def test_cause_and_solution(body: str, cause: str, solution: str) -> None:
    """Every heading that authors use for a cause or an answer fills the same field with all its text."""
    text = read_page(body)
    assert (text.root_cause, text.solution) == (cause, solution)


def test_details_keep_the_rest() -> None:
    """Text outside the fields is kept as details; empty forms, templates and repeated fields are not."""
    body = (
        "## 问题：iOS T\n\n## 问题详情\n\n**现象**：\nd\n\n**环境信息**：\n- SDK 版本：9.20\n- 系统版本 / 设备：\n"
        "- 平台：iOS\n- 其他：（网络环境、账号类型等，无则省略）\n\n"
        "**相关日志**：\n（从会话提取关键报错日志，无则省略）\n\n"
        "## 排查过程\n\n1. 查\n**关键发现**：f\n\n## 问题原因\nc\n\n## 解决方案\ns\n\n## 补充\n\nx\n\n"
        "## 其他触发场景\n\n（合并时在此处追加：`- [{platform}] {title}，来源：{customers}，{today}`）\n"
        "- [Web] 也会，来源：['甲', '乙']，2026-03-20\n- [iOS] 三，来源：丙公司，2026-03-26\n"
    )
    text = read_page(body)
    assert text.title == "iOS T"
    assert text.details == (
        "- SDK 版本：9.20",
        "1. 查\n**关键发现**：f",
        "补充\nx",
        "- [Web] 也会，来源：['甲', '乙']，2026-03-20\n- [iOS] 三，来源：丙公司，2026-03-26",
    )
    assert text.customers == ("甲", "乙", "丙公司")


@pytest.mark.parametrize("heading", ["客户", "来源客户", "六、客户"])
@pytest.mark.parametrize(
    ("section", "names"),
    {
        "bullets": ("- 甲公司\n- 乙（北京）", ("甲公司", "乙（北京）")),
        "numbers": ("1. 甲公司\n2、乙公司", ("甲公司", "乙公司")),
        "one line": ("甲公司、乙公司，丙公司", ("甲公司", "乙公司", "丙公司")),
        "a list": ("['甲公司', \"乙公司\"]", ("甲公司", "乙公司")),
        "nobody": ("- 未知", ()),
        "a placeholder": ("（暂无）", ()),
    }.values(),
)
def test_customers_of_a_section(heading: str, section: str, names: tuple[str, ...]) -> None:
    """The names in a section 客户 are customers of the page: --redact masks them like those of the front matter."""
    assert read_page(f"## 解决方案\na\n\n## {heading}\n\n{section}\n\n## 会话日期\n\n2025").customers == names


@pytest.mark.parametrize(
    "nothing",
    [
        "（暂无）",
        "（无）",
        "（合并时在此处追加）",
        "（合并时在此处追加：`- [iOS] a，来源：['甲']，2026`）",
        "",
    ],
)
def test_empty_scenarios_leave_nothing(nothing: str) -> None:
    """A section 其他触发场景 with only the template is no detail and names no customer."""
    assert read_page(f"## 解决方案\na\n\n## 其他触发场景\n\n{nothing}\n") == PageText(solution="a")


def test_line_of_an_escaped_heading() -> None:
    """A heading line that contains its text is a repair at its line."""
    repairs = read_page("a\n\n## 解答\n## 问题原因\\n\\nb\n", first_line=10).repairs
    assert [(line, kind) for line, kind, _ in repairs] == [(13, "escaped-heading")]


ENTRIES = {
    "answer": (
        "\n## Q: T\n\n**问题描述**：d\n\n**答案**：1. a\n2. b\n\n---\n\n",
        ("T", "d", "", "1. a\n2. b"),
    ),
    "cause and solution": (
        "## Q: T\n**问题描述**：d\n**排查过程**：\n1. x\n**根因**：c\n**解决方案**：s",
        ("T", "d", "c", "s"),
    ),
    "another name for the cause": ("## Q: T\n**根本原因**：c\n**答案**：s", ("T", "", "c", "s")),
    "empty answer and description": (
        "## Q: 问题\n\n**问题描述**：\n\n**答案**：\n\n---\n",
        ("问题", "", "", ""),
    ),
    "bold words and headings in an answer are text": (
        "## Q：T\n**答案**：\n**方案一**：a\n## 配置\nb\n**客户**：c",
        ("T", "", "", "**方案一**：a\n## 配置\nb\n**客户**：c"),
    ),
    "rules inside an answer": ("## Q: T\n**答案**：a\n---\nb\n---\n", ("T", "", "", "a\n---\nb")),
    "arrows in the text": (
        "## Q: T\n**答案**：a --> b\n<!-- x -->c",
        ("T", "", "", "a --> b\n<!-- x -->c"),
    ),
    "a page on one line": (
        "## Q: T\n**问题描述**：## 问题：T ## 问题详情 **现象**： d **环境信息**： - 平台：iOS ## 排查过程 1. x"
        " ## 解决方案 s ## 其他触发场景 （无）\n**答案**：s",
        ("T", "d", "", "s"),
    ),
    "no title": ("**问题描述**：d\n**答案**：a", ("", "d", "", "a")),
    "text without labels": ("## Q: T\n\nplain\n", ("T", "plain", "", "")),
}


@pytest.mark.parametrize(("text", "fields"), ENTRIES.values(), ids=ENTRIES.keys())
def test_entry(text: str, fields: tuple[str, str, str, str]) -> None:
    """The labels of an entry fill the same fields as the sections of a page."""
    entry = read_entry(text)
    assert (entry.title, entry.description, entry.root_cause, entry.solution) == fields


def test_entry_details() -> None:
    """The steps of an entry are details, also those of a page on one line."""
    assert read_entry("## Q: T\n**排查过程**：\n1. x\n\n**答案**：a").details == ("1. x",)
    flat = read_entry(
        "**问题描述**：## 问题：T ## 问题详情 **现象**： d ## 排查过程 1. x 2. y ## 解决方案 s\n**答案**：long"
    )
    assert flat.solution == "long"
    assert flat.details == ("1. x 2. y", "s")


LONG = {"headings that contain their text": "## 问题原因\\nx\n", "headings and code fences": "## a\n```\n"}


@pytest.mark.parametrize("repeated", LONG.values(), ids=LONG)
def test_long_pages_are_linear(repeated: str) -> None:
    """A page of many headings is read in time that grows with its length."""
    started = time.perf_counter()
    assert read_page(repeated * 40_000) != PageText()
    assert time.perf_counter() - started < 5

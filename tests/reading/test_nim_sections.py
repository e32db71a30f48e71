"""A body is split into blocks, each below the heading or label that names its field."""

import pytest

from indexer.reading.nim.sections import entry_blocks, page_blocks, split_flattened

PAGES = {
    "headings and labels": (
        "## 问题：T\nx\n## 问题详情\ny\n**现象**：a\n**自定**：b\n## 解决方案\n**现象**：c",
        [("title", "x"), ("question", "y"), ("symptom", "a"), ("labelled", "b"), ("solution", "**现象**：c")],
    ),
    "an H1 divides only at the head": (
        "# T\na\n# x\nb\n## 解答\nc",
        [("unknown", "a\n# x\nb"), ("solution", "c")],
    ),
    "a known name divides at any depth": (
        "## 其他\na\n#### 解决方案\nb",
        [("unknown", "a"), ("solution", "b")],
    ),
    "headings in code do not": (
        "## 解答\n```\n## 客户\n```\n## 客户\na",
        [("solution", "```\n## 客户\n```"), ("customers", "a")],
    ),
    "a sign without a space is no heading": ("##解答\na", [("title", "##解答\na")]),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("body", "blocks"), PAGES.values(), ids=PAGES.keys())
def test_page_blocks(body: str, blocks: list[tuple[str, str]]) -> None:
    """A page is split at its headings, and a question also at its labels."""
    found = [(block.field, block.text.strip()) for block in page_blocks(body, 1, []) if block.text.strip()]
    assert found == blocks


def test_entry_blocks() -> None:
    """An entry is split at the labels that name a field; other bold words belong to the answer."""
    blocks = entry_blocks("## Q: T\n**问题描述**：a\n**答案**：b\n**步骤一**：c\n**排查过程**：d")
    assert [(block.field, block.text.strip()) for block in blocks] == [
        ("title", ""),
        ("description", "a"),
        ("solution", "b\n**步骤一**：c"),
        ("steps", "d"),
    ]
    assert blocks[0].name == "Q: T"


def test_split_flattened() -> None:
    """A flattened page gets a line for each heading and label; a mark that is cut off at the end is removed."""
    assert split_flattened("## Q: T **问题描述**：a **答") == "## Q: T\n**问题描述**：a"
    assert split_flattened("a **重点** b ##") == "a **重点** b"

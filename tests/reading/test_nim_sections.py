"""A body -> blocks, each under the heading or label that names its field."""

import pytest

from indexer.reading.nim.sections import broken_up, entry_blocks, page_blocks

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
    """A page divides at its headings, and within the question at its labels."""
    found = [(block.field, block.text.strip()) for block in page_blocks(body, 1, []) if block.text.strip()]
    assert found == blocks


def test_entry_blocks_divide_at_field_labels_only() -> None:
    """The bold words of an answer do not end it; the labels of the form do."""
    blocks = entry_blocks("## Q: T\n**问题描述**：a\n**答案**：b\n**步骤一**：c\n**排查过程**：d")
    assert [(block.field, block.text.strip()) for block in blocks] == [
        ("title", ""),
        ("description", "a"),
        ("solution", "b\n**步骤一**：c"),
        ("steps", "d"),
    ]
    assert blocks[0].name == "Q: T"


def test_broken_up() -> None:
    """A flattened text breaks at its marks, and a mark that was cut off at the end falls away (M11)."""
    assert broken_up("## Q: T **问题描述**：a **答") == "## Q: T\n**问题描述**：a"
    assert broken_up("a **重点** b ##") == "a **重点** b"

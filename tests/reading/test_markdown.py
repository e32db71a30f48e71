"""The sections, table rows, error codes and API names of a page's body."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.reading.markdown import api_names, error_codes, is_error_heading, sections, table_rows

BODY = """intro

# One
text
## Two ##
```python
# no heading
| 1 | no row |
```
~~~
``` still code
# no heading
~~~
#no heading
### Three
"""


def test_sections() -> None:
    """Headings outside code split the body; each section has its level, heading and line."""
    found = [(s.level, s.heading, s.line) for s in sections(BODY, 10)]
    assert found == [(0, "", 10), (1, "One", 12), (2, "Two", 14), (3, "Three", 24)]
    assert "# no heading" in sections(BODY)[2].text


@given(st.lists(st.sampled_from(["# a", "## b", "text", "", "```", "~~~", "    # c", "| a | b |", "#"]), max_size=12))
def test_sections_lose_no_line(lines: list[str]) -> None:
    """Every line of a body is a heading or is in the text of the section above it, at its own line number."""
    for section in sections("\n".join(lines)):
        if section.heading:
            assert lines[section.line - 1].lstrip("# ") == section.heading
        for offset, line in enumerate(section.text.split("\n"), section.line + bool(section.heading)):
            assert section.text == "" or lines[offset - 1] == line


TABLE = """## 错误码
| 错误码 | 说明 |
|:---|---|
| -1002 | 未登录 |
| `60004`~`60005` | a \\| b |
no row
| 7 | after the table |

```
| --- |
| 8 | in code |
```
### 设备
| 码 | 义 |
|---|---|
| ERR_X | 符号 |
| -7 | ERR_Y |
## 别的
| 码 | 义 |
|---|---|
| 9 | 不在错误码一节 |
"""


def test_table_rows() -> None:
    """Rows are below a divider line; an escaped bar is text; lines of code and loose rows are no rows."""
    found = list(table_rows(sections(TABLE, 100)[0]))
    assert found == [(103, ("-1002", "未登录")), (104, ("`60004`~`60005`", "a | b"))]


def test_error_codes() -> None:
    """Codes are first cells below an error heading and its sub-headings, and symbolic codes in any other cell."""
    found = [(c.code, c.text, c.section, c.line) for c in error_codes(sections(TABLE))]
    assert found == [
        ("-1002", "未登录", "错误码", 4),
        ("60004", "a | b", "错误码", 5),
        ("60005", "a | b", "错误码", 5),
        ("ERR_X", "符号", "设备", 16),
        ("-7", "ERR_Y", "设备", 17),
        ("ERR_Y", "ERR_Y", "设备", 17),
    ]


HEADINGS = {
    "错误码": True,
    "常见错误码与处理": True,
    "Error Codes": True,
    "error_codes": True,
    "error-code 表": True,
    "错误对照表": True,
    "错误速查": True,
    "错误处理": False,
    "常见问题": False,
    "对照表": False,
    "Errors": False,
}


@pytest.mark.parametrize(("heading", "is_one"), HEADINGS.items(), ids=HEADINGS)
def test_error_heading(heading: str, is_one: bool) -> None:
    """A heading begins an error-code section if it has one of the documented words."""
    assert is_error_heading(heading) is is_one


def test_api_names() -> None:
    """Names in backticks with a capital or an underscore inside are API names, each part of a path once."""
    body = "`joinRoom({ roomId })`、`LiveStore.fetchList()`，`joinRoom`，`true`，`live/x`，joinAll `nim_core` `弹幕`"
    assert api_names(body) == ("joinRoom", "LiveStore", "fetchList", "nim_core")

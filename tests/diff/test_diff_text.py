"""The comparison as text, with nothing left out, and as Markdown, which is never too long."""

import re
from typing import Any

import pytest

from query.diff.compare import KINDS
from query.diff.sections import SECTIONS
from query.diff.text import LIMIT, SHOWN, as_markdown, as_text


def _item(kind: str, name: str) -> Any:
    if kind == "moved":
        return {"from": f"{name}/old", "to": f"{name}/new"}
    return {"id": name, "fields": ["title", "tags"]} if kind == "changed" else name


def _document(counts: dict[tuple[str, str], int], name: str = "a", **about: Any) -> dict[str, Any]:
    """A document with so many items of each (section, kind)."""
    lists = {
        section: {kind: [_item(kind, f"{name}{n}") for n in range(counts.get((section, kind), 0))] for kind in KINDS}
        for section in SECTIONS
    }
    return {"equal": not counts, "old": "1", "new": "2", "build": [], "tables": ["t"] if counts else []} | lists | about


ALL = [(section, kind) for section in SECTIONS for kind in KINDS]


def test_text_leaves_nothing_out() -> None:
    """One line per item with its mark, however many there are."""
    lines = as_text(_document(dict.fromkeys(ALL, 300))).splitlines()
    assert len(lines) == len(SECTIONS) + 300 * len(ALL)
    assert lines[:2] == ["products: 300 came, 300 went, 300 moved, 300 changed", "  + a0"]
    assert {line[2] for line in lines if line.startswith("  ")} == {"+", "-", ">", "~"}
    assert "  > a7/old -> a7/new" in lines
    assert "  ~ a7: title, tags" in lines


@pytest.mark.parametrize("length", [1, 60, 500, 5_000, 100_000])
@pytest.mark.parametrize("count", [1, 24, 25, 26, 20_000])
def test_markdown_fits_into_a_comment(length: int, count: int) -> None:
    """Within the limit, however many and long the items are, with every heading and its true counts."""
    count = min(count, 2_000_000 // length + 1)
    facts = {"build": [f"nim.fact{n}" for n in range(20)]}
    shown = as_markdown(_document(dict.fromkeys(ALL, count), "字" * length, **facts))
    assert len(shown) <= LIMIT
    assert shown.count(f": {count} came, {count} went, {count} moved, {count} changed") == len(SECTIONS)
    left = [int(n) for n in re.findall(r"^- and (\d+) more$", shown, re.MULTILINE)]
    items = len(re.findall("^- `", shown, re.MULTILINE))
    assert items + sum(left) == count * len(ALL)


def test_markdown_of_a_short_list() -> None:
    """Headings, one list per kind, and the number of items left out."""
    shown = as_markdown(_document({("cases", "came"): 2, ("cases", "changed"): SHOWN + 3}))
    assert shown.startswith(
        f"## Knowledge base\n\n### cases: 2 came, {SHOWN + 3} changed\n\n**came**\n\n- `a0`\n- `a1`\n"
    )
    assert "\n\n**changed**\n\n- `a0`: title, tags\n- `a1`" in shown
    assert shown.endswith("\n- and 3 more")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("@所有人 #12", "`@所有人 #12`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        ("a\n\n# b\r\n", "`a # b`"),
        ("[x](y) <b>", "`[x](y) <b>`"),
    ],
)
def test_names_are_no_markdown(name: str, shown: str) -> None:
    """A name is a code span on one line: it mentions nobody, links nowhere and opens no heading."""
    document = _document({}) | {"equal": False, "cases": {kind: [] for kind in KINDS} | {"came": [name]}}
    assert as_markdown(document).splitlines()[-1] == f"- {shown}"


@pytest.mark.parametrize("write", [as_text, as_markdown])
def test_equal(write: Any) -> None:
    """Equal files are reported as equal."""
    assert write(_document({})).endswith("The two files have the same content.")

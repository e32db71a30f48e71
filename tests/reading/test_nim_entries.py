"""A page is split into entries with their attributes and text."""

import pytest

from indexer.reading.nim.entries import has_entries, read_entries

ATTRIBUTES = {
    "JSON lists": (
        'customers=["甲", "乙"], tags=["a,b", "c"]',
        {"customers": ("甲", "乙"), "tags": ("a,b", "c")},
    ),
    "Python lists": ("customers=['甲'], tags=['a', 'b']", {"customers": ("甲",), "tags": ("a", "b")}),
    "a bare name": (
        "customers=杭州 A&B（分公司）, source=chat",
        {"customers": ("杭州 A&B（分公司）",), "source": ("chat",)},
    ),
    "a bare name with commas": (
        "customers=甲, 乙公司, tags=[]",
        {"customers": ("甲, 乙公司",), "tags": ()},
    ),
    "an empty bare name": ("customers=, source=chat, tags=[]", {"customers": (), "source": ("chat",)}),
    "free text": (
        r'tags=["a"], troubleshooting="1. x → y\n2. z", root_cause="a, tags=[b], c", solution=""',
        {
            "tags": ("a",),
            "troubleshooting": ("1. x → y\n2. z",),
            "root_cause": ("a, tags=[b], c",),
            "solution": (),
        },
    ),
    "an arrow in quotes": (
        'solution="a --> b", tags=["c"]',
        {"solution": ("a --> b",), "tags": ("c",)},
    ),
    "a bracket in a list": ('tags=["a[0]", "]"], source=x', {"tags": ("a[0]", "]"), "source": ("x",)}),
    "no platform": ("created=2025-09, tags=[]", {"created": ("2025-09",), "platform": ()}),
    "spaces around the signs": ("platform = iOS , tags = [ 'a' ]", {"platform": ("iOS",), "tags": ("a",)}),
    "an unknown word is part of the value": ("customers=a=b, tags=[]", {"customers": ("a=b",)}),
    "nothing": ("", {"platform": (), "tags": ()}),
}


@pytest.mark.parametrize(("raw", "expected"), ATTRIBUTES.values(), ids=ATTRIBUTES.keys())
def test_attributes(raw: str, expected: dict[str, tuple[str, ...]]) -> None:
    """Attributes are read in every style that pages use, without a repair, and the text after them is whole."""
    (entry,) = read_entries(f"<!-- entry: {raw} -->\n## Q: T\n")
    assert {key: entry.list_of(key) for key in expected} == expected
    assert entry.text == "\n## Q: T\n"
    assert entry.repairs == ()


def test_text_ends_before_the_next_comment() -> None:
    """An entry ends before the next comment at the start of a line, whatever is between them."""
    body = "intro\n<!-- entry: tags=['a'] -->\na -->\n---\n<!-- note -->\nb\n\n<!-- entry: tags=['b'] -->\nc"
    first, second = read_entries(body, first_line=8)
    assert (first.line, first.text) == (9, "\na -->\n---\n<!-- note -->\nb\n\n")
    assert (second.line, second.text) == (15, "\nc")
    assert not has_entries("intro <!-- entry: tags=[] -->\n")


INNER = '<!-- entry: platform=Web, created=2025-03-13, customers=["甲"], tags=["a"] -->'
OUTER = "<!-- entry: platform=功能咨询.md, created=2025-04-01, customers=[], source=chat, tags=[] -->\n\n## Q: 外\n\n"
TAIL = "\n\n**答案**：详见正文。\n\n---\n\n<!-- entry: platform=iOS, tags=[] -->\n## Q: 二\n"

NESTED = {
    "on the label's line": f"{OUTER}**问题描述**：{INNER} ## Q: 内 **问题描述**：进入会议 **答{TAIL}",
    "on a line of its own": f"{OUTER}**问题描述**：\n\n{INNER}\n ## Q: 内 **问题描述**：进入会议{TAIL}",
}


@pytest.mark.parametrize("body", NESTED.values(), ids=NESTED.keys())
def test_inner_entry_holds_the_fields(body: str) -> None:
    """An entry inside the description of another is one entry with the inner fields, and one repair."""
    first, second = read_entries(body)
    assert first.text_of("platform") == "Web"
    assert first.text_of("created") == "2025-03-13"
    assert first.text_of("source") == "chat"
    assert first.list_of("customers") == ("甲",)
    assert first.text.startswith("## Q: 内\n**问题描述**：进入会议\n")
    line = body[: body.index(INNER)].count("\n") + 1
    assert [(number, kind) for number, kind, _ in first.repairs] == [(line, "nested-entry")]
    assert second.text_of("platform") == "iOS"


def test_comment_elsewhere_in_a_text_is_text() -> None:
    """Only a comment in the place of a description is a nested entry."""
    (entry,) = read_entries("<!-- entry: platform=iOS -->\n**答案**：写 <!-- entry: platform=Web --> 即可")
    assert entry.text_of("platform") == "iOS"
    assert entry.repairs == ()


BROKEN = {
    "no arrow": "<!-- entry: platform=iOS, tags=['a']\n## Q: T\n",
    "no arrow before a blank line": "<!-- entry: platform=iOS, tags=['a']\n\n## Q: T --> b\n",
    "an open quote": "<!-- entry: platform=iOS, tags=['a'], solution=\"x -->\n## Q: T\n",
    "an open quote and a later one": '<!-- entry: platform=iOS, tags=[\'a\'], solution="x -->\n## Q: "T"\n',
}


@pytest.mark.parametrize("chunk", BROKEN.values(), ids=BROKEN.keys())
def test_broken_comments(chunk: str) -> None:
    """A comment that is not closed ends with its line, with a repair; the entries after it are complete."""
    first, second = read_entries(f"{chunk}\n<!-- entry: platform=Web -->\n## Q: U\n")
    assert first.text_of("platform") == "iOS"
    assert first.list_of("tags") == ("a",)
    assert "## Q: " in first.text
    assert [kind for _, kind, _ in first.repairs] == ["entry-comment"]
    assert second.text_of("platform") == "Web"


def test_many_entries_are_linear() -> None:
    """A page of 20,000 entries is read in time that grows with its length."""
    body = "<!-- entry: platform=iOS, customers=['a'], tags=['b'] -->\n## Q: T\n\n---\n\n" * 20_000
    assert sum(1 for _ in read_entries(body)) == 20_000

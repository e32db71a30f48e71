"""A page is split into fields and body, also if YAML refuses, shortens or folds its front matter."""

import json

import pytest

from indexer.reading.front_matter import Value, list_of, split_page, text_of

KEYS = (
    "track_type",
    "platform",
    "title",
    "root_cause",
    "solution",
    "customers",
    "source",
    "tags",
    "created",
    "updated",
)

# document -> fields, body, kinds of repair
PAGES: dict[str, tuple[str, dict[str, object], str, list[str]]] = {
    "plain": (
        "---\ntitle: a\ntags: [x, y]\n---\n\nbody\n",
        {"title": "a", "tags": ["x", "y"]},
        "\nbody\n",
        [],
    ),
    "no front matter": ("# 通用知识库\n", {}, "# 通用知识库\n", []),
    "blank lines and invisible marks before the fence": (
        "\ufeff\n\u200b---\ntitle: a\n---\nb",
        {"title": "a"},
        "b",
        [],
    ),
    "body rules are no fences": (
        "---\ntitle: a\n---\nb\n\n---\nc\n---\n",
        {"title": "a"},
        "b\n\n---\nc\n---\n",
        [],
    ),
    "longer rules are no fences": (
        "---\ntitle: a\nsolution: b\n----\n--- x\n---\nc",
        {"title": "a", "solution": "b\n----\n--- x"},
        "c",
        ["yaml-refused"],
    ),
    "a fence with spaces": ("---  \ntitle: a\n--- \t\nb", {"title": "a"}, "b", []),
    "a rule inside a value": (
        '---\ntitle: a\nsolution: "b\n---\nc"\ntags: [x]\n---\nbody',
        {"title": "a", "solution": "b\n---\nc", "tags": ["x"]},
        "body",
        ["fence-in-value", "yaml-refused"],
    ),
    "missing closing fence before a section": (
        "---\ntitle: a\nupdated: 2025-03-23\n\n## 其他触发场景\n\n- x\n---\n\n## 问题：a\n",
        {"title": "a", "updated": "2025-03-23"},
        "## 其他触发场景\n\n- x\n---\n\n## 问题：a\n",
        ["unclosed-fence"],
    ),
    "no closing fence at all": (
        "---\ntitle: a\ncreated: 2025-01\n\n# a\n\ntext",
        {"title": "a", "created": "2025-01"},
        "# a\n\ntext",
        ["unclosed-fence"],
    ),
    "missing closing fence before entries": (
        "---\ntrack_type: 咨询类\n\n<!-- entry: tags=[] -->\n## Q: a\n\n---\n",
        {"track_type": "咨询类"},
        "<!-- entry: tags=[] -->\n## Q: a\n\n---\n",
        ["unclosed-fence"],
    ),
    "the file ends among the fields": (
        "---\ntitle: a\ntags: [x]",
        {"title": "a", "tags": ["x"]},
        "",
        ["unclosed-fence"],
    ),
    "missing opening fence": (
        "title: a\ntags: [x]\n---\nb",
        {"title": "a", "tags": ["x"]},
        "b",
        ["unopened-fence"],
    ),
    "a comment is no heading": ("---\n# note\ntitle: a\n---\nb", {"title": "a"}, "b", []),
    "a heading in code stays in its value": (
        "---\nsolution: 见\n```\n## x\n```\ntitle: a\n---\nb",
        {"solution": "见\n```\n## x\n```", "title": "a"},
        "b",
        ["yaml-refused"],
    ),
    "lines at column 0": (
        "---\nsolution: 1. a\n2. b\n- c\ntags: ['x']\n---\n",
        {"solution": "1. a\n2. b\n- c", "tags": ["x"]},
        "",
        ["yaml-refused"],
    ),
    "a colon in a value": ("---\nsolution: a: b\n---\n", {"solution": "a: b"}, "", ["yaml-refused"]),
    "an @ at the head": ("---\ntitle: @所有人\n---\n", {"title": "@所有人"}, "", ["yaml-refused"]),
    "a backtick and a percent sign at the head": (
        "---\ntitle: `x` 报错\nsource: %s\n---\n",
        {"title": "`x` 报错", "source": "%s"},
        "",
        ["yaml-refused"],
    ),
    "signs that YAML swallows": (
        "---\ntitle: !important x\nsource: '*'\nsolution: '&a b'\n---\n",
        {"title": "!important x", "source": "*", "solution": "&a b"},
        "",
        [],
    ),
    "an unknown escape": ('---\ntitle: "\\d\\$"\n---\n', {"title": "\\d$"}, "", ["yaml-refused"]),
    "quoted lines keep their breaks": (
        '---\nsolution: "a：\n1. b\n2. c"\n---\n',
        {"solution": "a：\n1. b\n2. c"},
        "",
        [],
    ),
    "a dumper's wrapping is folded": (
        "---\nsolution: 1. a\n  b\ntitle: c\n---\n",
        {"solution": "1. a b", "title": "c"},
        "",
        [],
    ),
    "a block scalar": (
        "---\nsolution: |-\n  1. a\n  2. b\ntitle: c\n---\n",
        {"solution": "1. a\n2. b", "title": "c"},
        "",
        [],
    ),
    "JSON members without braces": (
        '---\n\n  "title": "a",\n  "tags": [\n    "x",\n    414\n  ],\n'
        '  "created": 2025,\n  "root_cause": null\n\n---\n',
        {"title": "a", "tags": ["x", "414"], "created": "2025", "root_cause": ""},
        "",
        ["json-front-matter"],
    ),
    "JSON with braces": ('---\n{"title": "a", "tags": ["x"]}\n---\n', {"title": "a", "tags": ["x"]}, "", []),
    "a hash in a value": (
        "---\ntitle: 崩溃 #KB0039\ntags: [a]\n---\n",
        {"title": "崩溃 #KB0039", "tags": ["a"]},
        "",
        [],
    ),
    "dates stay text": (
        "---\ncreated: 2025-02-31\nupdated: '2026-3-5'\n---\n",
        {"created": "2025-02-31", "updated": "2026-3-5"},
        "",
        [],
    ),
    "words of YAML stay text": (
        "---\ntags: [no, on, Off, ~, null, y]\n---\n",
        {"tags": ["no", "on", "Off", "~", "null", "y"]},
        "",
        [],
    ),
    "numbers stay text": (
        "---\ntags: [0414, 0191, 0x1F, 190_001, 9.10, 12:30, -1002]\n---\n",
        {"tags": ["0414", "0191", "0x1F", "190_001", "9.10", "12:30", "-1002"]},
        "",
        [],
    ),
    "keys of python-frontmatter's own": (
        "---\ncontent: a\nhandler: b\n---\n",
        {"content": "a", "handler": "b"},
        "",
        [],
    ),
    "a tab behind the colon": (
        "---\ntitle:\ta\n\tb\nsource: c\n---\n",
        {"title": "a\nb", "source": "c"},
        "",
        ["yaml-refused"],
    ),
    "a control character": ("---\ntitle: a\x08b\n---\n", {"title": "a\x08b"}, "", ["yaml-refused"]),
    "a key twice": ("---\ntitle: a\nsource: s\ntitle: b\n---\n", {"title": "b", "source": "s"}, "", ["duplicate-key"]),
    "a key twice whose values YAML shortens": (
        "---\ntitle: a #1\ntitle: b #2\n---\n",
        {"title": "b"},
        "",
        ["duplicate-key"],
    ),
    "a JSON member twice": (
        '---\n"title": "a",\n"title": "b",\n---\n',
        {"title": "b"},
        "",
        ["json-front-matter", "duplicate-key"],
    ),
    "no mapping": ("---\njust text\n---\nb", {}, "b", ["yaml-refused"]),
    "an empty block": ("---\n---\nb", {}, "b", []),
    "empty": ("", {}, "", []),
    "only a fence": ("---", {}, "", ["unclosed-fence"]),
}


@pytest.mark.parametrize(("text", "fields", "body", "kinds"), PAGES.values(), ids=PAGES.keys())
def test_split_page(text: str, fields: dict[str, object], body: str, kinds: list[str]) -> None:
    """Every field is recovered, the body is whole and has the right line, and every repair has its kind."""
    page = split_page(text, KEYS)
    assert page.fields == fields
    assert page.body == body
    assert [kind for _, kind, _ in page.repairs] == kinds
    if body and kinds != ["unopened-fence"]:
        assert "\n".join(text.split("\n")[page.body_line - 1 :]) == body


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\ntitle: a\nsolution: x: y\n---\n", 3),
        ("\n\n---\ntitle: a\nsolution: x: y\n---\n", 5),
        ("---\ntitle: a\n\n## b\n", 4),
        ("---\ntitle: a\nsolution: b\n---\nc\ntags: [x]\n---\n", 4),
        ("---\ntitle: a\ntags: []\ntitle: b\n---\n", 4),
        ("\n---\ntitle: a\ntitle: b\n---\n", 4),
    ],
)
def test_repairs_name_their_line(text: str, line: int) -> None:
    """A repair points at the line of the file, from 1."""
    assert split_page(text, KEYS).repairs[0][0] == line


@pytest.mark.parametrize(
    ("value", "text", "items"),
    [
        (None, "", ()),
        ("", "", ()),
        (" a ", "a", ("a",)),
        (["a", "", "b", "a"], "a、、b、a", ("a", "b")),
        ({"a": "b"}, "a: b", ("a: b",)),
        ([{"a": "b"}, "c"], "a: b、c", ("a: b", "c")),
        ("x\ud83d", "x\ufffd", ("x\ufffd",)),
    ],
)
def test_values(value: "Value | None", text: str, items: tuple[str, ...]) -> None:
    """A value is available as one text or as a list; a scalar is a list of one."""
    assert text_of(value) == text
    assert list_of(value) == items


def test_fields_survive_json() -> None:
    """Every field is text or lists of text, so that printing it as JSON cannot fail."""
    page = split_page("---\ncreated: 2026-03-15\ntags: [1.0, 2025-01-01, true]\n---\n", KEYS)
    assert json.loads(json.dumps(page.fields)) == page.fields


HOSTILE = {
    "brackets without end": "a: " + "[" * 100_000,
    "JSON of 900 levels": '"title": ' + "[" * 900 + "]" * 900,
    "JSON mappings of 300 levels": '"title": ' + '{"a":' * 300 + "1" + "}" * 300,
    "YAML mappings of 300 levels": "title: " + "{a: " * 300 + "1" + "}" * 300,
    "an alias bomb": "title: a\na: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(60_000)),
}


@pytest.mark.parametrize("block", HOSTILE.values(), ids=HOSTILE)
def test_hostile_front_matter_is_a_repair(block: str) -> None:
    """A hostile front matter is a repair of its page; the body is read."""
    page = split_page(f"---\n{block}\n---\nbody", KEYS)
    assert [kind for _, kind, _ in page.repairs] == ["yaml-refused"]
    assert page.body == "body"
    for value in page.fields.values():
        assert list_of(value)


LONG = {
    "entries and rules": "<!-- entry: tags=[] -->\n## Q: a\n\n---\n\n",
    "headings and code fences": "# a\n```\n",
}


@pytest.mark.parametrize("repeated", LONG.values(), ids=LONG)
def test_long_pages_are_linear(repeated: str) -> None:
    """A long page is split in time that grows with its length."""
    body = repeated * 20_000
    assert split_page(f"---\ntitle: a\n---\n{body}", KEYS).body == body
    assert split_page(f"---\n{body}", KEYS).repairs

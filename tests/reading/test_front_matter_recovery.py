"""Every field of a front matter that YAML refuses is recovered, with its lines."""

import pytest

from indexer.reading.front_matter_recovery import parse_list, recover_fields, unquote

KEYS = frozenset(
    {
        *("platform", "title", "root_cause", "solution", "customers", "source", "tags", "created", "updated"),
        "trigger-keywords",
    }
)

CODE = "```\nexclude group: 'x', module: 'y'\ntags: not a key\n  title: nor this\n```"

RECOVERED = {
    "lines at column 0": (
        "title: 登录\nsolution: 1. 检查\n2. 重连\n\n3. 等待\ntags: [a]",
        {"title": "登录", "solution": "1. 检查\n2. 重连\n\n3. 等待", "tags": ["a"]},
    ),
    "two long fields": (
        "root_cause: 1. a\n2. b\nsolution: 1. c\n2. d\nsource: chat",
        {"root_cause": "1. a\n2. b", "solution": "1. c\n2. d", "source": "chat"},
    ),
    "a code block at column 0": (
        f"solution: 改为\n{CODE}\n即可\ntags: [a]",
        {"solution": f"改为\n{CODE}\n即可", "tags": ["a"]},
    ),
    "code outside a block is no key": (
        "solution: 用\ncurl -X POST https://a/b -d 'x: y'\nexclude group: 'x', module: 'y'\nend\ntags: []",
        {
            "solution": "用\ncurl -X POST https://a/b -d 'x: y'\nexclude group: 'x', module: 'y'\nend",
            "tags": [],
        },
    ),
    "a colon inside": (
        'solution: 返回 {"code": 302}：见 https://a/#b\ntitle: java.lang.Error: x',
        {"solution": '返回 {"code": 302}：见 https://a/#b', "title": "java.lang.Error: x"},
    ),
    "an @ at the head": ("title: @所有人返回811", {"title": "@所有人返回811"}),
    "an unknown escape over several lines": (
        'solution: "添加：\n```\n-rpath,\\$\\$ORIGIN/.\n```\n完"\ntags: [a]',
        {"solution": "添加：\n```\n-rpath,$$ORIGIN/.\n```\n完", "tags": ["a"]},
    ),
    "an escape that means nothing keeps its sign": ('title: "\\d+ 匹配"', {"title": "\\d+ 匹配"}),
    "a key with a hyphen": (
        "title: a\nroot-cause: x\ntrigger-keywords: [@, b]\nsource: c",
        {"title": "a\nroot-cause: x", "trigger-keywords": ["@", "b"], "source": "c"},
    ),
    "a tab behind the colon": ("title:\t登录\nsource:\tchat", {"title": "登录", "source": "chat"}),
    "no space behind the colon": ("title:登录\nsource: chat", {"title": "登录", "source": "chat"}),
    "a full-width colon": ("title：登录\nsource: chat", {"title": "登录", "source": "chat"}),
    "an address is no key": (
        "solution: 见\nsource://a\ntags: [x]",
        {"solution": "见\nsource://a", "tags": ["x"]},
    ),
    "a key-like line in a long value gives way": (
        "solution: 写成\nsource: git\nend\ncustomers: [甲]\nsource: chat\ntags: [a]",
        {"solution": "写成\nsource: git\nend", "customers": ["甲"], "source": "chat", "tags": ["a"]},
    ),
    "the first of two titles": (
        "title: a\nsolution: 写\ntitle: b\n完",
        {"title": "a", "solution": "写\ntitle: b\n完"},
    ),
    "a block scalar": ("solution: |\n  a\n    b\n\n  c\ntags: []", {"solution": "a\n  b\n\nc", "tags": []}),
    "a list of lines": ("tags:\n- a: b\n- 'c'\ntitle: t", {"tags": ["a: b", "c"], "title": "t"}),
    "a list over several lines": (
        'tags: [\n  "a",\n  "b"\n]\ntitle: x: y',
        {"tags": ["a", "b"], "title": "x: y"},
    ),
    "JSON members with a fault": (
        '  "title": "登录"\n  "tags": [\n    "a",\n    "b"\n  ],\n  "created": "2025-02-25",',
        {"title": "登录", "tags": ["a", "b"], "created": "2025-02-25"},
    ),
    "empty fields": ("title:\nroot_cause: \ntags: []", {"title": "", "root_cause": "", "tags": []}),
    "nothing": ("just text", {}),
}


@pytest.mark.parametrize(("block", "fields"), RECOVERED.values(), ids=RECOVERED.keys())
def test_recovers(block: str, fields: dict[str, object]) -> None:
    """Every field is recovered with all its lines, and nothing else becomes a field."""
    assert recover_fields(block, KEYS) == fields


LISTS = {
    "JSON": ('["a", "b, c"]', ["a", "b, c"]),
    "Python": ("['a', 'b, c']", ["a", "b, c"]),
    "Python with an escape": (r"['it\'s', 'b']", ["it's", "b"]),
    "bare": ("[a, b c, @x]", ["a", "b c", "@x"]),
    "numbers stay text": (
        "[0414, 9.10, 0x1F, 190_001, -1002]",
        ["0414", "9.10", "0x1F", "190_001", "-1002"],
    ),
    "words of YAML stay text": ("[no, on, Off, ~, null, y]", ["no", "on", "Off", "~", "null", "y"]),
    "a colon": ("[a: b, c]", ["a: b", "c"]),
    "empty": ("[]", []),
    "empty items fall out": ('["a", "", " "]', ["a"]),
    "brackets and quotes inside": ('["a[0]", "b]"]', ["a[0]", "b]"]),
    "a lone surrogate": (r'["\ud83d", "a"]', ["\ufffd", "a"]),
    "unclosed quote": ('["a, b]', ['"a', "b"]),
}


@pytest.mark.parametrize(("raw", "items"), LISTS.values(), ids=LISTS.keys())
def test_lists(raw: str, items: list[str]) -> None:
    """A list in any of the styles that pages use is read item by item, as text."""
    assert parse_list(raw) == items


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ('"a\\nb"', "a\nb"),
        ('"a\\tb\\"c"', 'a\tb"c'),
        ("'it''s'", "it's"),
        ('"\\u4e2d"', "中"),
        ('"\\ud83d"', "\ufffd"),
        ('"', '"'),
        ("a", "a"),
        ("", ""),
        ('"a', '"a'),
    ],
)
def test_unquote(raw: str, text: str) -> None:
    """One pair of quotes is removed, known escapes are resolved, everything else stays."""
    assert unquote(raw) == text


def test_large_blocks_are_linear() -> None:
    """A block of many lines is read in time that grows with its length."""
    lines = "\n".join(f"title: {n}" for n in range(20_000))
    assert recover_fields(lines, KEYS)["title"].startswith("0\n")

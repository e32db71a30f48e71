"""YAML whose scalars stay text, and the limits of a document."""

from importlib.resources import as_file
from typing import Any

import pytest
import yaml

from indexer import yaml_text
from indexer.data import VOCABULARY
from indexer.yaml_text import MAX_DEPTH, YamlRefused, load_strings, parse_yaml

TEXTS: dict[str, tuple[str, Any]] = {
    "numbers": ("[0414, 9.10, 0x1F, 190_001, 12:30, -1002]", ["0414", "9.10", "0x1F", "190_001", "12:30", "-1002"]),
    "words for truth and nothing": ("[no, on, Off, ~, null]", ["no", "on", "Off", "~", "null"]),
    "dates": ("{created: 2025-02-31}", {"created": "2025-02-31"}),
    "an empty value": ("a:\n", {"a": ""}),
    "keys that are no scalars": ("? [x]\n: y\n", {"['x']": "y"}),
    "an alias": ("a: &x [b]\nc: *x\n", {"a": ["b"], "c": ["b"]}),
    "nothing": ("", None),
}


@pytest.mark.parametrize(("text", "value"), TEXTS.values(), ids=TEXTS)
def test_scalars_stay_text(text: str, value: Any) -> None:
    """Every scalar is text as it is written."""
    assert load_strings(text) == value


DUPLICATES: dict[str, tuple[str, Any, tuple[tuple[int, str], ...]]] = {
    "none": ("a: 1\nb: {a: 1}\n", {"a": "1", "b": {"a": "1"}}, ()),
    "at the top": ("a: 1\nb: 2\na: 3\n", {"a": "3", "b": "2"}, ((3, "a"),)),
    "three times": ("a: 1\na: 2\na: 3\n", {"a": "3"}, ((2, "a"),)),
    "in a list of mappings": ("- {a: 1}\n- a: 1\n  a: 2\n", [{"a": "1"}, {"a": "2"}], ((3, "a"),)),
    "in a value that a duplicate replaces": ("a: {b: 1, b: 2}\na: c\n", {"a": "c"}, ((1, "b"), (2, "a"))),
    "behind an alias": ("a: &x {b: 1, b: 2}\nc: *x\n", {"a": {"b": "2"}, "c": {"b": "2"}}, ((1, "b"),)),
}


@pytest.mark.parametrize(("text", "value", "duplicates"), DUPLICATES.values(), ids=DUPLICATES)
def test_duplicate_keys(text: str, value: Any, duplicates: tuple[tuple[int, str], ...]) -> None:
    """A key that its mapping already has is reported once, with its line; the last value is kept."""
    document = parse_yaml(text)
    assert (document.value, document.duplicate_keys) == (value, duplicates)


def _bomb(levels: int) -> str:
    lines = [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, levels)]
    return "\n".join(["a0: &a0 [x, x]", *lines])


def _nested(levels: int) -> str:
    return "[" * levels + "]" * levels


REFUSED: dict[str, tuple[str, str, int | None]] = {
    "no YAML": ("a: b\nc: [\n", "did not find expected node content", 3),
    "a control character": ("a: x\x08", "unacceptable character", 0),
    "a lone surrogate": ("a: \ud83d", "surrogates not allowed", 0),
    "an alias bomb": (_bomb(30), "aliases that repeat more than 100000 values", 0),
    "an alias that contains itself": ("a: &a [*a]", "values nested more than 100 levels deep", 0),
    "one level too many": (_nested(MAX_DEPTH + 1), "values nested more than 100 levels deep", 0),
    "nesting without end": ("a: " + "[" * 100_000, "nest", None),
}


@pytest.mark.parametrize(("text", "message", "line"), REFUSED.values(), ids=REFUSED)
def test_refused(text: str, message: str, line: int | None) -> None:
    """A text that is not YAML or exceeds a limit is refused in one line, with the number of the line at fault.

    The number is 0 if it is not known; for endless nesting it depends on the parser.
    """
    with pytest.raises(YamlRefused, match=message) as caught:
        load_strings(text)
    assert line is None or caught.value.line == line
    assert "\n" not in str(caught.value)


def test_large_documents_are_read() -> None:
    """The limit of aliases does not count values that are written out, nor does the limit of levels at its edge."""
    large = load_strings("a: &x [b]\nc: *x\n" + "".join(f"k{n}: [a, b]\n" for n in range(40_000)))
    assert len(large) == 40_002
    assert load_strings(_nested(MAX_DEPTH))


@pytest.mark.parametrize("text", [text for text, *_ in (*TEXTS.values(), *DUPLICATES.values())])
def test_both_parsers_agree(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """libyaml and pure Python give the same document, so that a build does not depend on the machine."""
    pure = type(
        "Pure",
        (yaml.BaseLoader,),
        {"resolve": lambda *_: "", "descend_resolver": lambda *_: None, "ascend_resolver": lambda *_: None},
    )
    with_c = parse_yaml(text)
    monkeypatch.setattr(yaml_text, "_TextLoader", pure)
    assert parse_yaml(text) == with_c


def test_vocabulary_has_no_duplicate_keys() -> None:
    """No value of the project's own vocabulary files is hidden by a later one."""
    with as_file(VOCABULARY) as folder:
        pages = list(folder.rglob("*.yaml"))
        found = {page.name: parse_yaml(page.read_text("utf-8")).duplicate_keys for page in pages}
    assert len(pages) > 10
    assert {name: keys for name, keys in found.items() if keys} == {}

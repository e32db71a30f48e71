"""Documents as JSON, YAML or text. YAML is written without a YAML library, and a YAML reader gives the same back."""

import io
import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from query.output import default_format, emit, render

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    | st.sampled_from(
        ["null", "No", "on", "~", "1_000", "0x1F", "12:30", "2026-01-02", "a: b", "- a", "a #b", " a", "a "]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab弹 -:", max_size=4), inner, max_size=3),
)
DOCUMENTS = st.dictionaries(st.text("abc弹_", min_size=1, max_size=4), VALUES, min_size=1, max_size=4)


@given(DOCUMENTS)
def test_yaml_round_trip(document: dict[str, Any]) -> None:
    """PyYAML reads back the document that was written."""
    assert yaml.safe_load(render(document, "yaml", "")) == document


@given(DOCUMENTS)
def test_json_round_trip(document: dict[str, Any]) -> None:
    """A JSON reader gives the same document."""
    shown = render(document, "json", "")
    assert json.loads(shown) == document


@pytest.mark.parametrize(
    "character", ["\x7f", "\x85", "\x9f", "\u2028", "\u2029", "\ufeff", "\ufffe", "\uffff", "\0", "\x1b"]
)
def test_yaml_of_awkward_characters(character: str) -> None:
    """Characters that a YAML reader would refuse or take for a line end are read as they were."""
    assert yaml.safe_load(render({"a": f"x{character}y"}, "yaml", "")) == {"a": f"x{character}y"}


def test_json_keeps_chinese() -> None:
    """Chinese is not escaped in JSON."""
    assert render({"a": "弹幕"}, "json", "") == '{\n  "a": "弹幕"\n}'


def stream(encoding: str) -> io.TextIOWrapper:
    """A stream of some encoding."""
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "utf-8", "latin-1"])
def test_emit_writes_utf_8(encoding: str) -> None:
    """A stream of any encoding gets UTF-8 with one line end."""
    target = stream(encoding)
    emit("📚 弹幕\n\n", target)
    assert target.buffer.getvalue() == "📚 弹幕\n".encode()  # type: ignore[attr-defined]


def test_emit_replaces_lone_surrogates() -> None:
    """A lone surrogate in a text is replaced, and no error."""
    target = stream("utf-8")
    emit("a\ud83db", target)
    assert target.buffer.getvalue() == b"a?b\n"  # type: ignore[attr-defined]


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def test_default_format() -> None:
    """The format is text on a terminal, JSON elsewhere."""
    assert default_format(Terminal()) == "text"
    assert default_format(io.StringIO()) == "json"

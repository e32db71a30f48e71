"""A typed text becomes valid text."""

import pytest

from query.limits import sanitize_text


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("弹幕", "弹幕"),
        ("", ""),
        ("\udce5\udcbc\udcb9", "弹"),
        ("a\udcffb", "a\ufffdb"),
        ("\ud83d", "\ufffd"),
        ("x\udc00", "x\ufffd"),
        ("😀", "😀"),
    ],
)
def test_sanitize_text(typed: str, text: str) -> None:
    """Bytes that the locale could not decode are read as UTF-8; lone surrogates are replaced."""
    assert sanitize_text(typed) == text

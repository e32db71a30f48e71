"""What is read of a text that somebody typed: readable characters, and only so many of them."""

import re

#: A longer question is cut here: agents paste logs, and what they ask stands at the beginning (cases.md A10).
MAX_CHARACTERS = 2000
#: Surrogates that stand for no byte of the command line.
_STRAY = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def sanitize_text(typed: str) -> str:
    """An argument as text: what the locale could not decode is read as UTF-8, lone surrogates are replaced (A9, E5)."""
    return _STRAY.sub("\ufffd", typed).encode("utf-8", "surrogateescape").decode("utf-8", "replace")

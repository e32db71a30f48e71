"""What of a typed text is read: valid characters, and at most ``MAX_CHARACTERS`` of them."""

import re

#: The rest of a longer query is not read. Agents paste whole logs, and the question comes first.
MAX_CHARACTERS = 2000
_LONE_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def sanitize_text(typed: str) -> str:
    """An argument as valid text: bytes that the locale could not decode are read as UTF-8, else replaced."""
    return _LONE_SURROGATE.sub("\ufffd", typed).encode("utf-8", "surrogateescape").decode("utf-8", "replace")

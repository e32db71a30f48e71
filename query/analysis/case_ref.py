"""References of NIM units: the path of the file, and behind a ``#`` the number of an entry in it."""

import re

_ENTRY = re.compile(r"(.+)#([0-9]{1,9})", re.DOTALL)


def case_ref(path: str, entry: int | None) -> str:
    """``knowledge/….md`` for a file that is one case (entry 0 or None), else ``knowledge/….md#3``."""
    return f"{path}#{entry}" if entry else path


def parse_case_ref(reference: str) -> tuple[str, int]:
    """The path and the entry; the inverse of ``case_ref``."""
    match = _ENTRY.fullmatch(reference)
    return (match[1], int(match[2])) if match else (reference, 0)

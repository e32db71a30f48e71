"""How a NIM unit is called: its path, and behind a ``#`` the number of its entry where its file has several."""

import re

_ENTRY = re.compile(r"(.+)#([0-9]{1,9})", re.DOTALL)


def case_ref(path: str, entry: int | None) -> str:
    """``knowledge/….md``, or ``knowledge/….md#3``; no entry (0, None) is a file that is one case."""
    return f"{path}#{entry}" if entry else path


def parse_case_ref(place: str) -> tuple[str, int]:
    """The path and the entry of a place; the inverse of ``place_of``."""
    match = _ENTRY.fullmatch(place)
    return (match[1], int(match[2])) if match else (place, 0)

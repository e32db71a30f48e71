"""A base is found by the words that it uses itself: identifiers, names of slices, and two names at once."""

import itertools
import re
from collections import defaultdict
from pathlib import Path

import pytest
from query_support import answer

from query.analysis.normalize import keys
from query.index import open_index

#: Identifiers of source code that a page contains: camel case, or a symbolic error code.
_IDENTIFIER = re.compile(
    r"(?<![A-Za-z0-9_./-])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z]+[A-Z][A-Za-z0-9]*|ERR_[A-Z0-9_]+)(?![A-Za-z0-9_/-])"
)
_PAGES = "SELECT slice_id, text FROM slice_page JOIN slice ON slice.id = slice"
_NAMES = "SELECT slice_id, name FROM slice WHERE NOT planned"
_TAG_KEYS = "SELECT key FROM slice_tag"
#: The smallest share of identifiers whose slice is first.
FIRST_AT_LEAST = 0.93
#: Pairs of names are tried at this distance from each other in the base's order, so that all names take part.
_DISTANCES = (1, 5)


@pytest.fixture(params=["sample_db", "real_db", "split_db"])
def db(request: pytest.FixtureRequest) -> Path:
    """The sample, and the real base in both layouts where it is beside this checkout."""
    path: Path = request.getfixturevalue(request.param)
    return path


def _slices_of_identifiers(db: Path) -> dict[str, set[str]]:
    """Each identifier that is in at most two slices, and is no tag, with those slices."""
    slices: dict[str, set[str]] = defaultdict(set)
    with open_index(db) as index:
        tags = {key for (key,) in index.rows(_TAG_KEYS)}
        for slice_id, text in index.rows(_PAGES):
            for identifier in _IDENTIFIER.findall(text):
                slices[identifier].add(slice_id)
    return {
        identifier: found
        for identifier, found in sorted(slices.items())
        if len(found) <= 2 and tags.isdisjoint(keys(identifier, {}))
    }


def test_identifiers(db: Path) -> None:
    """Asked alone, an identifier finds a slice that contains it first, and none without it with high confidence."""
    misses, wrong = [], []
    slices = _slices_of_identifiers(db)
    for identifier, wanted in slices.items():
        matches = answer(db, identifier)["matches"]
        if not matches or matches[0]["slice_id"] not in wanted:
            misses.append(identifier)
        wrong += [identifier for m in matches if m["confidence"] == "high" and m["slice_id"] not in wanted]
    assert len(misses) <= (1 - FIRST_AT_LEAST) * len(slices), misses
    assert wrong == []


def test_names(db: Path) -> None:
    """Asked alone, the name of a slice finds a slice of that name first."""
    with open_index(db) as index:
        names = index.rows(_NAMES)
    for slice_id, name in names:
        same = {other for other, its_name in names if its_name == name}
        found = [match["slice_id"] for match in answer(db, name)["matches"]]
        assert same.intersection(found[:1]), (name, slice_id, found)


def test_two_names(db: Path) -> None:
    """Two names joined by 和 or 并且 find both slices."""
    with open_index(db) as index:
        names = index.rows(_NAMES)
    joiners = itertools.cycle(("和", "并且"))
    for distance in _DISTANCES:
        for (one, first), (other, second) in zip(names, names[distance:], strict=False):
            query = f"{first}{next(joiners)}{second}"
            found = {match["slice_id"] for match in answer(db, query)["matches"]}
            assert first == second or {one, other} <= found, (query, found)

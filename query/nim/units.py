"""Units by number -> what an answer shows of them, and what orders them (decisions 14-16).

The texts of every unit that Jaccard compares, for modes whose token sets the file does not hold.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from query.analysis.case_ref import case_ref
from query.analysis.normalize import normalize
from query.analysis.tokens import GENERIC_TAGS, fold_tag
from query.index import Index, as_json

_UNITS = """
SELECT id, path, entry, track_type, scope, feature_folder, title, display_title, product, feature, platform, root_cause,
  solution, answered, created, updated, frequency, copy_of
FROM nim_unit WHERE copy_of IN (SELECT copy_of FROM nim_unit WHERE id IN (SELECT value FROM json_each(?))) ORDER BY id
"""
_CUSTOMERS = """
SELECT unit, customer FROM nim_customer WHERE unit IN (SELECT value FROM json_each(?)) ORDER BY unit, position
"""
_PLATFORMS = (
    "SELECT unit, platform FROM nim_platform WHERE unit IN (SELECT value FROM json_each(?)) ORDER BY unit, platform"
)


class UnitRow(NamedTuple):
    """One unit as the file holds it."""

    unit: int
    path: str
    entry: int
    track_type: str
    scope: str
    feature_folder: str
    raw_title: str
    title: str
    product: str
    feature: str
    platform: str
    root_cause: str
    solution: str
    answered: int
    created: str
    updated: str
    frequency: int
    copy_of: int
    platforms: tuple[str, ...]
    customers: tuple[str, ...]

    def titled(self, literal: bool) -> str:
        """The title that is matched and printed: ``--literal`` takes a useless one as it is (decisions 7, 7a)."""
        return self.raw_title if literal else self.title

    def is_answered(self, literal: bool) -> bool:
        """Whether there is an answer; to ``--literal`` a placeholder is one (decisions 6, 7a)."""
        return bool(self.solution) if literal else bool(self.answered)

    @property
    def place(self) -> str:
        """Path, with the entry's ordinal where there is one."""
        return case_ref(self.path, self.entry)


def load_units(index: Index, units: Iterable[int]) -> Mapping[int, UnitRow]:
    """The units asked for and all their copies."""
    rows = index.rows(_UNITS, (as_json(sorted(units)),))
    numbers = as_json(row[0] for row in rows)
    customers, platforms = index.lists(_CUSTOMERS, (numbers,)), index.lists(_PLATFORMS, (numbers,))
    return {
        row[0]: UnitRow(*(*row, tuple(platforms.get(row[0], ())), tuple(customers.get(row[0], ())))) for row in rows
    }


_COMPARED_TEXTS = """
SELECT nim_unit.id, is_trouble, has_cause, nim_unit.title, display_title,
  root_cause, solution, answered, product, platform
FROM nim_unit JOIN nim_set ON nim_set.unit = nim_unit.id ORDER BY nim_unit.id
"""
_TAGS = "SELECT unit, tag FROM nim_tag ORDER BY unit, position"
_ALL_PLATFORMS = "SELECT unit, platform FROM nim_platform ORDER BY unit"


class UnitTexts(NamedTuple):
    """What of a unit is compared (decisions 3-7), as texts."""

    unit: int
    is_trouble: bool
    has_cause: bool
    title: str
    tags: tuple[str, ...]
    conclusion: str


def uncompiled_texts(index: Index, literal: bool) -> Iterator[UnitTexts]:
    """Every unit, in simplified characters; ``literal`` keeps those, placeholders, raw titles and all tags (7a)."""
    fold = partial(normalize, variants=index.variants)
    tags = index.lists(_TAGS)
    platforms = index.lists(_ALL_PLATFORMS)
    for unit, trouble, has_cause, title, shown, cause, solution, answered, *own in index.rows(_COMPARED_TEXTS):
        mine = tags.get(unit, [])
        if literal:
            conclusion = f"{cause} {solution}" if cause else ""
            yield UnitTexts(unit, bool(trouble), bool(cause), title, tuple(mine), conclusion)
            continue
        names = GENERIC_TAGS | {fold_tag(name) for name in (*own, *platforms.get(unit, ()))}
        kept = tuple(fold(tag) for tag in mine if fold_tag(tag) not in names)
        conclusion = " ".join(text for text, real in ((cause, has_cause), (solution, answered)) if real and has_cause)
        yield UnitTexts(unit, bool(trouble), bool(has_cause), fold(shown), kept, fold(conclusion))

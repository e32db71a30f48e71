"""Units by number -> what an answer shows of them, and what orders them (decisions 14-16)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fileformat.places import place_of
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
        return place_of(self.path, self.entry)


def load_units(index: Index, units: Iterable[int]) -> Mapping[int, UnitRow]:
    """The units asked for and all their copies."""
    rows = index.rows(_UNITS, (as_json(sorted(units)),))
    numbers = as_json(row[0] for row in rows)
    customers, platforms = index.lists(_CUSTOMERS, (numbers,)), index.lists(_PLATFORMS, (numbers,))
    return {
        row[0]: UnitRow(*(*row, tuple(platforms.get(row[0], ())), tuple(customers.get(row[0], ())))) for row in rows
    }

"""The units of the index: what an answer shows of them, their copies, and the texts that are compared."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from query.analysis.case_ref import case_ref
from query.analysis.normalize import normalize
from query.analysis.tokens import GENERIC_TAGS, fold_tag
from query.index import Index, as_json
from query.nim.contract import Case, Request

_UNITS = """
SELECT id, path, entry, track_type, scope, feature_folder, title, display_title, product, feature, platform, root_cause,
  solution, answered, created, updated, frequency, copy_of
FROM nim_unit WHERE copy_of IN (SELECT copy_of FROM nim_unit WHERE id IN (SELECT value FROM json_each(?))) ORDER BY id
"""
_CUSTOMERS = """
SELECT unit, customer FROM nim_customer WHERE unit IN (SELECT value FROM json_each(?)) ORDER BY unit, position
"""
_PLATFORMS = """
SELECT unit, platform FROM nim_platform WHERE unit IN (SELECT value FROM json_each(?)) ORDER BY unit, platform
"""
_COMPARED_TEXTS = """
SELECT nim_unit.id, is_trouble, has_cause, nim_unit.title, display_title, root_cause, solution, answered, product,
  platform
FROM nim_unit JOIN nim_set ON nim_set.unit = nim_unit.id ORDER BY nim_unit.id
"""
_ALL_TAGS = "SELECT unit, tag FROM nim_tag ORDER BY unit, position"
_ALL_PLATFORMS = "SELECT unit, platform FROM nim_platform ORDER BY unit"
_DATE = re.compile(r"\s*(\d{4})(?:\D?(\d{1,2})(?:\D?(\d{1,2}))?)?")


class UnitRow(NamedTuple):
    """One unit as the index stores it. ``standard_product`` is the standard product that its folder belongs to."""

    unit: int
    path: str
    entry: int
    track_type: str
    standard_product: str
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

    def shown_title(self, literal: bool) -> str:
        """The title that is compared and printed; with ``literal``, a useless one too."""
        return self.raw_title if literal else self.title

    def is_answered(self, literal: bool) -> bool:
        """Whether the unit has an answer; with ``literal``, a placeholder is one."""
        return bool(self.solution) if literal else bool(self.answered)

    def copy_group(self, literal: bool) -> int:
        """The same number for all copies of one case; with ``literal``, no unit is a copy of another."""
        return self.unit if literal else self.copy_of


def load_units(index: Index, units: Iterable[int]) -> Mapping[int, UnitRow]:
    """The given units and all their copies, by number."""
    rows = index.rows(_UNITS, (as_json(units),))
    numbers = as_json(row[0] for row in rows)
    customers, platforms = index.lists(_CUSTOMERS, (numbers,)), index.lists(_PLATFORMS, (numbers,))
    return {
        row[0]: UnitRow(*(*row, tuple(platforms.get(row[0], ())), tuple(customers.get(row[0], ())))) for row in rows
    }


def date_key(date: str) -> tuple[int, ...]:
    """A sort key of a written date: ``2025-1-5``, ``2025/01/05`` and ``20250105`` are the same day.

    A date without a day sorts before every day of its month, and text that is no date before everything.
    """
    match = _DATE.match(date)
    return tuple(int(part or 0) for part in match.groups()) if match else (0, 0, 0)


def merged_case(row: UnitRow, units: Mapping[int, UnitRow], request: Request, **judged: Any) -> Case:
    """The case of a unit, with its copies among ``units`` merged into it (docs/decisions/nim.md#copies).

    The path of a copy inside the requested product is preferred. ``judged`` are the fields of ``Case`` that depend on
    the request: grade, score, scores, shortfall.
    """
    literal = request.modes.literal
    group = row.copy_group(literal)
    copies = sorted(
        (other for other in units.values() if other.copy_group(literal) == group),
        key=lambda other: (other.standard_product != request.product, other.unit != row.unit, other.path, other.entry),
    )
    first = copies[0]
    return Case(
        path=first.path,
        entry=first.entry,
        track_type=row.track_type,
        title=row.shown_title(literal),
        product=first.product,
        feature=first.feature,
        platform=first.platform,
        root_cause=row.root_cause,
        solution=row.solution,
        answered=row.is_answered(literal),
        customers=tuple(dict.fromkeys(customer for copy in copies for customer in copy.customers)),
        updated=max((copy.updated or copy.created for copy in copies), key=date_key),
        frequency=sum(copy.frequency for copy in copies),
        duplicates=tuple(case_ref(copy.path, copy.entry) for copy in copies[1:]),
        **judged,
    )


class ComparedTexts(NamedTuple):
    """The texts of a unit that are compared, in simplified characters except with ``literal``."""

    unit: int
    is_trouble: bool
    has_cause: bool
    title: str
    tags: tuple[str, ...]
    conclusion: str


def compared_texts(index: Index, literal: bool) -> Iterator[ComparedTexts]:
    """The compared texts of every unit: without placeholders, generic tags and its own product and platforms.

    ``literal`` keeps them, and useless titles too.
    """
    tags, platforms = index.lists(_ALL_TAGS), index.lists(_ALL_PLATFORMS)
    fold = partial(normalize, variants=index.variants)
    for unit, trouble, has_cause, title, shown, cause, solution, answered, *own in index.rows(_COMPARED_TEXTS):
        unit_tags = tags.get(unit, [])
        if literal:
            conclusion = f"{cause} {solution}" if cause else ""
            yield ComparedTexts(unit, bool(trouble), bool(cause), title, tuple(unit_tags), conclusion)
            continue
        removed = GENERIC_TAGS | {fold_tag(name) for name in (*own, *platforms.get(unit, ()))}
        kept = tuple(fold(tag) for tag in unit_tags if fold_tag(tag) not in removed)
        conclusion = " ".join((cause, solution) if answered else (cause,)) if has_cause else ""
        yield ComparedTexts(unit, bool(trouble), bool(has_cause), fold(shown), kept, fold(conclusion))

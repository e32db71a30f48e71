"""Two indexes -> what was added, removed, moved and changed between them. SQL compares, Python groups."""

from typing import Any

from query.diff.sections import SECTIONS, Section
from query.index import Index
from query.integrity import DIGEST_KEY, STORAGE_HASH_KEY, content_tables

#: The lists of a section, in the order in which they are printed: items added, removed, moved and changed.
KINDS = ("came", "went", "moved", "changed")
#: Identity -> values of the fields, in the order of the sources.
Items = dict[str, tuple[Any, ...]]

_DIFFERENT_ROWS = """
SELECT * FROM (SELECT * FROM main."{0}" EXCEPT SELECT * FROM new."{0}")
UNION ALL SELECT * FROM (SELECT * FROM new."{0}" EXCEPT SELECT * FROM main."{0}")
"""
#: The items of one file that the other lacks or has with other values, in the order of the sources.
_DIFFERENT_ITEMS = """
WITH one (id, position, {fields}) AS ({one}), other (id, position, {fields}) AS ({other})
SELECT id, {fields} FROM one
WHERE id IN (SELECT id FROM (SELECT id, {fields} FROM one EXCEPT SELECT id, {fields} FROM other)) ORDER BY position
"""


def diff(old: Index, new: Index) -> dict[str, Any]:
    """The document of ``rtckb diff``.

    ``equal``: both files have the same content. ``tables`` names every table whose rows differ, ``build`` every fact
    of the build that does. Each section of ``SECTIONS`` names items and fields. No text of the sources is in the
    document, since a case may hold what must not be in a pull request.

    Raises:
        IndexUnreadable: one of the files is damaged.
    """
    old.attach(new, "new")
    facts = {key for key, _ in old.rows(_DIFFERENT_ROWS.format("meta"))} - {DIGEST_KEY, STORAGE_HASH_KEY}
    tables = {*old.computed(content_tables)} ^ {*new.computed(content_tables)}
    shared = {*old.computed(content_tables)} - tables - {"meta"}
    tables |= {table for table in shared if old.rows(f"{_DIFFERENT_ROWS.format(table)} LIMIT 1")}
    return {
        "equal": not (tables or facts),
        "old": old.meta[DIGEST_KEY],
        "new": new.meta[DIGEST_KEY],
        "build": sorted(key for key in facts if not key.startswith("count.")),  # counts follow from the rest
        "tables": sorted(tables | {"meta"} if facts else tables),
        **{name: _compared(old, section) for name, section in SECTIONS.items()},
    }


def _compared(index: Index, section: Section) -> dict[str, list[Any]]:
    removed, added = _different(index, section, "main", "new"), _different(index, section, "new", "main")
    moved = _moved(removed, added) if section.moves else {}
    for source, target in moved.items():
        del removed[source], added[target]
    return {
        "came": [identity for identity in added if identity not in removed],
        "went": [identity for identity in removed if identity not in added],
        "moved": [{"from": source, "to": target} for source, target in moved.items()],
        "changed": [
            {"id": identity, "fields": _changed_fields(section, removed[identity], values)}
            for identity, values in added.items()
            if identity in removed
        ],
    }


def _different(index: Index, section: Section, schema: str, other_schema: str) -> Items:
    """The items of one file that the other does not have with equal values."""
    one, other = (section.select.replace("@", f"{name}.") for name in (schema, other_schema))
    sql = _DIFFERENT_ITEMS.format(fields=", ".join(section.fields), one=one, other=other)
    return {identity: tuple(values) for identity, *values in index.rows(sql)}


def _moved(removed: Items, added: Items) -> dict[str, str]:
    """Old -> new identity of equal content. Of several equal items the first moves to the first, and so on."""
    targets: dict[tuple[Any, ...], list[str]] = {}
    for identity, values in reversed(added.items()):
        targets.setdefault(values, []).append(identity)
    return {identity: targets[values].pop() for identity, values in removed.items() if targets.get(values)}


def _changed_fields(section: Section, old: tuple[Any, ...], new: tuple[Any, ...]) -> list[str]:
    return [name for name, before, after in zip(section.fields, old, new, strict=True) if before != after]

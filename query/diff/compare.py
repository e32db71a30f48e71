"""Two indexes -> what came, went, moved and changed between them."""

from typing import Any

from query.diff.sections import SECTIONS, Items, Section
from query.index import Index
from query.integrity import DIGEST_KEY, STORAGE_HASH_KEY, table_digests

#: How a thing can differ, in the order in which it is told.
KINDS = ("came", "went", "moved", "changed")


def diff(old: Index, new: Index) -> dict[str, Any]:
    """The document of ``rtckb diff``.

    ``equal``: both files say the same, whatever SQLite wrote them. ``tables`` names every table whose rows differ,
    ``build`` the facts of the build that do; each section of ``SECTIONS`` then tells identities and names of fields,
    never texts: a case may hold what a pull request should not.

    Raises:
        IndexUnreadable: one of the files is damaged.
    """
    before, after = old.computed(table_digests), new.computed(table_digests)
    tables = sorted(table for table in before.keys() | after.keys() if before.get(table) != after.get(table))
    return {
        "equal": not tables,
        "old": old.meta[DIGEST_KEY],
        "new": new.meta[DIGEST_KEY],
        "build": _build_facts(old.meta, new.meta),
        "tables": tables,
        **{name: _compared(section, old, new) for name, section in SECTIONS.items()},
    }


def _build_facts(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """What differs in meta, without the hashes and without the counts, which follow from the rest."""
    names = sorted((old.keys() | new.keys()) - {DIGEST_KEY, STORAGE_HASH_KEY})
    return [name for name in names if not name.startswith("count.") and old.get(name) != new.get(name)]


def _compared(section: Section, old: Index, new: Index) -> dict[str, list[Any]]:
    had, has = section.items(old), section.items(new)
    gone = {identity: fields for identity, fields in had.items() if has.get(identity) != fields}
    fresh = {identity: fields for identity, fields in has.items() if had.get(identity) != fields}
    moved = _moved(gone, fresh) if section.moves else {}
    for source, target in moved.items():
        del gone[source], fresh[target]
    return {
        "came": [identity for identity in fresh if identity not in gone],
        "went": [identity for identity in gone if identity not in fresh],
        "moved": [{"from": source, "to": target} for source, target in moved.items()],
        "changed": [
            {"id": identity, "fields": [name for name, value in fields.items() if gone[identity][name] != value]}
            for identity, fields in fresh.items()
            if identity in gone
        ],
    }


def _moved(gone: Items, fresh: Items) -> dict[str, str]:
    """Old -> new identity of equal content; of several equal ones the first goes to the first, and so on."""
    places: dict[str, list[str]] = {}
    for identity, fields in reversed(fresh.items()):
        places.setdefault(repr(fields), []).append(identity)
    return {identity: places[content].pop() for identity, fields in gone.items() if places.get(content := repr(fields))}

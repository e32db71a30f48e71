"""What ``diff`` compares: for each kind of thing, the SQL that gives its identity and its fields."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from query.index import Index

#: Identity -> field -> value, in the order of the sources.
Items = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Section:
    """One kind of thing.

    ``rows`` selects the identity and then ``fields``; each of ``lists`` selects an identity and one value of that
    field. ``moves``: what has equal content under another identity is the same thing, moved.
    """

    rows: str
    fields: tuple[str, ...] = ()
    lists: Mapping[str, str] = field(default_factory=dict)
    moves: bool = False

    def items(self, index: Index) -> Items:
        """What one index has."""
        lists = {name: index.lists(sql) for name, sql in self.lists.items()}
        return {
            identity: dict(zip(self.fields, values, strict=True))
            | {name: found.get(identity, []) for name, found in lists.items()}
            for identity, *values in index.rows(self.rows)
        }


#: Columns of nim_unit that a source file gives; the others follow from these, from the path or from the position.
UNIT_FIELDS = (
    *("track_type", "sub_type", "product", "feature", "platform", "title", "display_title", "description"),
    *("root_cause", "solution", "answered", "details", "source", "created", "updated", "frequency"),
)
_NAMED = ("name", "description", "file", "planned")
_OF_SLICE = "SELECT slice.slice_id, {value} FROM {table} t JOIN slice ON slice.id = t.slice {more} ORDER BY {order}"
_OF_CODE = (
    "SELECT slice_id || ' ' || code, {value} FROM error_code e JOIN slice ON slice.id = e.slice"
    " LEFT JOIN slice_page page ON page.id = e.page GROUP BY 1, 2 ORDER BY min(e.id)"
)
#: The rule of fileformat/places.py.
_UNIT = "path || CASE entry WHEN 0 THEN '' ELSE '#' || entry END"
_OF_UNIT = f"SELECT {_UNIT}, {{0}} FROM nim_{{0}} JOIN nim_unit ON id = unit ORDER BY unit, {{1}}"  # noqa: S608  # names from this file


def _of_slice(value: str, table: str, order: str, more: str = "") -> str:
    return _OF_SLICE.format(value=value, table=table, order=f"t.slice, {order}", more=more)


SECTIONS = {
    "products": Section(
        "SELECT product_id, name, description, llms_file FROM product ORDER BY id",
        ("name", "description", "llms_file"),
    ),
    "slices": Section(
        "SELECT slice_id, name, description, file, planned FROM slice ORDER BY id",
        _NAMED,
        {
            "tags": _of_slice("tag", "slice_tag", "position"),
            "platforms": _of_slice("platform", "slice_platform", "platform"),
            "pages": _of_slice("path || char(0) || text", "slice_page", "t.id"),
            "related": _of_slice(
                "other.slice_id", "slice_related", "position", "JOIN slice other ON other.id = t.related"
            ),
        },
    ),
    "slice_tags": Section(
        "SELECT slice_id || ' ' || tag, origin FROM slice_tag t JOIN slice ON slice.id = t.slice"
        " ORDER BY slice.id, position",
        ("origin",),
    ),
    "error_codes": Section(
        "SELECT slice_id || ' ' || code FROM error_code e JOIN slice ON slice.id = e.slice"
        " GROUP BY 1 ORDER BY min(e.id)",
        lists={
            "place": _OF_CODE.format(value="place"),
            "section": _OF_CODE.format(value="section"),
            "text": _OF_CODE.format(value="e.text"),
            "page": _OF_CODE.format(value="coalesce(page.path, '')"),
        },
    ),
    "pages": Section("SELECT path, text FROM slice_page ORDER BY id", ("text",), moves=True),
    "relations": Section(
        "SELECT relation_id, description FROM relation ORDER BY id",
        ("description",),
        {
            "products": "SELECT relation_id, product_id FROM relation r JOIN relation_product p ON r.id = p.relation"
            " ORDER BY r.id, product_id",
            "slices": "SELECT relation_id, slice_id FROM relation r JOIN relation_slice s ON r.id = s.relation"
            " JOIN slice ON slice.id = s.slice ORDER BY r.id, position",
        },
    ),
    "scenarios": Section(
        "SELECT scenario_id, name, description, file, planned, text FROM scenario ORDER BY id",
        (*_NAMED, "text"),
        {
            "slices": "SELECT scenario_id, slice_id FROM scenario JOIN scenario_slice s ON scenario.id = s.scenario"
            " JOIN slice ON slice.id = s.slice ORDER BY scenario.id, position"
        },
    ),
    "cases": Section(
        f"SELECT {_UNIT}, {', '.join(UNIT_FIELDS)} FROM nim_unit ORDER BY id",  # noqa: S608  # names from this file
        UNIT_FIELDS,
        {
            "tags": _OF_UNIT.format("tag", "position"),
            "customers": _OF_UNIT.format("customer", "position"),
            "platforms": f"SELECT {_UNIT}, n.platform FROM nim_platform n JOIN nim_unit ON id = unit ORDER BY 1, 2",  # noqa: S608  # names from this file
        },
        moves=True,
    ),
    "nim_tags": Section("SELECT DISTINCT tag FROM nim_tag ORDER BY tag"),
}

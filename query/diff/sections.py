"""What ``diff`` compares: one statement per kind of item, which selects the items of one of the two files."""

from typing import NamedTuple

#: The columns of nim_unit that a source file gives. The others follow from these, from the path or from the position.
UNIT_FIELDS = (
    *("track_type", "sub_type", "product", "feature", "platform", "title", "display_title", "description"),
    *("root_cause", "solution", "answered", "details", "source", "created", "updated", "frequency"),
)


class Section(NamedTuple):
    """One kind of item.

    The columns of ``select`` are an item's identity, its position in the sources, and ``fields``. A field of many
    values is a JSON array. ``@`` stands before each table for the schema name of the file. ``moves``: two items of
    equal content and different identity are one item that was moved.
    """

    select: str
    fields: tuple[str, ...]
    moves: bool = False


#: The different values that the mentions of one code in one slice have, in the order of the sources.
_CODE_VALUES = """
(SELECT json_group_array(value) FROM (
  SELECT {} AS value FROM @error_code m LEFT JOIN @slice_page p ON p.id = m.page
  WHERE m.magnitude = e.magnitude AND m.slice = e.slice AND m.code = e.code GROUP BY value ORDER BY min(m.id)
))"""
#: The identity of a unit, as ``case_ref`` writes it.
_UNIT = "path || CASE entry WHEN 0 THEN '' ELSE '#' || entry END"

SECTIONS = {
    "products": Section(
        "SELECT product_id, id, name, description, llms_file FROM @product", ("name", "description", "llms_file")
    ),
    "slices": Section(
        """
        SELECT slice_id, id, name, description, file, planned,
          (SELECT json_group_array(tag) FROM (
            SELECT tag FROM @slice_tag WHERE slice = s.id AND origin != 'name' ORDER BY position)),
          (SELECT json_group_array(platform) FROM (
            SELECT platform FROM @slice_platform WHERE slice = s.id ORDER BY platform)),
          (SELECT json_group_array(json_array(path, text)) FROM (
            SELECT path, text FROM @slice_page WHERE slice = s.id ORDER BY id)),
          (SELECT json_group_array(slice_id) FROM (
            SELECT other.slice_id FROM @slice_related r JOIN @slice other ON other.id = r.related
            WHERE r.slice = s.id ORDER BY position))
        FROM @slice s
        """,
        ("name", "description", "file", "planned", "tags", "platforms", "pages", "related"),
    ),
    "slice_tags": Section(
        """
        SELECT slice_id || ' ' || tag, row_number() OVER (ORDER BY t.slice, position), origin
        FROM @slice_tag t JOIN @slice s ON s.id = t.slice WHERE origin != 'name'
        """,
        ("origin",),
    ),
    "error_codes": Section(
        "SELECT slice_id || ' ' || code, min(e.id), "  # noqa: S608  # statements of this file
        + ", ".join(map(_CODE_VALUES.format, ("m.place", "m.section", "m.text", "coalesce(p.path, '')")))
        + " FROM @error_code e JOIN @slice s ON s.id = e.slice GROUP BY e.slice, code",
        ("place", "section", "text", "page"),
    ),
    "pages": Section("SELECT path, id, text FROM @slice_page", ("text",), moves=True),
    "relations": Section(
        """
        SELECT relation_id, id, description,
          (SELECT json_group_array(product_id) FROM (
            SELECT product_id FROM @relation_product WHERE relation = r.id ORDER BY product_id)),
          (SELECT json_group_array(slice_id) FROM (
            SELECT slice_id FROM @relation_slice t JOIN @slice s ON s.id = t.slice
            WHERE t.relation = r.id ORDER BY position))
        FROM @relation r
        """,
        ("description", "products", "slices"),
    ),
    "scenarios": Section(
        """
        SELECT scenario_id, id, name, description, file, planned, text,
          (SELECT json_group_array(slice_id) FROM (
            SELECT slice_id FROM @scenario_slice t JOIN @slice s ON s.id = t.slice
            WHERE t.scenario = c.id ORDER BY position))
        FROM @scenario c
        """,
        ("name", "description", "file", "planned", "text", "slices"),
    ),
    "cases": Section(
        f"""
        SELECT {_UNIT}, id, {", ".join(UNIT_FIELDS)},
          (SELECT json_group_array(tag) FROM (SELECT tag FROM @nim_tag WHERE unit = u.id ORDER BY position)),
          (SELECT json_group_array(customer) FROM (
            SELECT customer FROM @nim_customer WHERE unit = u.id ORDER BY position)),
          (SELECT json_group_array(platform) FROM (
            SELECT n.platform FROM @nim_platform n WHERE unit = u.id ORDER BY n.platform))
        FROM @nim_unit u
        """,  # noqa: S608  # as above
        (*UNIT_FIELDS, "tags", "customers", "platforms"),
        moves=True,
    ),
    "nim_tags": Section("SELECT DISTINCT tag, tag, tag FROM @nim_tag", ("tag",)),
}

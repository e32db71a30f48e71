"""Where schema.sql lies: beside the packages in a checkout, inside this one in a wheel."""

from importlib.resources import files

NAME = "schema.sql"


def schema_sql() -> str:
    """The whole DDL."""
    packaged = files("indexer").joinpath(NAME)
    place = packaged if packaged.is_file() else files("indexer").joinpath("..", NAME)
    return place.read_text("utf-8")

"""The marks of the file: the constants and schema.sql say the same."""

import re

from fileformat.version import APPLICATION_ID, SCHEMA_VERSION
from indexer.schema import schema_sql


def test_constants_are_those_of_the_schema() -> None:
    """schema.sql sets exactly these two marks."""
    pragmas = dict(re.findall(r"^PRAGMA (\w+) = (\d+);", schema_sql(), re.MULTILINE))
    assert pragmas == {"application_id": str(APPLICATION_ID), "user_version": str(SCHEMA_VERSION)}


def test_application_id_spells_the_name() -> None:
    """The application id is four letters, so that ``file`` and people can read it."""
    assert APPLICATION_ID.to_bytes(4, "big") == b"RTCK"


def test_history_tells_the_version() -> None:
    """The history in schema.sql ends with the version that the code wants."""
    history = re.findall(r"^--   (\d+)  \S", schema_sql(), re.MULTILINE)
    assert [int(number) for number in history] == list(range(1, SCHEMA_VERSION + 1))

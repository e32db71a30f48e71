"""An rtckb file in, answers out. Standard library only, plus click in cli.py.

The bundle's archive, where this runs from one: there the half that writes is missing.
"""

#: The archive that this module was read from, as its loader (indexer/plugin/__main__.py) names it; else None.
ARCHIVE: str | None = getattr(getattr(__spec__, "loader", None), "archive", None)

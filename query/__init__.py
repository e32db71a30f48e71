"""An rtckb file in, answers out. Imports only the standard library and click.

A bundle ships this package as an archive, without the indexer.
"""

#: Path of the archive that this package runs from, as its loader (indexer/package/plugin/__main__.py) sets it; or None.
ARCHIVE: str | None = getattr(getattr(__spec__, "loader", None), "archive", None)

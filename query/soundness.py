"""Whether an index still says what its builder wrote: the two hashes of fileformat/digest.py, computed again."""

import sqlite3

from fileformat.digest import DIGEST_KEY, SEAL_KEY, logical_digest, seal


def mismatch(connection: sqlite3.Connection) -> str:
    """Which hash does not hold, with what is stored and found; empty where both hold.

    Raises:
        sqlite3.Error: the file is damaged.
    """
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    for key, compute in ((DIGEST_KEY, logical_digest), (SEAL_KEY, seal)):
        stored, found = meta.get(key, "none"), compute(connection)
        if stored != found:
            return f"its content does not match its {key} (stored {stored}, found {found})"
    return ""

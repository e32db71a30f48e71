"""The errors of the query half, with the exit code of each.

RtckbError                      1
├── UsageError                  2  an argument outside its documented values
└── IndexUnusable               3
    ├── IndexMissing               no such file
    ├── IndexUnreadable            a folder, no permission, damaged, no FTS5
    ├── NotAnIndex                 empty, or a file of another kind
    ├── IndexTooOld                built by an older version: rebuild
    └── IndexTooNew                built by a newer version: upgrade
"""

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INDEX = 3
#: With --fail-on-no-match, for an empty answer.
EXIT_NO_MATCH = 4
#: With --exit-code, for files that differ. As in git diff, this is no error.
EXIT_DIFFERENT = 1


class RtckbError(Exception):
    """Base of all errors. Its text is one line that names the file or option, what was found and what was wanted."""

    exit_code = EXIT_FAILED


class UsageError(RtckbError):
    """An argument outside its documented values."""

    exit_code = EXIT_USAGE


class IndexUnusable(RtckbError):
    """The index cannot be used. Each subclass is one cause."""

    exit_code = EXIT_INDEX


class IndexMissing(IndexUnusable):
    """There is no file at that path."""


class IndexUnreadable(IndexUnusable):
    """A file is there, but it cannot be read as a database."""


class NotAnIndex(IndexUnusable):
    """A readable file that is not an rtckb index."""


class IndexTooOld(IndexUnusable):
    """An index of an older schema version."""


class IndexTooNew(IndexUnusable):
    """An index of a newer schema version."""

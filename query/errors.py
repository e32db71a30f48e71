"""What can go wrong between a question and its answer, with the exit code that each cause has.

RtckbError
├── UsageError                 2  a value that the contract does not know
└── IndexUnusable              3
    ├── IndexMissing              no such file
    ├── IndexUnreadable           a folder, no permission, damaged, no FTS5
    ├── NotAnIndex                empty, or a file of another kind
    ├── IndexTooOld               built by an older version: rebuild
    └── IndexTooNew               built by a newer version: upgrade
"""

#: Exit codes of the command (design.md, "The command").
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INDEX = 3
EXIT_NO_MATCH = 4
#: With --exit-code, as git diff has it: no error.
EXIT_DIFFERENT = 1


class RtckbError(Exception):
    """The base: its text is one line for a person, naming the file or option, what was found and wanted."""

    exit_code = EXIT_FAILED


class UsageError(RtckbError):
    """An argument outside its documented values."""

    exit_code = EXIT_USAGE


class IndexUnusable(RtckbError):
    """The index cannot be used; the subclass says why."""

    exit_code = EXIT_INDEX


class IndexMissing(IndexUnusable):
    """No file at that path."""


class IndexUnreadable(IndexUnusable):
    """A file is there, but it cannot be read as a database."""


class NotAnIndex(IndexUnusable):
    """A readable file that is not an rtckb index."""


class IndexTooOld(IndexUnusable):
    """An index of an older schema version."""


class IndexTooNew(IndexUnusable):
    """An index of a newer schema version."""

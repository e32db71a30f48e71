"""The errors that end a build, one class per cause."""


class RtckbBuildError(Exception):
    """The base class. The message is one line: the file or option, what was found, what was wanted."""


class SourceNotFound(RtckbBuildError):
    """The folder given contains no such knowledge base."""


class SourceRefused(RtckbBuildError):
    """A file that the whole base depends on (index.yaml, products.yaml) cannot be trusted or read."""


class BadCalibration(RtckbBuildError):
    """A file given as ``--calibration`` does not have the documented form."""


class StrictFindings(RtckbBuildError):
    """A file was repaired or has an error, and ``--strict`` is set."""


class BundleRefused(RtckbBuildError):
    """The index must not be shipped, or the folder contains other files than an earlier bundle."""


class PublishFailed(RtckbBuildError):
    """The target could not be written or replaced; the old file or folder is as it was."""


class SyncFailed(RtckbBuildError):
    """The case base could not be brought up to date; the index is as it was."""

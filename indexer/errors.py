"""What can stop a build, one class per cause a caller can act on.

RtckbBuildError
├── SourceNotFound      the folder given holds no such knowledge base
├── SourceRefused       the index file itself is unsafe or unreadable
├── BadCalibration      a measurement that is not of the documented form
├── StrictFindings      --strict, and there is at least one repair or error
├── BundleRefused       the index is not fit to ship, or the folder holds something else
└── PublishFailed       the finished file could not be put in place
"""


class RtckbBuildError(Exception):
    """The base: its text is one line that names the file, what was found and what was wanted."""


class SourceNotFound(RtckbBuildError):
    """No knowledge base at the folder given."""


class SourceRefused(RtckbBuildError):
    """A file that everything depends on (index.yaml, products.yaml) cannot be trusted or read."""


class BadCalibration(RtckbBuildError):
    """A file given as ``--calibration`` that is none."""


class StrictFindings(RtckbBuildError):
    """Findings under ``--strict``."""


class BundleRefused(RtckbBuildError):
    """An index that may not leave the house, or a folder that is no earlier bundle."""


class PublishFailed(RtckbBuildError):
    """The target could not be written or replaced; the old file is as it was."""

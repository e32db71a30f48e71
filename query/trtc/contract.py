"""Every value and shape in a response of ``rtckb trtc``."""

from enum import StrEnum
from typing import NamedTuple


class Status(StrEnum):
    """The outcome of a search."""

    MATCHED = "matched"
    NO_MATCH = "no_match"
    NO_SLICE = "no_slice"
    AMBIGUOUS_PRODUCT = "ambiguous_product"
    STATUS_PLANNED = "status_planned"


class Strategy(StrEnum):
    """How a slice was found, in order of priority."""

    EXACT = "exact"
    TAG = "tag"
    PRODUCT_KEYWORD = "product-keyword"
    CROSS_RELATED = "cross-related"
    FUZZY = "fuzzy"


class Confidence(StrEnum):
    """How far a match can be trusted; derived from its strategy."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class ContentLoaded(StrEnum):
    """How much of a slice was loaded for the answer."""

    FULL = "full"
    SUMMARY = "summary"
    INDEX_ONLY = "index-only"


class Intent(StrEnum):
    """What the user wants."""

    ERROR_CODE = "error-code"
    PATTERN = "pattern"
    FEATURE = "feature"
    TROUBLESHOOT = "troubleshoot"


#: The confidence of each strategy, as the specification fixes it.
CONFIDENCE = {
    Strategy.EXACT: Confidence.HIGH,
    Strategy.TAG: Confidence.HIGH,
    Strategy.PRODUCT_KEYWORD: Confidence.MEDIUM,
    Strategy.CROSS_RELATED: Confidence.MEDIUM,
    Strategy.FUZZY: Confidence.LOW,
}

#: Platforms that ``--platform`` accepts, and the platform of each framework name.
PLATFORMS = ("web", "android", "ios", "flutter", "electron")
FRAMEWORKS = {
    "react": "web",
    "vue": "web",
    "kotlin": "android",
    "swift": "ios",
    "objective-c": "ios",
    "objc": "ios",
    "dart": "flutter",
}


class Match(NamedTuple):
    """One slice of an answer. ``related`` are one-hop slice ids that are not in the answer themselves."""

    slice_id: str
    match_strategy: Strategy
    content_loaded: ContentLoaded
    file_paths_read: tuple[str, ...]
    related: tuple[str, ...]

    @property
    def confidence(self) -> Confidence:
        """Derived from the strategy."""
        return CONFIDENCE[self.match_strategy]

    def as_dict(self) -> dict[str, object]:
        """The six fields of the contract, in its order."""
        return {
            "slice_id": self.slice_id,
            "confidence": self.confidence.value,
            "match_strategy": self.match_strategy.value,
            "content_loaded": self.content_loaded.value,
            "file_paths_read": list(self.file_paths_read),
            "related": list(self.related),
        }


class Response(NamedTuple):
    """The answer to one search: always these four fields, empty or None where not populated."""

    status: Status
    matches: tuple[Match, ...] = ()
    ambiguous_candidates: tuple[str, ...] = ()
    reason: str | None = None

    def as_dict(self) -> dict[str, object]:
        """The document under ``response``."""
        return {
            "status": self.status.value,
            "matches": [match.as_dict() for match in self.matches],
            "ambiguous_candidates": list(self.ambiguous_candidates),
            "reason": self.reason,
        }


class Request(NamedTuple):
    """A checked request: product and platform are known ids or None, the query is not blank, limit is at least 1.

    ``intent`` is None where the caller gave none; the search recognizes it.
    """

    query: str
    product: str | None = None
    platform: str | None = None
    intent: Intent | None = None
    limit: int = 5

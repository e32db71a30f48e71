"""The values and shapes of an answer of ``rtckb nim``."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from query.analysis.tokens import TokenMode

#: Printed for a parameter that is neither given nor found in the text.
UNDETERMINED = "待确认"
#: The number of cases that are shown at most.
MAX_SHOWN = 5
#: Scanning stops at the first level with so many qualifying cases.
ENOUGH_MATCHES = 3
#: The forms of a request in the calibration figures: the text alone, or options beside it.
REQUEST_FORMS = ("bare", "fields")
#: The grade of nearest cases in the calibration figures; in an answer they have none.
NEAREST = "nearest"


class TrackType(StrEnum):
    """The type of a case or request: a fault to trace, or a question to answer."""

    TROUBLESHOOT = "排查类"
    CONSULT = "咨询类"


class Grade(StrEnum):
    """The grade of a match."""

    HIGH = "高度匹配"
    POSSIBLE = "可能相关"


class Level(StrEnum):
    """A scan level, as it is printed (docs/decisions/nim.md#scan-levels)."""

    FEATURE = "L1 - 同功能"
    PRODUCT = "L2 - 跨平台"
    WHOLE = "L3 - 全库"


class TagMode(StrEnum):
    """How tags are compared: as one set of tokens, or each tag as a whole."""

    TOKENS = "tokens"
    WHOLE = "whole"


class Modes(NamedTuple):
    """How texts are compared.

    ``literal`` compares everything as it is written: it keeps generic tags, placeholders, useless titles and copies
    (docs/decisions/nim.md#literal).
    """

    token: TokenMode = TokenMode.CHAR
    tag: TagMode = TagMode.TOKENS
    literal: bool = False

    @property
    def compiled(self) -> bool:
        """Whether the index stores the token sets of these modes."""
        return self == Modes()


class Request(NamedTuple):
    """A recognized request. A parameter that is neither given nor found in the text is empty.

    ``product`` is a product of the specification's table, or a product folder of the base. ``origins`` maps each
    parameter that has a value to where the value came from.
    """

    text: str
    track_type: TrackType | None
    product: str
    feature: str
    platform: str
    sub_type: str
    tags: tuple[str, ...]
    title: str
    root_cause: str
    solution: str
    description: str
    origins: dict[str, str]
    modes: Modes = Modes()

    def as_dict(self) -> dict[str, Any]:
        """The document under ``request``; an undetermined parameter is null."""
        names = ("product", "feature", "platform", "sub_type", "title", "root_cause", "solution", "description")
        return {
            "text": self.text,
            "track_type": self.track_type.value if self.track_type else None,
            **{name: getattr(self, name) or None for name in names},
            "tags": list(self.tags),
            "origins": self.origins,
            "token_mode": self.modes.token.value,
            "tag_mode": self.modes.tag.value,
            "literal": self.modes.literal,
        }


class Shortfall(NamedTuple):
    """Why a nearest case does not qualify: the similarity that decides, its value and the threshold, from 0 to 1.

    ``score`` is None for a conclusion: below the threshold it is not computed.
    """

    rule: str
    score: float | None
    wanted: float


class Case(NamedTuple):
    """One shown case with its copies merged into it. ``score`` and ``scores`` are rounded.

    A match has a ``grade``; a nearest case has a ``shortfall`` instead, which only ``--explain`` prints.
    """

    path: str
    entry: int
    track_type: str
    grade: Grade | None
    score: float
    scores: Mapping[str, float]
    title: str
    product: str
    feature: str
    platform: str
    root_cause: str
    solution: str
    answered: bool
    customers: tuple[str, ...]
    updated: str
    frequency: int
    duplicates: tuple[str, ...]
    shortfall: Shortfall | None = None

    @property
    def merge(self) -> bool:
        """Whether a new record should be merged into this case instead of being added."""
        return self.grade is Grade.HIGH

    def as_dict(self) -> dict[str, Any]:
        """The document of one case; ``entry`` is null for a file without entries."""
        lists = {name: list(getattr(self, name)) for name in ("customers", "duplicates")}
        document = self._asdict() | lists | {"entry": self.entry or None, "merge": self.merge}
        del document["shortfall"]
        return document


class Answer(NamedTuple):
    """The answer to one request. ``matches`` qualify, best first; ``nearest`` do not and are no matches.

    ``scanned`` is the number of cases of the scanned level, ``qualified`` how many of them qualify, copies counted
    once.
    """

    marker: str
    request: Request
    level: Level
    scanned: int
    qualified: int
    matches: tuple[Case, ...]
    nearest: tuple[Case, ...]
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The document under ``response``."""
        return {
            "marker": self.marker,
            "request": self.request.as_dict(),
            "scan": {"level": self.level.value, "units": self.scanned, "qualified": self.qualified},
            "matches": [case.as_dict() for case in self.matches],
            "nearest": [case.as_dict() for case in self.nearest],
            "notes": list(self.notes),
        }

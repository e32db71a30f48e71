"""Every value and shape that a caller of ``rtckb nim`` sees (spec/nim-kb-search.txt, spec/decisions-nim.md)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from query.analysis.case_ref import case_ref
from query.analysis.tokens import TokenMode

#: What a parameter that could not be determined is called (specification, marker line).
UNDETERMINED = "待确认"
#: At most so many units are shown (specification, Step 3).
SHOWN = 5
#: Both ways of asking: with the text alone, or with options beside it.
WAYS = ("bare", "fields")
#: What stands for the grade of a case that did not qualify.
NEAREST = "nearest"
#: Scanning stops at the first level with so many qualifying units (specification, Step 2).
ENOUGH = 3


class TrackType(StrEnum):
    """What kind of unit or request: a fault to trace, or a question to answer."""

    TROUBLESHOOT = "排查类"
    CONSULT = "咨询类"


class Grade(StrEnum):
    """How alike a unit is; ``nearest`` ones carry none."""

    HIGH = "高度匹配"
    POSSIBLE = "可能相关"


class Level(StrEnum):
    """How far was scanned, as it prints (decision 13)."""

    FEATURE = "L1 - 同功能"
    PRODUCT = "L2 - 跨平台"
    WHOLE = "L3 - 全库"


class TagMode(StrEnum):
    """Whether tags are compared joined and tokenised, or whole (decision 3)."""

    TOKENS = "tokens"
    WHOLE = "whole"


class Modes(NamedTuple):
    """How texts are compared. ``literal`` turns decisions 3 (dropped tags), 6, 7 and 15 off (7a)."""

    token: TokenMode = TokenMode.CHAR
    tag: TagMode = TagMode.TOKENS
    literal: bool = False

    @property
    def compiled(self) -> bool:
        """Whether the file holds the token sets of these modes."""
        return self == Modes()


class Request(NamedTuple):
    """A recognised request. A parameter that is neither given nor found in the text is empty.

    ``product`` is a standard product or a folder outside the table; ``origins`` says of each parameter where it
    came from.
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


class Case(NamedTuple):
    """One answer: a unit, with its copies merged into it (decision 15); scores rounded for display."""

    path: str
    entry: int
    track_type: str
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
    grade: Grade | None = None
    score: float = 0.0
    scores: Mapping[str, float] = {}  # a NamedTuple's default, never changed

    @property
    def place(self) -> str:
        """Its path, with the number of the entry where there are several."""
        return case_ref(self.path, self.entry)

    @property
    def merge(self) -> bool:
        """Whether recording should merge into this unit instead of adding a new one (specification, 说明)."""
        return self.grade is Grade.HIGH

    def as_dict(self) -> dict[str, Any]:
        """The document of one match."""
        return {
            "path": self.path,
            "entry": self.entry or None,
            "track_type": self.track_type,
            "grade": self.grade.value if self.grade else None,
            "score": self.score,
            "scores": dict(self.scores),
            "title": self.title,
            "product": self.product,
            "feature": self.feature,
            "platform": self.platform,
            "root_cause": self.root_cause,
            "solution": self.solution,
            "answered": self.answered,
            "customers": list(self.customers),
            "updated": self.updated,
            "frequency": self.frequency,
            "duplicates": list(self.duplicates),
            "merge": self.merge,
        }


class Answer(NamedTuple):
    """The answer to one search. ``matches`` qualified, best first; ``nearest`` did not, and are no matches."""

    marker: str
    request: Request
    level: Level
    scanned: int
    qualified: int
    matches: tuple[Case, ...]
    nearest: tuple[Case, ...]
    notes: tuple[str, ...]

    def with_note(self, note: str) -> "Answer":
        """The same answer with one more note, printed last."""
        return self._replace(notes=(*self.notes, note))

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

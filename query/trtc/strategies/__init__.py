"""One file per value of ``match_strategy``: its SQL at the head, and one function of the shared signature.

The state of one search, and what every strategy takes and gives.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from query.index import Index
from query.trtc.contract import Request, Strategy
from query.trtc.parse import ParsedQuery
from query.trtc.scoring import FieldMatches, collect_matches

_SLICES = "SELECT id, slice_id, product_id, name, description, file, planned FROM slice ORDER BY id"
_PLATFORMS = "SELECT slice, platform FROM slice_platform ORDER BY slice, platform"


class SliceRow(NamedTuple):
    """A slice as the index lists it; ``number`` is its position there."""

    number: int
    slice_id: str
    product: str
    name: str
    description: str
    file: str
    planned: int

    @property
    def is_overview(self) -> bool:
        """Whether its file stands at product level, with no platform folder in its path."""
        return self.file.count("/") <= 2


class Hit(NamedTuple):
    """One slice that a strategy found.

    ``order`` ranks it among the hits of its strategy, greater first; ``via`` says in words what led to it.
    ``body_only``: nothing but its pages' text speaks for it (decision 19).
    """

    number: int
    strategy: Strategy
    order: tuple[float, ...] = ()
    reasons: tuple[str, ...] = ()
    body_only: bool = False


class Search:
    """One request under way: what was asked, what the index says of it, what was found so far.

    ``reason`` is the cause that a strategy knows for an empty answer; ``settled``: an id was asked for and found;
    ``asked``: the strategies that had their turn.
    """

    def __init__(self, index: Index, request: Request, question: ParsedQuery) -> None:
        self.index = index
        self.request = request
        self.question = question
        self.hits: list[Hit] = []
        self.asked: list[Strategy] = []
        self.reason = ""
        self.is_id_lookup = False

    @cached_property
    def evidence(self) -> FieldMatches:
        """What the slices say of the question's spans."""
        return collect_matches(self.index, self.question)

    @cached_property
    def slices(self) -> Mapping[int, SliceRow]:
        """Every slice of the index, by number."""
        return {row[0]: SliceRow(*row) for row in self.index.rows(_SLICES)}

    @cached_property
    def platforms(self) -> Mapping[int, frozenset[str]]:
        """The platforms that the index gives each slice."""
        found: dict[int, set[str]] = {}
        for number, platform in self.index.rows(_PLATFORMS):
            found.setdefault(number, set()).add(platform)
        return {number: frozenset(platforms) for number, platforms in found.items()}

    def in_product(self, number: int) -> bool:
        """Whether a slice may be returned under the product asked for (decision 12)."""
        return self.request.product is None or self.slices[number].product == self.request.product

    @property
    def found(self) -> set[int]:
        """The slices found so far."""
        return {hit.number for hit in self.hits}


#: A strategy: the search so far in, its own hits out, best first.
StrategyFunction: TypeAlias = Callable[[Search], Iterable[Hit]]

"""The five strategies, one file per value of ``match_strategy``, and the state that they share."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple, TypeAlias

from query.index import Index
from query.trtc.contract import Intent, Request, Strategy
from query.trtc.parse import ParsedQuery, parse_query
from query.trtc.request import recognize_intent
from query.trtc.scoring import FieldMatches, collect_matches

_SLICES = "SELECT id, slice_id, product_id, name, description, file, planned FROM slice ORDER BY id"
_PLATFORMS = "SELECT slice, platform FROM slice_platform ORDER BY slice, platform"


class SliceRow(NamedTuple):
    """One slice of the base; ``number`` is its position in the base's index."""

    number: int
    slice_id: str
    product: str
    name: str
    description: str
    file: str
    planned: int

    @property
    def is_overview(self) -> bool:
        """Whether its file is at product level, without a platform folder in its path."""
        return self.file.count("/") <= 2


class Hit(NamedTuple):
    """One slice that a strategy found.

    ``order`` ranks it among the hits of its strategy, greater values first; ``reasons`` state in words why it matched.
    ``body_only``: only the text of its pages matches, none of the fields of the base's index.
    """

    number: int
    strategy: Strategy
    order: tuple[float, ...] = ()
    reasons: tuple[str, ...] = ()
    body_only: bool = False


class Search:
    """The state of one search: the request, the parsed query, and the hits found so far.

    ``failure`` is the reason that a strategy gives for an empty answer; ``is_id_lookup``: the query is an id of the
    base; ``strategies_run``: the strategies tried so far.
    """

    def __init__(self, index: Index, request: Request) -> None:
        self.index = index
        self.request = request
        self.hits: list[Hit] = []
        self.strategies_run: list[Strategy] = []
        self.failure = ""
        self.is_id_lookup = False

    @cached_property
    def parsed(self) -> ParsedQuery:
        """The query, parsed."""
        return parse_query(self.index, self.request.query)

    @cached_property
    def intent(self) -> Intent:
        """The intent of the request, or the one recognized from the query."""
        return self.request.intent or recognize_intent(self.parsed)

    @cached_property
    def matches(self) -> FieldMatches:
        """The field matches of the query's content terms."""
        return collect_matches(self.index, self.parsed.content_terms, self.intent is Intent.TROUBLESHOOT)

    @cached_property
    def slices(self) -> Mapping[int, SliceRow]:
        """Every slice of the base, by number."""
        return {row[0]: SliceRow(*row) for row in self.index.rows(_SLICES)}

    @cached_property
    def platforms(self) -> Mapping[int, frozenset[str]]:
        """The platforms of each slice, as the base's index lists them."""
        return {number: frozenset(names) for number, names in self.index.lists(_PLATFORMS).items()}

    def in_product(self, number: int) -> bool:
        """Whether the requested product allows a slice (docs/decisions/trtc.md#given-product)."""
        return self.request.product is None or self.slices[number].product == self.request.product

    @property
    def found(self) -> set[int]:
        """The slices found so far."""
        return {hit.number for hit in self.hits}


#: A strategy takes the search so far and returns its own hits, the best first.
StrategyFunction: TypeAlias = Callable[[Search], Iterable[Hit]]

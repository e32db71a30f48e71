"""The pipeline of a TRTC search: run the strategies, filter by platform, rank, load content, set the status."""

from collections.abc import Iterable, Mapping, Sequence

from query.index import Index, as_json
from query.trtc import content, status
from query.trtc.contract import Intent, Match, Request, Response, Status, Strategy
from query.trtc.request import NO_BASE
from query.trtc.strategies import (
    Hit,
    Search,
    SliceRow,
    StrategyFunction,
    cross_related,
    exact,
    fuzzy,
    product_keyword,
    tag,
)

#: The order that the specification fixes. Each strategy decides from the search so far whether it runs.
STRATEGIES: dict[Strategy, StrategyFunction] = {
    Strategy.EXACT: exact.find,
    Strategy.TAG: tag.find,
    Strategy.PRODUCT_KEYWORD: product_keyword.find,
    Strategy.CROSS_RELATED: cross_related.find,
    Strategy.FUZZY: fuzzy.find,
}
_PRIORITY = {strategy: position for position, strategy in enumerate(Strategy)}

_PAGES = """
SELECT slice, platform, path FROM slice_page WHERE slice IN (SELECT value FROM json_each(?)) ORDER BY id
"""
_RELATED = """
SELECT slice_related.slice, slice.slice_id FROM slice_related JOIN slice ON slice.id = slice_related.related
WHERE slice_related.slice IN (SELECT value FROM json_each(?)) ORDER BY slice_related.slice, slice_related.position
"""


def search_trtc(index: Index, request: Request) -> tuple[Response, Search]:
    """Answer a checked request. The search is returned for ``--explain`` and ``--content``."""
    search = Search(index, request)
    return _answer(search), search


def _answer(search: Search) -> Response:
    request = search.request
    if not (search.slices or search.index.products):
        return Response(Status.NO_MATCH, reason=NO_BASE)
    if request.product and not any(s.product == request.product for s in search.slices.values()):
        return Response(Status.NO_SLICE, reason=f"product {request.product} has no slices in KB")
    if status.is_product_selection(search):
        return Response(Status.NO_MATCH, reason="product-selection question, not a slice lookup")
    _run_strategies(search)
    hits = best_of_each(search.hits)
    kept, secondary = filter_by_platform(hits, request.platform, search.slices, search.platforms)
    kept = status.of_named_products(search, kept)
    candidates = status.ambiguous(search, kept)
    if candidates:
        reason = "query plausibly matches multiple products; ask user"
        return Response(Status.AMBIGUOUS_PRODUCT, ambiguous_candidates=candidates, reason=reason)
    if not kept:
        return status.no_match(search, filtered=bool(hits))
    search.hits = ranked(kept, secondary)[: request.limit]
    return _respond(search, search.hits)


def _run_strategies(search: Search) -> None:
    """Run the strategies in order. The search for an id or for an error code ends with the first one."""
    for strategy, find in STRATEGIES.items():
        search.strategies_run.append(strategy)
        search.hits.extend(find(search))
        if strategy is Strategy.EXACT and (search.is_id_lookup or _is_code_lookup(search)):
            return


def _is_code_lookup(search: Search) -> bool:
    """Whether only codes are searched (docs/decisions/trtc.md#error-code-intent).

    A number that is the whole query is not searched as a word either: ``uid 2300123`` has no match.
    """
    if search.intent is not Intent.ERROR_CODE:
        return False
    only_numbers = bool(search.parsed.mentions) and len(search.parsed.content_terms) <= 1
    return bool(exact.requested_codes(search)) or only_numbers


def filter_by_platform(
    hits: Iterable[Hit], platform: str | None, slices: Mapping[int, SliceRow], platforms: Mapping[int, frozenset[str]]
) -> tuple[list[Hit], frozenset[int]]:
    """The hits to keep, and which of them are secondary: product overviews that are not listed for the platform.

    The platforms of the base's index decide, not those of a page (docs/decisions/trtc.md#platforms-from-the-index).
    """
    if platform is None:
        return list(hits), frozenset()
    kept, secondary = [], set()
    for hit in hits:
        if platform in platforms.get(hit.number, frozenset()):
            kept.append(hit)
        elif slices[hit.number].is_overview:
            kept.append(hit)
            secondary.add(hit.number)
    return kept, frozenset(secondary)


def best_of_each(hits: Iterable[Hit]) -> list[Hit]:
    """Each slice once, with its strategy of the highest priority."""
    kept: dict[int, Hit] = {}
    for hit in hits:
        other = kept.get(hit.number)
        if other is None or _PRIORITY[hit.strategy] < _PRIORITY[other.strategy]:
            kept[hit.number] = hit
    return list(kept.values())


def ranked(hits: Iterable[Hit], secondary: frozenset[int]) -> list[Hit]:
    """Hits by platform, then strategy, then the order within the strategy, then the order of the base's index.

    ``secondary`` are slices kept only as overviews of another platform; they come last.
    """
    return sorted(
        hits,
        key=lambda hit: (
            hit.number in secondary,
            _PRIORITY[hit.strategy],
            tuple(-part for part in hit.order),
            hit.number,
        ),
    )


def _respond(search: Search, hits: Sequence[Hit]) -> Response:
    numbers = as_json([hit.number for hit in hits])
    pages: dict[int, list[content.Page]] = {}
    for number, platform, path in search.index.rows(_PAGES, (numbers,)):
        pages.setdefault(number, []).append((platform, path))
    related = search.index.lists(_RELATED, (numbers,))
    answered = {search.slices[hit.number].slice_id for hit in hits}
    levels = content.levels(hits, search.intent, pages)
    matches = tuple(
        Match(
            slice_id=search.slices[hit.number].slice_id,
            match_strategy=hit.strategy,
            content_loaded=level,
            file_paths_read=content.files_read(level, pages.get(hit.number, ()), search.request.platform),
            related=tuple(r for r in related.get(hit.number, ()) if r not in answered),
        )
        for hit, level in zip(hits, levels, strict=True)
    )
    first = hits[0].number
    if all(hit.number not in pages for hit in hits):
        is_planned = bool(search.slices[first].planned)
        cause = "is status: planned" if is_planned else "has no page in KB"
        return Response(Status.STATUS_PLANNED, matches, reason=f"slice {matches[0].slice_id} {cause}")
    has_file = content.has_platform_file(pages.get(first, ()), search.request.platform or "")
    reason = status.reason_when_matched(search, bool(search.slices[first].planned) or has_file)
    return Response(Status.MATCHED, matches, reason=reason)

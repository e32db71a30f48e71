"""The ordered table of strategies, and the walk along it: when each runs, when to stop, what comes out.

Step 3, platform filtering. No SQL.

The order of hits: in-platform first, then strategy, then each strategy's own order, then the index's. No SQL.
"""

from collections.abc import Iterable, Mapping, Sequence

from query.index import Index, as_json
from query.trtc import content, status
from query.trtc.contract import Intent, Match, Request, Response, Status, Strategy
from query.trtc.parse import parse_query
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

#: The specification's order (Step 2). Each decides itself, from the search so far, whether it has anything to do.
STRATEGIES: dict[Strategy, StrategyFunction] = {
    Strategy.EXACT: exact.find,
    Strategy.TAG: tag.find,
    Strategy.PRODUCT_KEYWORD: product_keyword.find,
    Strategy.CROSS_RELATED: cross_related.find,
    Strategy.FUZZY: fuzzy.find,
}

_PAGES = """
SELECT slice, platform, path FROM slice_page WHERE slice IN (SELECT value FROM json_each(?)) ORDER BY id
"""
_RELATED = """
SELECT slice_related.slice, slice.slice_id FROM slice_related JOIN slice ON slice.id = slice_related.related
WHERE slice_related.slice IN (SELECT value FROM json_each(?)) ORDER BY slice_related.slice, slice_related.position
"""


def search_trtc(index: Index, request: Request) -> tuple[Response, Search]:
    """Answer a checked request; the search is returned for ``--explain`` and ``--content``."""
    search = Search(index, request, parse_query(index, request.query))
    return _answer(search), search


def _answer(search: Search) -> Response:
    request = search.request
    if not (search.slices or search.index.products):
        return Response(Status.NO_MATCH, reason=NO_BASE)
    if request.product and not any(s.product == request.product for s in search.slices.values()):
        return Response(Status.NO_SLICE, reason=f"product {request.product} has no slices in KB")
    if status.is_product_selection(search):
        return Response(Status.NO_MATCH, reason="product-selection question, not a slice lookup")
    _run(search)
    found = best_of_each(search.hits)
    kept, secondary = filter_by_platform(found, request.platform, search.slices, search.platforms)
    kept = status.of_named_products(search, kept)
    candidates = status.ambiguous(search, kept)
    if candidates:
        reason = "query plausibly matches multiple products; ask user"
        return Response(Status.AMBIGUOUS_PRODUCT, ambiguous_candidates=candidates, reason=reason)
    if not kept:
        return status.no_match(search, filtered=bool(found))
    search.hits = ordered(kept, secondary)[: request.limit]
    return _respond(search, search.hits)


def _run(search: Search) -> None:
    """Walk the table. An error-code search ends with strategy 1 (decisions 5, 9), as does one for an id."""
    for strategy, find in STRATEGIES.items():
        search.asked.append(strategy)
        search.hits.extend(find(search))
        if strategy is Strategy.EXACT and _is_settled(search):
            return


def _is_settled(search: Search) -> bool:
    """A number asked for as a code is never looked for as something else: ``uid 2300123`` stays unanswered."""
    nothing_else = bool(search.question.mentions) and len(search.question.content) <= 1
    asked = bool(exact.wanted_codes(search)) or nothing_else
    asked_for_code = search.request.intent is Intent.ERROR_CODE and asked
    return asked_for_code or search.is_id_lookup


def _respond(search: Search, hits: Sequence[Hit]) -> Response:
    numbers = as_json([hit.number for hit in hits])
    pages: dict[int, list[content.Page]] = {}
    for number, platform, path in search.index.rows(_PAGES, (numbers,)):
        pages.setdefault(number, []).append((platform, path))
    related = search.index.lists(_RELATED, (numbers,))
    answered = {search.slices[hit.number].slice_id for hit in hits}
    levels = content.levels(hits, search.request.intent, pages)
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
    if all(search.slices[hit.number].planned for hit in hits):
        return Response(Status.STATUS_PLANNED, matches, reason=status.planned_reason(matches))
    first = hits[0]
    own = bool(search.slices[first.number].planned) or content.has_platform_file(
        pages.get(first.number, ()), search.request.platform or ""
    )
    return Response(Status.MATCHED, matches, reason=status.reason_when_matched(search, own))


def filter_by_platform(
    hits: Iterable[Hit], platform: str | None, slices: Mapping[int, SliceRow], platforms: Mapping[int, frozenset[str]]
) -> tuple[list[Hit], frozenset[int]]:
    """The hits to keep, and which of those are secondary: product overviews not listed for the platform.

    Source: specification Step 3, decision 13: the index's platforms decide; overviews have no platform folder.
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


_PRIORITY = {strategy: position for position, strategy in enumerate(Strategy)}


def best_of_each(hits: Iterable[Hit]) -> list[Hit]:
    """Each slice once, under its highest strategy (decision 32)."""
    kept: dict[int, Hit] = {}
    for hit in hits:
        other = kept.get(hit.number)
        if other is None or _PRIORITY[hit.strategy] < _PRIORITY[other.strategy]:
            kept[hit.number] = hit
    return list(kept.values())


def ordered(hits: Iterable[Hit], secondary: frozenset[int]) -> list[Hit]:
    """Sort hits; ``secondary`` are slices kept only as overviews of another platform (decision 13)."""
    return sorted(
        hits,
        key=lambda hit: (
            hit.number in secondary,
            _PRIORITY[hit.strategy],
            tuple(-part for part in hit.order),
            hit.number,
        ),
    )

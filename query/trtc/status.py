"""Step 5: from ranked hits to status and reason. No SQL."""

import re
from collections.abc import Iterator, Sequence

from query.trtc.contract import Intent, Match, Response, Status, Strategy
from query.trtc.strategies import Hit, Search

#: Decision 23: what counts as asking for code.
_CODE_WANTED = re.compile(r"代码|sample code|code example|snippet", re.IGNORECASE)

_WHICH_PRODUCT = re.compile(
    r"(哪个|哪款|哪一个|什么|哪种)\s*(产品|sdk)|产品选型|选型|(which|what)\s+(product|sdk)", re.IGNORECASE
)
#: Which one of the products that the query names, if it names nothing else.
_WHICH_ONE = re.compile(r"(选|用)(哪个|哪款|哪一个|谁)")
_OR = re.compile(r"还是|\bor\b", re.IGNORECASE)
_COMPARED = re.compile(r"区别|不同|差别|差异|对比|相比|\bvs\.?|versus|difference|compare", re.IGNORECASE)


def is_product_selection(search: Search) -> bool:
    """Decision 25: which product, A or B over product names, or a bare comparison of two products."""
    text, products = search.question.text, search.question.products
    if _WHICH_PRODUCT.search(text):
        return True
    if len(products) < 2:
        return bool(_WHICH_ONE.search(text)) and _names_products_only(search)
    if _COMPARED.search(text) or _WHICH_ONE.search(text):
        return _names_products_only(search)
    return bool(_OR.search(text)) and _joins_products(search)


def _names_products_only(search: Search) -> bool:
    """Whether nothing but products is spoken of; a stray character is nothing."""
    return all(span.products or len(span.text) == 1 for span in search.question.content)


def _joins_products(search: Search) -> bool:
    """Whether the words on both sides of the "or" are names of products."""
    match = _OR.search(search.question.text)
    spans = [span for span in search.question.spans if span.products]
    return bool(
        match
        and any(0 <= match.start() - span.end <= 2 for span in spans)
        and any(0 <= span.start - match.end() <= 2 for span in spans)
    )


def of_named_products(search: Search, hits: list[Hit]) -> list[Hit]:
    """Without a product, low hits are those of the products that the query itself names, if any are."""
    named = set(search.question.products)
    if search.request.product is not None or any(hit.strategy is not Strategy.FUZZY for hit in hits):
        return hits
    return [hit for hit in hits if search.slices[hit.number].product in named] or hits


def ambiguous(search: Search, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Decision 19: without a product, only fuzzy hits in the index's own fields that span several products."""
    if search.request.product is not None or any(hit.strategy is not Strategy.FUZZY for hit in hits):
        return ()
    products = dict.fromkeys(search.slices[hit.number].product for hit in hits if not hit.body_only)
    return tuple(products) if len(products) > 1 else ()


def no_match(search: Search, filtered: bool) -> Response:
    """An empty answer with its one-line cause."""
    return Response(Status.NO_MATCH, reason=_cause(search, filtered))


def _cause(search: Search, filtered: bool) -> str:
    """The most telling cause there is."""
    if filtered:
        return f"no slice for platform {search.request.platform} among the hits"
    return next(_causes(search), "no tag overlap, and no name or description covers the query")


def _causes(search: Search) -> Iterator[str]:
    request, question = search.request, search.question
    if search.reason:
        yield search.reason
    numbers = [mention.code for mention in question.mentions]
    if request.intent is Intent.ERROR_CODE and numbers:
        yield f"no error code in the query: {', '.join(numbers)} is not used as one"
    yield from (f"id {i} is not in the index" for i in question.ids if i.partition("/")[0] in search.index.products)
    if not question.content:
        yield "nothing to search for: the query has no word that carries a subject"
    unsupported_features = [search.evidence.spans[i].text for i in search.evidence.unsupported_features]
    if unsupported_features:
        yield f"no slice in KB is about {', '.join(dict.fromkeys(unsupported_features))}"


def reason_when_matched(search: Search, has_own_file: bool) -> str | None:
    """Decision 2: the two reasons that a matched answer may have."""
    if search.request.platform is None:
        return "platform required for code example" if _CODE_WANTED.search(search.question.text) else None
    return None if has_own_file else f"no platform-specific file for {search.request.platform}"


def planned_reason(matches: Sequence[Match]) -> str:
    """Decision 3: the reason names rank 1."""
    return f"slice {matches[0].slice_id} is status: planned"

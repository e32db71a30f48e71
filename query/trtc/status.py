"""From the hits to the status and reason of a response."""

import re
from collections.abc import Iterator, Sequence

from query.trtc.contract import Intent, Response, Status, Strategy
from query.trtc.strategies import Hit, Search

#: A query with one of these asks for code (docs/decisions/trtc.md#code-example-without-platform).
_CODE_WANTED = re.compile(r"(?<!错误)(?<!报错)代码|sample code|code example|snippet", re.IGNORECASE)

_WHICH_PRODUCT = re.compile(
    r"(哪个|哪款|哪一个|哪些|什么|哪种)\s*(产品|sdk)|产品选型|选型|(which|what)\s+(product|sdk)", re.IGNORECASE
)
#: A product-selection question only if the query names nothing but products.
_WHICH_ONE = re.compile(r"(选|用)(哪个|哪款|哪一个|谁)")
_OR = re.compile(r"还是|\bor\b", re.IGNORECASE)
_COMPARED = re.compile(r"区别|不同|差别|差异|对比|相比|\bvs\.?|versus|difference|compare", re.IGNORECASE)


def is_product_selection(search: Search) -> bool:
    """Whether the query asks which product to use, or compares two (docs/decisions/trtc.md#product-selection)."""
    text, products = search.parsed.text, search.parsed.products
    if _WHICH_PRODUCT.search(text):
        return True
    if len(products) < 2:
        return bool(_WHICH_ONE.search(text)) and _names_products_only(search)
    if _COMPARED.search(text) or _WHICH_ONE.search(text):
        return _names_products_only(search)
    return bool(_OR.search(text)) and _joins_products(search)


def _names_products_only(search: Search) -> bool:
    """Whether every content term is a product or a single character."""
    return all(term.products or len(term.text) == 1 for term in search.parsed.content_terms)


def _joins_products(search: Search) -> bool:
    """Whether the words on both sides of the "or" are names of products."""
    match = _OR.search(search.parsed.text)
    terms = [term for term in search.parsed.terms if term.products]
    return bool(
        match
        and any(0 <= match.start() - term.end <= 2 for term in terms)
        and any(0 <= term.start - match.end() <= 2 for term in terms)
    )


def of_named_products(search: Search, hits: list[Hit]) -> list[Hit]:
    """Without a requested product, fuzzy hits are limited to the products that the query names, if any are hit."""
    named = set(search.parsed.products)
    if search.request.product is not None or any(hit.strategy is not Strategy.FUZZY for hit in hits):
        return hits
    return [hit for hit in hits if search.slices[hit.number].product in named] or hits


def ambiguous(search: Search, hits: Sequence[Hit]) -> tuple[str, ...]:
    """The candidates, if fuzzy hits in fields of the base's index span several products with content.

    Only without a requested product (docs/decisions/trtc.md#ambiguity); else the result is empty.
    """
    if search.request.product is not None or any(hit.strategy is not Strategy.FUZZY for hit in hits):
        return ()
    slices = [search.slices[hit.number] for hit in hits if not hit.body_only]
    products = dict.fromkeys(row.product for row in slices if not row.planned)
    return tuple(products) if len(products) > 1 else ()


def no_match(search: Search, filtered: bool) -> Response:
    """An empty answer with its cause in one line; ``filtered``: the platform filter removed every hit."""
    if filtered:
        reason = f"no slice for platform {search.request.platform} among the hits"
    else:
        reason = next(_causes(search), "no tag overlap, and no name or description covers the query")
    return Response(Status.NO_MATCH, reason=reason)


def _causes(search: Search) -> Iterator[str]:
    """The causes that apply, the most specific first."""
    parsed = search.parsed
    if search.failure:
        yield search.failure
    numbers = [mention.code for mention in parsed.mentions]
    if search.intent is Intent.ERROR_CODE and numbers:
        yield f"no error code in the query: {', '.join(numbers)} is not used as one"
    yield from (f"id {i} is not in the index" for i in parsed.ids if i.partition("/")[0] in search.index.products)
    if not parsed.content_terms:
        yield "nothing to search for: the query has no word that carries a subject"
    unsupported = [search.matches.terms[i].text for i in search.matches.unsupported_features]
    if unsupported:
        yield f"no slice in KB is about {', '.join(dict.fromkeys(unsupported))}"


def reason_when_matched(search: Search, has_platform_file: bool) -> str | None:
    """The reason of a matched answer; only two are allowed (docs/decisions/trtc.md#reason-with-matched)."""
    if search.request.platform is None:
        return "platform required for code example" if _CODE_WANTED.search(search.parsed.text) else None
    return None if has_platform_file else f"no platform-specific file for {search.request.platform}"

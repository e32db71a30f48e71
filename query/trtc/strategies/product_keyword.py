"""Strategy 3, product-keyword: words of the query in the slices of one product.

A match only in a body or in a troubleshooting section counts here (docs/decisions/trtc.md#body-only-hits).
"""

from collections.abc import Iterable

from query.trtc.contract import CONFIDENCE, Confidence, Strategy
from query.trtc.strategies import Hit, Search
from query.trtc.strategies.keywords import keyword_hits


def find(search: Search) -> Iterable[Hit]:
    """Runs only with a product, and without a hit of high confidence."""
    if search.request.product is None or any(CONFIDENCE[hit.strategy] is Confidence.HIGH for hit in search.hits):
        return []
    return keyword_hits(search, Strategy.PRODUCT_KEYWORD)

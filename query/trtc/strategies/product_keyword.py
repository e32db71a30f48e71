"""Strategy 3, product-keyword: words of the query in the names, descriptions and pages of one product's slices.

Specification Step 2, row 3; a hit found only in a body or a troubleshooting section counts here (decision 16).
"""

from collections.abc import Iterable

from query.trtc.contract import CONFIDENCE, Confidence, Strategy
from query.trtc.strategies import Hit, Search
from query.trtc.strategies.keywords import keyword_hits


def find(search: Search) -> Iterable[Hit]:
    """Only where a product is given and no high-confidence hit was found."""
    if search.request.product is None or any(CONFIDENCE[hit.strategy] is Confidence.HIGH for hit in search.hits):
        return []
    return keyword_hits(search, Strategy.PRODUCT_KEYWORD)

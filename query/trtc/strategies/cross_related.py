"""Strategy 4, cross-related: one hop from the hits, along cross-product relations or related lists.

Runs only after a hit of tag or product-keyword, and only if the query names a second product or has a term that no
hit matches.
"""

from collections.abc import Iterable, Iterator

from query.index import as_json
from query.trtc.contract import Strategy
from query.trtc.strategies import Hit, Search

_RELATIONS = """
SELECT relation.relation_id, relation_slice.slice, group_concat(relation_product.product_id)
FROM relation
JOIN relation_slice ON relation_slice.relation = relation.id
JOIN relation_product ON relation_product.relation = relation.id
GROUP BY relation.id, relation_slice.position ORDER BY relation.id, relation_slice.position
"""
_RELATED = """
SELECT slice, related FROM slice_related WHERE slice IN (SELECT value FROM json_each(?)) ORDER BY slice, position
"""
_SOURCES = frozenset({Strategy.TAG, Strategy.PRODUCT_KEYWORD})


def find(search: Search) -> Iterable[Hit]:
    """Slices of relations between the products in play, then slices related to the best hit that match other terms."""
    sources = sorted((hit for hit in search.hits if hit.strategy in _SOURCES), key=lambda hit: hit.order, reverse=True)
    if not sources:
        return []
    numbers = [hit.number for hit in sources]
    hits = {hit.number: hit for hit in (*_by_relation(search, numbers), *_by_related(search, numbers[0]))}
    return [hit for number, hit in hits.items() if number not in search.found]


def _by_relation(search: Search, sources: list[int]) -> Iterator[Hit]:
    products = {search.slices[number].product for number in sources}
    second = set(search.parsed.products) - products - {"trtc"}
    if not second:
        return
    for position, (relation, number, joined) in enumerate(search.index.rows(_RELATIONS)):
        related_products = set(joined.split(","))
        if related_products & products and related_products & second:
            yield Hit(number, Strategy.CROSS_RELATED, (1.0, float(-position)), (f"relation {relation}",))


def _by_related(search: Search, source: int) -> Iterator[Hit]:
    """Slices related to the best hit whose name or tags match a term that no hit matches at all."""
    open_terms = [m for m in search.matches.matches if m and not search.found & m.keys()]
    for _, number in search.index.rows(_RELATED, (as_json([source]),)) if open_terms else ():
        if any({"tags", "name"} & matches.get(number, {}).keys() for matches in open_terms):
            reason = f"related of {search.slices[source].slice_id}"
            yield Hit(number, Strategy.CROSS_RELATED, (0.0, search.matches.score(number)), (reason,))

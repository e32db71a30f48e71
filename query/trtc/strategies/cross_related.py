"""Strategy 4, cross-related: one hop from what was found, by cross-product relations or related lists.

Specification Step 2, row 4: only where tag or product-keyword found something, and the query names a second
product, or part of it is covered by no slice found so far.
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
    """Slices of relations that join the products in play, then related slices that cover what is left open."""
    sources = [hit.number for hit in search.hits if hit.strategy in _SOURCES]
    if not sources:
        return []
    hits = {hit.number: hit for hit in (*_by_relation(search, sources), *_by_related(search, sources))}
    return [hit for number, hit in hits.items() if number not in search.found]


def _by_relation(search: Search, sources: list[int]) -> Iterator[Hit]:
    mine = {search.slices[number].product for number in sources}
    second = set(search.question.products) - mine - {"trtc"}
    if not second:
        return
    for position, (relation, number, products) in enumerate(search.index.rows(_RELATIONS)):
        joined = set(products.split(","))
        if joined & mine and joined & second:
            yield Hit(number, Strategy.CROSS_RELATED, (1.0, float(-position)), (f"relation {relation}",))


def _by_related(search: Search, sources: list[int]) -> Iterator[Hit]:
    """One hop along the best hit's related list, for spans that no hit says anything strong about."""
    evidence = search.evidence
    open_spans = [i for i, found in enumerate(evidence.fields) if found and not any(n in found for n in search.found)]
    if not open_spans:
        return
    for source, number in search.index.rows(_RELATED, (as_json(sources[:1]),)):
        if any(
            "tags" in evidence.fields[i].get(number, {}) or "name" in evidence.fields[i].get(number, {})
            for i in open_spans
        ):
            reasons = f"related of {search.slices[source].slice_id}"
            yield Hit(number, Strategy.CROSS_RELATED, (0.0, evidence.score(number)), (reasons,))

"""Keyword ranking, shared by product-keyword and fuzzy: slices by how much of the query they cover."""

from collections.abc import Iterator

from query.trtc.contract import Strategy
from query.trtc.scope import is_circumstance
from query.trtc.strategies import Hit, Search
from query.trtc.terms import TermKind

#: The share of the query's weight that a slice must cover, where a product is given and where none is. A short query
#: must be covered more: it is all subject. A given product has narrowed the subject already.
COVERED_AT_LEAST, SHORT_COVERED_AT_LEAST = 0.1, 0.4
ANYWHERE_COVERED_AT_LEAST, ANYWHERE_SHORT_COVERED_AT_LEAST = 0.3, 0.6
#: A query of at most so many terms is short.
_SHORT = 2
#: From this share of the query's weight on, the query is about a feature that the base does not have.
OFF_TOPIC_FROM = 0.45
#: A slice with a smaller share of the best score is not shown.
WORTH_SHOWING = 0.5
#: Fields of the base's index; the others come from pages.
_INDEX_FIELDS = frozenset({"name", "tags", "description"})


def keyword_hits(search: Search, strategy: Strategy, most: int = 5) -> list[Hit]:
    """The best ``most`` slices of the requested product, or of all products."""
    matches = search.matches
    scores = {n: matches.score(n) for n in matches.slices() if search.in_product(n)}
    best = max(scores.values(), default=0.0)
    shown = [n for n, score in scores.items() if score >= WORTH_SHOWING * best and is_about(search, n)]
    shown.sort(key=lambda n: (-scores[n], n))
    return [
        Hit(n, strategy, (scores[n],), tuple(_reasons(search, n)), body_only=not _in_index(search, n))
        for n in shown[:most]
    ]


def is_about(search: Search, number: int) -> bool:
    """Whether a slice answers the query: it has its identifier, a tag that it names, or enough of its words.

    A feature that the base does not have voids the answer only if the slice has no object of the query itself
    (docs/decisions/trtc.md#each-object-counts).
    """
    matches = search.matches
    terms = zip(matches.terms, matches.matches, strict=True)
    if any(term.kind is TermKind.IDENTIFIER and number in found for term, found in terms):
        return True
    objects = {hit.term for hit in matches.tag_hits if hit.slice == number and hit.named and not hit.generic}
    if any(not is_circumstance(search.parsed.text, matches.terms[term]) for term in objects):
        return True
    return matches.off_topic_share(number) < OFF_TOPIC_FROM and matches.coverage(number) >= covered_at_least(search)


def covered_at_least(search: Search) -> float:
    """The share of this query's weight, 0 to 1, that a slice must cover."""
    is_short = len(search.matches.terms) <= _SHORT
    if search.request.product is None:
        return ANYWHERE_SHORT_COVERED_AT_LEAST if is_short else ANYWHERE_COVERED_AT_LEAST
    return SHORT_COVERED_AT_LEAST if is_short else COVERED_AT_LEAST


def _in_index(search: Search, number: int) -> bool:
    return any(_INDEX_FIELDS & matches.get(number, {}).keys() for matches in search.matches.matches)


def _reasons(search: Search, number: int) -> Iterator[str]:
    for term, matches in zip(search.matches.terms, search.matches.matches, strict=True):
        if number in matches:
            yield f"{term.text} in {', '.join(sorted(matches[number]))}"

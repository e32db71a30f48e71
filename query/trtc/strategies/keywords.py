"""What product-keyword and fuzzy share: slices ranked by how much of the query their words cover."""

from collections.abc import Iterator

from query.trtc.contract import Strategy
from query.trtc.strategies import Hit, Search

#: Below this share of the query's weight, a slice only shares some words with it; a short query is all subject.
#: Whoever names the product has narrowed the subject already.
COVERED_AT_LEAST, SHORT_COVERED_AT_LEAST = 0.1, 0.4
ANYWHERE_COVERED_AT_LEAST, ANYWHERE_SHORT_COVERED_AT_LEAST = 0.3, 0.6
_SHORT = 2
#: From this share of the query on, a feature that the base lacks is what the query is about.
ELSEWHERE_FROM = 0.45
#: Slices far behind the best one are noise.
WORTH_SHOWING = 0.5
#: Fields that the index itself gives; everything else comes from a page.
_INDEX_FIELDS = frozenset({"name", "tags", "description"})


def keyword_hits(search: Search, strategy: Strategy, most: int = 5) -> list[Hit]:
    """The best ``most`` slices of the product asked for (of all products if none is)."""
    evidence = search.evidence
    scores = {n: evidence.score(n) for n in evidence.slices() if search.in_product(n)}
    best = max(scores.values(), default=0.0)
    good = [n for n, score in scores.items() if score >= WORTH_SHOWING * best and is_about(search, n)]
    good.sort(key=lambda n: (-scores[n], n))
    return [
        Hit(n, strategy, (scores[n],), tuple(_via(search, n)), body_only=not _in_index(search, n)) for n in good[:most]
    ]


def is_about(search: Search, number: int) -> bool:
    """Whether a slice covers enough of the query, and too little of it names what the base lacks."""
    evidence = search.evidence
    return evidence.off_topic_share(number) < ELSEWHERE_FROM and evidence.coverage(number) >= covered_at_least(search)


def covered_at_least(search: Search) -> float:
    """The share of this query, 0 to 1, that a slice must cover to be about it."""
    is_short = len(search.evidence.spans) <= _SHORT
    if search.request.product is None:
        return ANYWHERE_SHORT_COVERED_AT_LEAST if is_short else ANYWHERE_COVERED_AT_LEAST
    return SHORT_COVERED_AT_LEAST if is_short else COVERED_AT_LEAST


def _in_index(search: Search, number: int) -> bool:
    return any(_INDEX_FIELDS & found.get(number, {}).keys() for found in search.evidence.fields)


def _via(search: Search, number: int) -> Iterator[str]:
    for span, found in zip(search.evidence.spans, search.evidence.fields, strict=True):
        if number in found:
            yield f"{span.text} in {', '.join(sorted(found[number]))}"

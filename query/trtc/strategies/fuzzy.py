"""Strategy 5, fuzzy: the last resort over scenarios and descriptions (specification Step 2, row 5)."""

from collections.abc import Iterable, Iterator

from query.index import as_json
from query.trtc.contract import Strategy
from query.trtc.strategies import Hit, Search
from query.trtc.strategies.keywords import keyword_hits

_OCCURRENCES = """
SELECT term, doc FROM scenario_occurrence WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term, doc
"""
_SLICES = "SELECT scenario, slice FROM scenario_slice WHERE scenario = ? ORDER BY position"
#: Hits are capped here when no product is given (specification, "product=null degradation").
MOST = 5
#: A scenario must cover this share of the query to answer it.
_COVERED_AT_LEAST = 0.6


def find(search: Search) -> Iterable[Hit]:
    """Only where nothing else found anything: what the index says of slices, of scenarios, then what pages say."""
    if search.hits:
        return []
    slices = keyword_hits(search, Strategy.FUZZY, MOST * 2)
    return [hit for hit in slices if not hit.body_only] or list(_scenario(search)) or slices


def _scenario(search: Search) -> Iterator[Hit]:
    """The slices of the scenario whose name and description cover the query best (decision 14)."""
    spans = [span for span in search.question.spans if span.terms]
    terms = as_json(sorted({term for span in spans for term in span.terms}))
    found: dict[int, set[str]] = {}
    for term, scenario in search.index.rows(_OCCURRENCES, (terms,)):
        found.setdefault(scenario, set()).add(term)
    covered = {s: sum(set(span.terms) <= words for span in spans) for s, words in found.items()}
    best = max(covered, key=lambda s: (covered[s], -s), default=None)
    if best is None or covered[best] < _COVERED_AT_LEAST * len(spans):
        return
    for position, (scenario, number) in enumerate(search.index.rows(_SLICES, (best,))):
        if search.in_product(number):
            yield Hit(number, Strategy.FUZZY, (float(-position),), (f"scenario {scenario}",))

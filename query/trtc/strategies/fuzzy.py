"""Strategy 5, fuzzy: the last resort, over descriptions, scenarios and page texts."""

from collections.abc import Iterable, Iterator

from query.index import as_json
from query.trtc.contract import Strategy
from query.trtc.strategies import Hit, Search
from query.trtc.strategies.keywords import keyword_hits

_OCCURRENCES = """
SELECT term, doc FROM scenario_occurrence WHERE term IN (SELECT value FROM json_each(?)) GROUP BY term, doc
"""
_SLICES = "SELECT scenario_id, slice FROM scenario_slice JOIN scenario ON id = scenario WHERE id = ? ORDER BY position"
#: The largest number of hits without a product, as the specification fixes it.
MOST = 5
#: A scenario must cover this share of the query's terms.
_COVERED_AT_LEAST = 0.6


def find(search: Search) -> Iterable[Hit]:
    """Runs only if nothing else was found: fields of the base's index first, then scenarios, then page texts."""
    if search.hits:
        return []
    slices = keyword_hits(search, Strategy.FUZZY, MOST * 2)
    return ([hit for hit in slices if not hit.body_only] or list(_scenario(search)) or slices)[:MOST]


def _scenario(search: Search) -> Iterator[Hit]:
    """The slices of the scenario whose name and description cover most terms of the query."""
    terms = [term for term in search.parsed.terms if term.words]
    words = as_json(sorted({word for term in terms for word in term.words}))
    found: dict[int, set[str]] = {}
    for word, scenario in search.index.rows(_OCCURRENCES, (words,)):
        found.setdefault(scenario, set()).add(word)
    covered = {s: sum(set(term.words) <= contained for term in terms) for s, contained in found.items()}
    best = max(covered, key=lambda s: (covered[s], -s), default=None)
    if best is None or covered[best] < _COVERED_AT_LEAST * len(terms):
        return
    for position, (scenario_id, number) in enumerate(search.index.rows(_SLICES, (best,))):
        if search.in_product(number):
            yield Hit(number, Strategy.FUZZY, (float(-position),), (f"scenario {scenario_id}",))

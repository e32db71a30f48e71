"""Strategy 2, tag: words of the query that lead to tags of a slice (specification Step 2, row 2; decisions 17, 26)."""

from collections.abc import Iterable, Iterator, Sequence

from query.trtc.contract import Strategy
from query.trtc.scoring import FieldMatches, TagHit
from query.trtc.strategies import Hit, Search

#: A slice whose evidence falls below this share of the best slice's has a stray tag, not the subject.
STRAY_BELOW = 0.45
GENERIC_STRAY_BELOW = 0.8
#: A query of which less than this share is covered is about something else, whatever tag it brushes.
COVERED_AT_LEAST = 0.55
#: Slices that lead for one tag each share the query if together they cover this much of it.
TOGETHER_AT_LEAST = 0.8
#: Generic tags (SDK, UI) tell only where they leave next to nothing of the query.
GENERIC_COVERED_AT_LEAST = 0.85
_LEADS_FROM = 0.8
#: From this share of the query on, a feature that the base lacks is what the query is about.
ELSEWHERE_FROM = 0.35


def find(search: Search) -> Iterable[Hit]:
    """Slices with a tag of the index that the query names, by intersection and evidence."""
    evidence = search.evidence
    by_slice: dict[int, list[TagHit]] = {}
    for hit in evidence.tag_hits:
        if hit.origin == "index" and hit.named and search.in_product(hit.slice):
            by_slice.setdefault(hit.slice, []).append(hit)
    return list(_qualified(search, by_slice, evidence))


def _qualified(search: Search, by_slice: dict[int, list[TagHit]], evidence: FieldMatches) -> Iterator[Hit]:
    candidates = [number for number in evidence.slices() if search.in_product(number)]
    best = max((evidence.score(number) for number in candidates), default=0.0)
    sharing = _sharing(evidence, by_slice)
    for number, hits in by_slice.items():
        least = GENERIC_STRAY_BELOW if all(hit.generic for hit in hits) else STRAY_BELOW
        alone = is_subject(evidence, number, hits) and evidence.score(number) >= least * best
        if alone or number in sharing:
            reasons = tuple(f"tag {tag}" for tag in dict.fromkeys(hit.tag for hit in hits))
            yield Hit(number, Strategy.TAG, (evidence.score(number), float(len({hit.span for hit in hits}))), reasons)


def _sharing(evidence: FieldMatches, by_slice: dict[int, list[TagHit]]) -> set[int]:
    """Slices that cover the query between them: ``弹幕和礼物`` is about two, and no one of them covers it."""
    named: dict[int, set[int]] = {}
    for number, hits in by_slice.items():
        for hit in hits:
            if not hit.generic:
                named.setdefault(hit.span, set()).add(number)
    leaders: set[int] = set()
    for span, numbers in named.items():
        most = max(evidence.span_score(span, number) for number in numbers)
        leaders |= {number for number in numbers if evidence.span_score(span, number) >= _LEADS_FROM * most}
    return leaders if evidence.coverage(*leaders) >= TOGETHER_AT_LEAST else set()


def is_subject(evidence: FieldMatches, number: int, hits: Sequence[TagHit]) -> bool:
    """Decision 17: a specific tag, or generic ones that leave nothing of the query uncovered."""
    if evidence.off_topic_share(number) >= ELSEWHERE_FROM:
        return False
    coverage = evidence.coverage(number)
    if all(hit.generic for hit in hits):
        return coverage >= GENERIC_COVERED_AT_LEAST
    return coverage >= COVERED_AT_LEAST

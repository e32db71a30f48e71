"""Strategy 2, tag: slices whose tags or name the query names, and that match the rest of the query too.

A tag alone is no match of high confidence: the action asked about may be absent (docs/decisions/trtc.md
#high-means-the-question), and so may the platform (docs/decisions/trtc.md#classes-outside-the-base).
"""

from collections.abc import Iterable, Mapping, Sequence

from query.trtc.contract import Strategy
from query.trtc.scoring import FieldMatches, TagHit, collect_matches
from query.trtc.strategies import Hit, Search


def find(search: Search) -> Iterable[Hit]:
    """Slices with a named tag that cover the query, alone or together, those whose name it has first, then by score."""
    matches = search.matches
    by_slice: dict[int, list[TagHit]] = {}
    for hit in matches.tag_hits:
        if hit.origin != "page" and hit.named and search.in_product(hit.slice):
            by_slice.setdefault(hit.slice, []).append(hit)
    sharing = _sharing(matches, by_slice)
    covering = [number for number in by_slice if number in sharing or matches.cover_query(number)]
    return [_hit(matches, number, by_slice[number]) for number in _in_context(search, covering)]


def _hit(matches: FieldMatches, number: int, tags: Sequence[TagHit]) -> Hit:
    reasons = tuple(f"{'name' if hit.origin == 'name' else 'tag'} {hit.tag}" for hit in tags)
    names = sum(hit.origin == "name" for hit in tags)
    order = float(names), matches.score(number), float(len({hit.term for hit in tags}))
    return Hit(number, Strategy.TAG, order, tuple(dict.fromkeys(reasons)))


def _sharing(matches: FieldMatches, by_slice: Mapping[int, Sequence[TagHit]]) -> set[int]:
    """The slices with a specific tag, if they cover the query together: ``弹幕和礼物`` is about two features."""
    specific = {number for number, hits in by_slice.items() if not all(hit.generic for hit in hits)}
    return specific if specific and matches.cover_query(*specific) else set()


def _in_context(search: Search, numbers: Sequence[int]) -> Sequence[int]:
    """The slices whose pages mention every platform, framework or other app that the query names."""
    if not (numbers and search.parsed.contexts):
        return numbers
    contexts = collect_matches(search.index, search.parsed.contexts)
    return [number for number in numbers if all(number in mentioned for mentioned in contexts.matches)]

"""Strategy 2, tag: terms of the query that name tags of a slice (docs/decisions/trtc.md#generic-tags)."""

from collections.abc import Iterable, Iterator, Sequence

from query.trtc.contract import Strategy
from query.trtc.scoring import FieldMatches, TagHit
from query.trtc.strategies import Hit, Search

#: A slice must cover this share of the query's weight: a query of which less is covered has another subject.
COVERED_AT_LEAST = 0.55
#: With generic tags only (SDK, UI), a slice must cover nearly all of the query.
GENERIC_COVERED_AT_LEAST = 0.85
#: Slices with one named tag each share the query if they cover this share of its weight together.
TOGETHER_AT_LEAST = 0.8


def find(search: Search) -> Iterable[Hit]:
    """Slices with a tag of the base's index that the query names, ranked by score and number of terms with a tag."""
    by_slice: dict[int, list[TagHit]] = {}
    for hit in search.matches.tag_hits:
        if hit.origin == "index" and hit.named and search.in_product(hit.slice):
            by_slice.setdefault(hit.slice, []).append(hit)
    return list(_qualified(search.matches, by_slice))


def _qualified(matches: FieldMatches, by_slice: dict[int, list[TagHit]]) -> Iterator[Hit]:
    sharing = _sharing(matches, by_slice)
    for number, hits in by_slice.items():
        if number in sharing or is_subject(matches, number, hits):
            reasons = tuple(f"tag {tag}" for tag in dict.fromkeys(hit.tag for hit in hits))
            order = matches.score(number), float(len({hit.term for hit in hits}))
            yield Hit(number, Strategy.TAG, order, reasons)


def _sharing(matches: FieldMatches, by_slice: dict[int, list[TagHit]]) -> set[int]:
    """The slices that cover the query together: ``弹幕和礼物`` is about two features, and no slice covers both."""
    specific = {number for number, hits in by_slice.items() if not all(hit.generic for hit in hits)}
    return specific if matches.coverage(*specific) >= TOGETHER_AT_LEAST else set()


def is_subject(matches: FieldMatches, number: int, hits: Sequence[TagHit]) -> bool:
    """Whether a slice with these tags is about the query: a generic tag alone must leave next to nothing uncovered."""
    only_generic = all(hit.generic for hit in hits)
    return matches.coverage(number) >= (GENERIC_COVERED_AT_LEAST if only_generic else COVERED_AT_LEAST)

"""The order of hits: in-platform first, then strategy, then each strategy's own order, then the index's. No SQL."""

from collections.abc import Iterable

from query.contract import Strategy
from query.trtc.search import Hit

_PRIORITY = {strategy: position for position, strategy in enumerate(Strategy)}


def best_of_each(hits: Iterable[Hit]) -> list[Hit]:
    """Each slice once, under its highest strategy (decision 32)."""
    kept: dict[int, Hit] = {}
    for hit in hits:
        other = kept.get(hit.number)
        if other is None or _PRIORITY[hit.strategy] < _PRIORITY[other.strategy]:
            kept[hit.number] = hit
    return list(kept.values())


def ordered(hits: Iterable[Hit], secondary: frozenset[int]) -> list[Hit]:
    """Sort hits; ``secondary`` are slices kept only as overviews of another platform (decision 13)."""
    return sorted(
        hits,
        key=lambda hit: (
            hit.number in secondary,
            _PRIORITY[hit.strategy],
            tuple(-part for part in hit.order),
            hit.number,
        ),
    )

"""Token sets of NIM units, compiled for Jaccard similarity: rows of ``nim_set``, ``nim_set_size``, ``nim_posting``.

A posting list names sets by rank: the sets of one field, the smaller ones first (fileformat/postings.py).
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from indexer.compile.rows import Row, Rows, dictionary_row
from indexer.reading.nim.values import is_placeholder
from indexer.records import Unit
from query.analysis.normalize import Variants, normalize
from query.analysis.posting_lists import pack_numbers, pack_ranks
from query.analysis.tokens import GENERIC_TAGS, fold_tag, jaccard_tokens, join_tokens, split_tokens

#: The track type that has root causes.
TROUBLE = "排查类"
#: Fields that candidates are found by; a description is only compared.
INDEXED = ("title", "tags", "conclusion")
#: Fields whose sets are also stored by unit: every candidate is compared by them.
STORED = ("title", "tags")


@dataclass(frozen=True, slots=True)
class Sides:
    """The texts of a unit that are compared by compiled sets (decisions 3-7).

    ``is_trouble``: graded by the rule for 排查类; ``has_cause``: a real root cause is among its texts.
    """

    title: str
    tags: str
    conclusion: str
    is_trouble: bool
    has_cause: bool


def compared_texts(unit: Unit) -> Sides:
    """What of a unit is compared: placeholders count as empty, its own product and platform are no tags."""
    own = GENERIC_TAGS | {fold_tag(name) for name in (unit.product, unit.platform, *unit.platforms)}
    has_cause = not is_placeholder(unit.root_cause)
    parts = [text for text in (unit.root_cause, unit.solution) if not is_placeholder(text)]
    return Sides(
        title=unit.display_title,
        tags=" ".join(tag for tag in unit.tags if fold_tag(tag) not in own),
        conclusion=" ".join(parts) if has_cause else "",
        is_trouble=unit.track_type == TROUBLE,
        has_cause=has_cause,
    )


def token_set_rows(compared: Sequence[Sides], variants: Variants) -> Rows:
    """The rows of ``nim_set``, and of the tables by which overlaps are counted; characters are folded (F6)."""
    sets = {field: [_joined(getattr(side, field), variants) for side in compared] for field in INDEXED}
    rows: Rows = {
        "nim_set": [
            {"unit": number, "is_trouble": int(side.is_trouble), "has_cause": int(side.has_cause)}
            | {field: sets[field][number - 1] for field in STORED}
            for number, side in enumerate(compared, 1)
        ],
        "nim_set_size": [],
        "nim_posting": [],
    }
    for field in sorted(INDEXED):
        sizes, postings = _inverted(sets[field])
        rows["nim_set_size"] += [{"field": field, **row} for row in sizes]
        rows["nim_posting"] += [
            {"field": field, "token": token, "ranks": pack_ranks(ranks)} for token, ranks in sorted(postings.items())
        ]
    return rows


def _joined(text: str, variants: Variants) -> str:
    return join_tokens(jaccard_tokens(normalize(text, variants)))


def _inverted(sets: Sequence[str]) -> tuple[list[Row], Mapping[str, Sequence[int]]]:
    """The sizes of one field's non-empty sets, each with its units, and the ranks of the sets that hold a token."""
    units: dict[int, list[int]] = {}
    for number, joined in enumerate(sets, 1):
        if joined:
            units.setdefault(len(split_tokens(joined)), []).append(number)
    sizes: list[Row] = []
    postings: dict[str, array[int]] = {}
    first = 0
    for size, numbers in sorted(units.items()):
        sizes.append({"size": size, "first_rank": first, "units": pack_numbers(numbers)})
        for rank, number in enumerate(numbers, first):
            for token in split_tokens(sets[number - 1]):
                postings.setdefault(token, array("I")).append(rank)
        first += len(numbers)
    return sizes, postings


def origin_rows(units: Iterable[Unit]) -> Rows:
    """The dictionary entry of every product and platform that some unit has: such a tag says nothing of that unit."""
    names = {fold_tag(n) for unit in units for n in (unit.product, unit.platform, *unit.platforms)}
    return {"dictionary": [dictionary_row(name, "nim origin") for name in sorted(names)]}

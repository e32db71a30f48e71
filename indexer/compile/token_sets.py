"""Token sets of NIM units for Jaccard similarity: the rows of ``nim_set``, ``nim_set_size`` and ``nim_posting``.

The sets of one field are ranked by size, smallest first. A posting list contains the ranks of the sets that have a
token (query/analysis/posting_lists.py).
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

#: The track type whose units have root causes.
TROUBLE = "排查类"
#: Fields by which a search finds candidates.
INDEXED = ("title", "tags", "conclusion")
#: Fields whose sets are also stored by unit: every candidate is compared by them.
STORED = ("title", "tags")


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """The texts of a unit that are compared as token sets.

    ``is_trouble``: graded by the rule for 排查类; ``has_cause``: its root cause is not a placeholder.
    """

    title: str
    tags: str
    conclusion: str
    is_trouble: bool
    has_cause: bool


def compared_texts(unit: Unit) -> ComparedTexts:
    """The compared texts of a unit: without placeholders, and without tags that are its own product or platform.

    See docs/decisions/nim.md#placeholders and docs/decisions/nim.md#tags-that-say-nothing.
    """
    left_out = GENERIC_TAGS | {fold_tag(name) for name in (unit.product, unit.platform, *unit.platforms)}
    has_cause = not is_placeholder(unit.root_cause)
    parts = [text for text in (unit.root_cause, unit.solution) if not is_placeholder(text)]
    return ComparedTexts(
        title=unit.display_title,
        tags=" ".join(tag for tag in unit.tags if fold_tag(tag) not in left_out),
        conclusion=" ".join(parts) if has_cause else "",
        is_trouble=unit.track_type == TROUBLE,
        has_cause=has_cause,
    )


def token_set_rows(compared: Sequence[ComparedTexts], variants: Variants) -> Rows:
    """The token sets of all units, and the tables from which a search counts overlaps."""
    sets = {field: [_joined(getattr(texts, field), variants) for texts in compared] for field in INDEXED}
    rows: Rows = {
        "nim_set": [
            {"unit": number, "is_trouble": int(texts.is_trouble), "has_cause": int(texts.has_cause)}
            | {field: sets[field][number - 1] for field in STORED}
            for number, texts in enumerate(compared, 1)
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
    """Invert the sets of one field: each size with its units in rank order, and each token with its ranks."""
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
    """The dictionary entry of every product and platform of a unit: as a tag of that unit it has no information."""
    names = {fold_tag(n) for unit in units for n in (unit.product, unit.platform, *unit.platforms)}
    return {"dictionary": [dictionary_row(name, "nim origin") for name in sorted(names)]}

"""Which units may qualify, from the compiled token sets: every unit that does, and few others (spec Step 3).

A pair that reaches 0.40 by tags and title has J >= 0.40 in one of them; a conclusion must reach 0.60. Every set's
overlap with the request's is counted at once (overlap.py), among the sets of a size that can reach the threshold:
a set that has J >= t with Q has between t |Q| and |Q| / t tokens.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from fileformat.postings import bits_of, number_at
from fileformat.tokens import fold_tag, jaccard_tokens, split_tokens
from query.index import Index, as_json
from query.nim.asked import Asked
from query.nim.contract import TagMode
from query.nim.overlap import Counts
from query.nim.score import ZERO, Ratio, jaccard
from query.nim.texts import read_texts
from query.nim.tracks import consult, troubleshoot

#: The least Jaccard, in hundredths, that each driving field must reach in some qualifying pair.
_TOGETHER = min(consult.POSSIBLE_AT_LEAST, troubleshoot.FALLBACK_AT_LEAST)
DRIVERS = {"title": _TOGETHER, "tags": _TOGETHER, "conclusion": troubleshoot.CONCLUSION_AT_LEAST}

_SIZES = """
SELECT size, first_rank, length(units) / 4 FROM nim_set_size WHERE field = ? AND size BETWEEN ? AND ? ORDER BY size
"""
_POSTINGS = "SELECT ranks FROM nim_posting WHERE field = ? AND token IN (SELECT value FROM json_each(?))"
_UNITS = "SELECT units FROM nim_set_size WHERE field = ? AND size = ?"
_SETS = """
SELECT unit, is_trouble, has_cause, title, tags FROM nim_set WHERE unit IN (SELECT value FROM json_each(?))
"""


class Sides(NamedTuple):
    """What of a unit is compared: token collections, of the same shape from compiled sets and from texts.

    ``conclusion``: its likeness to the request's; from compiled sets it is zero where it is too little for any grade.
    """

    unit: int
    is_trouble: bool
    has_cause: bool
    title: Collection[str]
    tags: Collection[str]
    conclusion: Ratio


def candidates(index: Index, asked: Asked) -> Iterator[Sides]:
    """Units that reach the least likeness in one of the driving fields."""
    whole = {"title": asked.title, "conclusion": asked.conclusion}
    alike = {field: reaching(index, field, tokens, len(tokens)) for field, tokens in whole.items()}
    alike["tags"] = reaching(index, "tags", asked.tags(), _smallest_tags(asked))
    units = sorted(set().union(*alike.values()))
    for unit, is_trouble, has_cause, title, tags in index.rows(_SETS, (as_json(units),)):
        conclusion = alike["conclusion"].get(unit, ZERO)
        yield Sides(unit, bool(is_trouble), bool(has_cause), split_tokens(title), split_tokens(tags), conclusion)


def _smallest_tags(asked: Asked) -> int:
    """The fewest tag tokens that any unit may leave, zero aside: those of the tags that stay everywhere.

    Where none stays everywhere, a unit that leaves any leaves one tag at least.
    """
    return len(asked.tags(asked.droppable)) or min(filter(None, map(len, asked.tag_sets.values())), default=0)


def reaching(index: Index, field: str, tokens: frozenset[str], smallest: int) -> Mapping[int, Ratio]:
    """Units whose set of a field may reach its threshold with ``tokens``, or with ``smallest`` of them left.

    The values are the likeness to all ``tokens``. With q tokens left and a set of s that shares c with them,
    J = c / (q + s - c) >= t wherever c >= t (q + s) / (1 + t), and c is no greater for fewer tokens.
    """
    least = DRIVERS[field]
    sizes = index.rows(_SIZES, (field, -(-least * smallest // 100), 100 * len(tokens) // least)) if smallest else []
    if not sizes:
        return {}
    begin, end = sizes[0][1] // 8, (sizes[-1][1] + sizes[-1][2] + 7) // 8
    lists = index.rows(_POSTINGS, (field, as_json(sorted(tokens))))
    counts = Counts((bits_of(ranks, begin, end) for (ranks,) in lists), end - begin)
    alike: dict[int, Ratio] = {}
    for size, first, number in sizes:
        place = first - 8 * begin
        found = list(counts.reaching(-(-least * (size + smallest) // (100 + least)), place, place + number))
        for (units,) in index.rows(_UNITS, (field, size)) if found else ():
            alike.update({number_at(units, p - place): Ratio(c, size + len(tokens) - c) for p, c in found})
    return alike


def sides_from_texts(index: Index, asked: Asked) -> Iterator[Sides]:
    """The slow way, for modes that no set is compiled for: every unit's texts, tokenised now."""
    modes = asked.modes
    for text in read_texts(index, modes.literal):
        if modes.tag is TagMode.WHOLE:
            tags = frozenset(fold_tag(tag) for tag in text.tags)
        else:
            tags = jaccard_tokens(" ".join(text.tags), modes.token)
        title, conclusion = (jaccard_tokens(part, modes.token) for part in (text.title, text.conclusion))
        yield Sides(text.unit, text.is_trouble, text.has_cause, title, tags, jaccard(asked.conclusion, conclusion))

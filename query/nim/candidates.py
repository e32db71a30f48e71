"""Which units may qualify: by SQL on compiled token sets, a sure superset of those that do (spec Step 3).

A pair that reaches 0.40 by tags and title has J >= 0.40 in one of them; a conclusion must reach 0.60. A set that
has J >= t with Q shares at least ceil(t |Q|) tokens with it, so it holds one of the rarest |Q| - ceil(t |Q|) + 1
tokens of Q (prefix filter: Bayardo et al., WWW 2007), and its size lies between t |Q| and |Q| / t (size filter).
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from fileformat.tokens import fold_tag, jaccard_tokens
from query.index import Index, Row, as_json, phrase
from query.nim.asked import Asked
from query.nim.contract import Request, TagMode
from query.nim.texts import read_texts
from query.nim.tracks import consult, troubleshoot

#: The least Jaccard, in hundredths, that each driving field must reach in some qualifying pair.
_TOGETHER = min(consult.POSSIBLE_AT_LEAST, troubleshoot.FALLBACK_AT_LEAST)
DRIVERS = {"title": _TOGETHER, "tags": _TOGETHER, "conclusion": troubleshoot.CONCLUSION_AT_LEAST}

_FREQUENCIES = """
SELECT term, doc FROM nim_set_frequency WHERE col = ? AND term IN (SELECT value FROM json_each(?))
"""
_CANDIDATES = """
SELECT nim_set.unit, is_trouble, has_cause, nim_set.title, nim_set.tags, nim_set.description, nim_set.conclusion
FROM nim_sets JOIN nim_set ON nim_set.unit = nim_sets.rowid
WHERE nim_sets MATCH ? AND length(nim_set.{field}) BETWEEN ? AND ?
"""


class Sides(NamedTuple):
    """What of a unit is compared, as token collections; the same shape from compiled sets and from texts."""

    unit: int
    is_trouble: bool
    has_cause: bool
    title: Collection[str]
    tags: Collection[str]
    description: Collection[str]
    conclusion: Collection[str]


def candidates(index: Index, asked: Asked) -> dict[int, Sides]:
    """Units that reach the least likeness in one of the driving fields; most that share a token do not."""
    staying = asked.tags(asked.droppable)
    found: dict[int, Sides] = {}
    for field, least in DRIVERS.items():
        tokens = asked.tags() if field == "tags" else getattr(asked, field)
        smallest, core = (_smallest_tags(asked, staying), staying) if field == "tags" else (len(tokens), tokens)
        place = Sides._fields.index(field)
        for row in _matching(index, field, tokens, smallest, least):
            if _may_reach(least, tokens, core, row[place]):
                found[row[0]] = Sides(row[0], bool(row[1]), bool(row[2]), *row[3:])
    return found


def _may_reach(least: int, tokens: frozenset[str], core: frozenset[str], other: str) -> bool:
    """Whether some set between ``core`` and ``tokens`` may reach J >= ``least`` hundredths with ``other``.

    No such set shares more with ``other`` than ``tokens`` do, nor has a smaller union with it than ``core``.
    """
    union = len(other) + len(core) - len(core.intersection(other))
    return 100 * len(tokens.intersection(other)) >= least * union


def _smallest_tags(asked: Asked, staying: frozenset[str]) -> int:
    """The fewest tag tokens that any unit may leave, zero aside: those of the tags that stay everywhere.

    Where none stays everywhere, a unit that leaves any leaves one tag at least.
    """
    return len(staying) or min(filter(None, map(len, asked.tag_sets.values())), default=0)


def _matching(index: Index, field: str, tokens: frozenset[str], smallest: int, least: int) -> Iterator[Row]:
    """Units that may reach ``least`` hundredths in ``field`` with ``tokens``, or with ``smallest`` of them left."""
    if not smallest:
        return
    shared = -(-least * smallest // 100)
    frequency: dict[str, int] = dict(index.rows(_FREQUENCIES, (field, as_json(sorted(tokens)))))
    rarest = sorted(tokens, key=lambda token: (frequency.get(token, 0), token))[: len(tokens) - shared + 1]
    present = [token for token in rarest if token in frequency]
    if present:
        match = f"{field} : ({' OR '.join(phrase(token) for token in present)})"
        bounds = (shared, 100 * len(tokens) // least)
        yield from index.rows(_CANDIDATES.format(field=field), (match, *bounds))


def sides_from_texts(index: Index, request: Request) -> Iterator[Sides]:
    """The slow way, for modes that no set is compiled for: every unit's texts, tokenised now."""
    modes = request.modes
    for text in read_texts(index, modes.literal):
        if modes.tag is TagMode.WHOLE:
            tags = frozenset(fold_tag(tag) for tag in text.tags)
        else:
            tags = jaccard_tokens(" ".join(text.tags), modes.token)
        title, description, conclusion = (
            jaccard_tokens(part, modes.token) for part in (text.title, text.description, text.conclusion)
        )
        yield Sides(text.unit, text.is_trouble, text.has_cause, title, tags, description, conclusion)

"""Which units may qualify, from the compiled token sets: every unit that does, and few others (spec Step 3).

A pair that reaches 0.40 by tags and title has J >= 0.40 in one of them; a conclusion must reach 0.60. Every set's
overlap with the request's is counted at once (overlap.py), among the sets of a size that can reach the threshold:
a set that has J >= t with Q has between t |Q| and |Q| / t tokens.

Which units qualify, and how: exact grades of the candidates (spec Step 3; decisions 1-5, 12).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from query.analysis.normalize import normalize
from query.analysis.posting_lists import Counts, bits_of, number_at
from query.analysis.tokens import fold_tag, jaccard_tokens, split_tokens
from query.index import Index, as_json
from query.nim.contract import Grade, Request, TagMode
from query.nim.request_tokens import RequestTokens
from query.nim.similarity import (
    CONCLUSION_AT_LEAST,
    CONSULT_AT_LEAST,
    FALLBACK_AT_LEAST,
    ZERO,
    Ratio,
    consult_grade,
    jaccard,
    tags_and_title,
    troubleshoot_grade,
)
from query.nim.units import uncompiled_texts

#: The least Jaccard, in hundredths, that each driving field must reach in some qualifying pair.
_TOGETHER = min(CONSULT_AT_LEAST, FALLBACK_AT_LEAST)
DRIVERS = {"title": _TOGETHER, "tags": _TOGETHER, "conclusion": CONCLUSION_AT_LEAST}

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


def candidates(index: Index, asked: RequestTokens) -> Iterator[Sides]:
    """Units that reach the least likeness in one of the driving fields."""
    whole = {"title": asked.title, "conclusion": asked.conclusion}
    alike = {field: units_over_threshold(index, field, tokens, len(tokens)) for field, tokens in whole.items()}
    alike["tags"] = units_over_threshold(index, "tags", asked.tags(), _smallest_tags(asked))
    units = sorted(set().union(*alike.values()))
    for unit, is_trouble, has_cause, title, tags in index.rows(_SETS, (as_json(units),)):
        conclusion = alike["conclusion"].get(unit, ZERO)
        yield Sides(unit, bool(is_trouble), bool(has_cause), split_tokens(title), split_tokens(tags), conclusion)


def _smallest_tags(asked: RequestTokens) -> int:
    """The fewest tag tokens that any unit may leave, zero aside: those of the tags that stay everywhere.

    Where none stays everywhere, a unit that leaves any leaves one tag at least.
    """
    return len(asked.tags(asked.removable_tags)) or min(filter(None, map(len, asked.tag_sets.values())), default=0)


def units_over_threshold(index: Index, field: str, tokens: frozenset[str], smallest: int) -> Mapping[int, Ratio]:
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
        found = list(counts.units_over_threshold(-(-least * (size + smallest) // (100 + least)), place, place + number))
        for (units,) in index.rows(_UNITS, (field, size)) if found else ():
            alike.update({number_at(units, p - place): Ratio(c, size + len(tokens) - c) for p, c in found})
    return alike


def uncompiled_units(index: Index, asked: RequestTokens) -> Iterator[Sides]:
    """The slow way, for modes that no set is compiled for: every unit's texts, tokenised now."""
    modes = asked.modes
    for text in uncompiled_texts(index, modes.literal):
        if modes.tag is TagMode.WHOLE:
            tags = frozenset(fold_tag(tag) for tag in text.tags)
        else:
            tags = jaccard_tokens(" ".join(text.tags), modes.token)
        title, conclusion = (jaccard_tokens(part, modes.token) for part in (text.title, text.conclusion))
        yield Sides(text.unit, text.is_trouble, text.has_cause, title, tags, jaccard(asked.conclusion, conclusion))


_TAGS_AND_TITLES = "SELECT unit, tags, title FROM nim_set WHERE unit IN (SELECT value FROM json_each(?))"
_DESCRIPTION = "SELECT description FROM nim_unit WHERE id = ?"
_OWN_NAMES = """
SELECT nim_unit.id, nim_unit.product, nim_unit.platform, nim_platform.platform
FROM nim_unit LEFT JOIN nim_platform ON nim_platform.unit = nim_unit.id
WHERE nim_unit.id IN (SELECT value FROM json_each(?))
"""


class Graded(NamedTuple):
    """One qualifying unit: its grade, the score that ranks it, and the similarities that went into it."""

    unit: int
    grade: Grade
    score: Ratio
    parts: Mapping[str, Ratio]
    tagless: bool = False  # a side had no tag left, and the score is by tags and title (decision 3)


def matching_units(index: Index, asked: RequestTokens) -> list[Graded]:
    """Every unit of the whole base that qualifies, in unit order, exactly as a comparison with each would find."""
    pairs = {s.unit: s for s in (candidates if asked.modes.compiled else uncompiled_units)(index, asked)}
    own = _own_names(index, pairs, asked)
    tags_without = cache(asked.tags)
    graded = (
        grade_pair(index, asked, pairs[unit], tags_without(asked.removable_tags & own.get(unit, frozenset())))
        for unit in sorted(pairs)
    )
    return [result for result in graded if result is not None]


def grade_pair(index: Index, asked: RequestTokens, sides: Sides, said: frozenset[str]) -> Graded | None:
    """Grade one unit by its own type's rule (decision 12); ``said`` are the request's tags that count for it."""
    tags, title = jaccard(said, sides.tags), jaccard(asked.title, sides.title)
    together = tags_and_title(tags, title)
    conclusion = sides.conclusion if sides.is_trouble and asked.has_cause and sides.has_cause else None
    if not _may_qualify(sides.is_trouble, conclusion, together):
        return None
    description = _description(index, asked, sides.unit)
    parts = {"tags": tags, "title": title, "description": description}
    grade = troubleshoot_grade(conclusion, description, together) if sides.is_trouble else consult_grade(together)
    if grade is None:
        return None
    if conclusion is None:
        tagless = not said or not sides.tags
        return Graded(sides.unit, grade, together, parts, tagless=tagless)
    return Graded(sides.unit, grade, conclusion, {**parts, "conclusion": conclusion})


def _may_qualify(is_trouble: bool, conclusion: Ratio | None, together: Ratio) -> bool:
    """Whether the deciding similarity reaches its threshold; most candidates end here, undescribed."""
    if conclusion is not None:
        return conclusion.at_least(CONCLUSION_AT_LEAST)
    return together.at_least(FALLBACK_AT_LEAST if is_trouble else CONSULT_AT_LEAST)


def _description(index: Index, asked: RequestTokens, unit: int) -> Ratio:
    """How alike the descriptions are: asked of the few that reach so far, so the file holds no set of it."""
    ((text,),) = index.rows(_DESCRIPTION, (unit,))
    text = text if asked.modes.literal else normalize(text, index.variants)
    return jaccard(asked.description, jaccard_tokens(text, asked.modes.token))


def similarities(index: Index, asked: RequestTokens, units: Iterable[int]) -> dict[int, tuple[Ratio, Ratio]]:
    """The tag and title similarity of given units, by the compiled sets: ``asked`` is of the default modes."""
    numbers = sorted(units)
    own = _own_names(index, numbers, asked)
    tags_without = cache(asked.tags)
    return {
        unit: (
            jaccard(tags_without(asked.removable_tags & own.get(unit, frozenset())), split_tokens(tags)),
            jaccard(asked.title, split_tokens(title)),
        )
        for unit, tags, title in index.rows(_TAGS_AND_TITLES, (as_json(numbers),))
    }


def no_tag_left(asked: RequestTokens, request: Request) -> bool:
    """Whether the request has tags, and each is generic, or names a product or platform of the base (decision 3)."""
    return bool(request.tags) and not asked.tags(asked.removable_tags)


def _own_names(index: Index, units: Iterable[int], asked: RequestTokens) -> dict[int, frozenset[str]]:
    """Each unit's product and platforms, folded, where the request has a tag of such a name at all."""
    if not asked.removable_tags:
        return {}
    names: dict[int, set[str]] = {}
    for unit, product, raw, platform in index.rows(_OWN_NAMES, (as_json(sorted(units)),)):
        names.setdefault(unit, set()).update(fold_tag(name) for name in (product, raw, platform or ""))
    return {unit: frozenset(found) for unit, found in names.items()}

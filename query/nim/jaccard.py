"""Which units qualify, and how: exact grades of the candidates (spec Step 3; decisions 1-5, 12)."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from fileformat.fold import normalise
from fileformat.tokens import fold_tag, jaccard_tokens, split_tokens
from query.index import Index, as_json
from query.nim.asked import Asked
from query.nim.candidates import Sides, candidates, sides_from_texts
from query.nim.contract import Grade, Request
from query.nim.score import Ratio, jaccard, tags_and_title
from query.nim.tracks import consult, troubleshoot

_SETS = "SELECT unit, tags, title FROM nim_set WHERE unit IN (SELECT value FROM json_each(?))"
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


def qualifying(index: Index, asked: Asked) -> list[Graded]:
    """Every unit of the whole base that qualifies, in unit order, exactly as a comparison with each would find."""
    pairs = {s.unit: s for s in (candidates if asked.modes.compiled else sides_from_texts)(index, asked)}
    own = _own_names(index, pairs, asked)
    tags_without = cache(asked.tags)
    graded = (
        grade_pair(index, asked, pairs[unit], tags_without(asked.droppable & own.get(unit, frozenset())))
        for unit in sorted(pairs)
    )
    return [result for result in graded if result is not None]


def grade_pair(index: Index, asked: Asked, sides: Sides, said: frozenset[str]) -> Graded | None:
    """Grade one unit by its own type's rule (decision 12); ``said`` are the request's tags that count for it."""
    tags, title = jaccard(said, sides.tags), jaccard(asked.title, sides.title)
    together = tags_and_title(tags, title)
    conclusion = sides.conclusion if sides.is_trouble and asked.has_cause and sides.has_cause else None
    if not _may_qualify(sides.is_trouble, conclusion, together):
        return None
    description = _description(index, asked, sides.unit)
    parts = {"tags": tags, "title": title, "description": description}
    grade = troubleshoot.grade(conclusion, description, together) if sides.is_trouble else consult.grade(together)
    if grade is None:
        return None
    if conclusion is None:
        tagless = not said or not sides.tags
        return Graded(sides.unit, grade, together, parts, tagless=tagless)
    return Graded(sides.unit, grade, conclusion, {**parts, "conclusion": conclusion})


def _may_qualify(is_trouble: bool, conclusion: Ratio | None, together: Ratio) -> bool:
    """Whether the deciding similarity reaches its threshold; most candidates end here, undescribed."""
    if conclusion is not None:
        return conclusion.at_least(troubleshoot.CONCLUSION_AT_LEAST)
    return together.at_least(troubleshoot.FALLBACK_AT_LEAST if is_trouble else consult.POSSIBLE_AT_LEAST)


def _description(index: Index, asked: Asked, unit: int) -> Ratio:
    """How alike the descriptions are: asked of the few that reach so far, so the file holds no set of it."""
    ((text,),) = index.rows(_DESCRIPTION, (unit,))
    text = text if asked.modes.literal else normalise(text, index.variants)
    return jaccard(asked.description, jaccard_tokens(text, asked.modes.token))


def similarities(index: Index, asked: Asked, units: Iterable[int]) -> dict[int, tuple[Ratio, Ratio]]:
    """The tag and title similarity of given units, by the compiled sets: ``asked`` is of the default modes."""
    numbers = sorted(units)
    own = _own_names(index, numbers, asked)
    tags_without = cache(asked.tags)
    return {
        unit: (
            jaccard(tags_without(asked.droppable & own.get(unit, frozenset())), split_tokens(tags)),
            jaccard(asked.title, split_tokens(title)),
        )
        for unit, tags, title in index.rows(_SETS, (as_json(numbers),))
    }


def no_tag_tells(asked: Asked, request: Request) -> bool:
    """Whether the request has tags, and each is generic, or names a product or platform of the base (decision 3)."""
    return bool(request.tags) and not asked.tags(asked.droppable)


def _own_names(index: Index, units: Iterable[int], asked: Asked) -> dict[int, frozenset[str]]:
    """Each unit's product and platforms, folded, where the request has a tag of such a name at all."""
    if not asked.droppable:
        return {}
    names: dict[int, set[str]] = {}
    for unit, product, raw, platform in index.rows(_OWN_NAMES, (as_json(sorted(units)),)):
        names.setdefault(unit, set()).update(fold_tag(name) for name in (product, raw, platform or ""))
    return {unit: frozenset(found) for unit, found in names.items()}

"""Which units qualify, and their grades: every unit of the base that a comparison with each of them would find.

A unit qualifies only if its title, tags or conclusion alone reach a threshold: 0.6 J(tags) + 0.4 J(title) >= t needs
J >= t in one of the two. The stored posting lists give the units that do; these candidates are then graded exactly.
A set with J >= t to a set of q tokens has between t q and q / t tokens, so only sets of these sizes are read.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from query.analysis.normalize import normalize
from query.analysis.posting_lists import Counts, bits_of, number_at
from query.analysis.tokens import fold_tag, jaccard_tokens, split_tokens
from query.index import Index, as_json
from query.nim.contract import Grade, TagMode
from query.nim.request_text import RequestTokens
from query.nim.similarity import (
    CONCLUSION_AT_LEAST,
    CONSULT_AT_LEAST,
    FALLBACK_AT_LEAST,
    ZERO,
    Ratio,
    combined,
    consult_grade,
    jaccard,
    troubleshoot_grade,
)
from query.nim.units import compared_texts

_TAGS_AND_TITLE_AT_LEAST = min(CONSULT_AT_LEAST, FALLBACK_AT_LEAST)
#: Field -> the Jaccard similarity, in hundredths, that makes a unit a candidate.
CANDIDATE_THRESHOLDS = {
    "title": _TAGS_AND_TITLE_AT_LEAST,
    "tags": _TAGS_AND_TITLE_AT_LEAST,
    "conclusion": CONCLUSION_AT_LEAST,
}

_SIZES = """
SELECT size, first_rank, length(units) / 4 FROM nim_set_size WHERE field = ? AND size BETWEEN ? AND ? ORDER BY size
"""
_POSTINGS = "SELECT ranks FROM nim_posting WHERE field = ? AND token IN (SELECT value FROM json_each(?))"
_UNITS_OF_SIZE = "SELECT units FROM nim_set_size WHERE field = ? AND size = ?"
_SETS = """
SELECT unit, is_trouble, has_cause, title, tags FROM nim_set
WHERE unit IN (SELECT value FROM json_each(?)) ORDER BY unit
"""
_DESCRIPTION = "SELECT description FROM nim_unit WHERE id = ?"
_OWN_NAMES = """
SELECT nim_unit.id, nim_unit.product, nim_unit.platform, nim_platform.platform
FROM nim_unit LEFT JOIN nim_platform ON nim_platform.unit = nim_unit.id
WHERE nim_unit.id IN (SELECT value FROM json_each(?))
"""


class UnitTokens(NamedTuple):
    """The token sets of a unit, as collections without repetitions.

    ``conclusion`` is its similarity to the conclusion of the request. For a compiled unit it is zero if it is below the
    threshold.
    """

    unit: int
    is_trouble: bool
    has_cause: bool
    title: Collection[str]
    tags: Collection[str]
    conclusion: Ratio


class Graded(NamedTuple):
    """One qualifying unit: its grade, the score that orders it, and every similarity that was computed.

    ``no_tags``: tags and title decide, and the request or the unit has no tag to compare.
    """

    unit: int
    grade: Grade
    score: Ratio
    similarities: Mapping[str, Ratio]
    no_tags: bool

    def shown(self) -> dict[str, Any]:
        """The fields of ``Case`` that depend on the grading, rounded."""
        scores = {name: ratio.rounded for name, ratio in self.similarities.items()}
        return {"grade": self.grade, "score": self.score.rounded, "scores": scores}


def matching_units(index: Index, request: RequestTokens) -> list[Graded]:
    """Every unit of the whole base that qualifies, in the order of the base."""
    units = list((candidates if request.modes.compiled else uncompiled_units)(index, request))
    names = own_names(index, [unit.unit for unit in units], request)
    graded = (grade_unit(index, request, unit, names.get(unit.unit, frozenset())) for unit in units)
    return [result for result in graded if result is not None]


def candidates(index: Index, request: RequestTokens) -> Iterator[UnitTokens]:
    """The units whose title, tags or conclusion may reach its threshold, from the compiled sets."""
    fields = {"title": request.title, "conclusion": request.conclusion}
    similar = {field: units_over_threshold(index, field, tokens, len(tokens)) for field, tokens in fields.items()}
    similar["tags"] = units_over_threshold(index, "tags", request.tags(), _fewest_tag_tokens(request))
    numbers = as_json(set().union(*similar.values()))
    for unit, is_trouble, has_cause, title, tags in index.rows(_SETS, (numbers,)):
        conclusion = similar["conclusion"].get(unit, ZERO)
        yield UnitTokens(unit, bool(is_trouble), bool(has_cause), split_tokens(title), split_tokens(tags), conclusion)


def _fewest_tag_tokens(request: RequestTokens) -> int:
    """The lowest number of tag tokens, above zero, that are compared with any unit after its own names are removed."""
    kept = request.tags(request.removable_tags)
    return len(kept) or min(filter(None, map(len, request.tag_sets.values())), default=0)


def units_over_threshold(index: Index, field: str, tokens: frozenset[str], fewest: int) -> Mapping[int, Ratio]:
    """Units whose set of a field may reach its threshold with ``tokens``, or with a part of at least ``fewest``.

    The values are the similarities to all ``tokens``. With q of the tokens and a set of s tokens that shares c with
    them, J = c / (q + s - c) >= t holds if and only if c >= t (q + s) / (1 + t). A part shares no more than c.
    """
    threshold = CANDIDATE_THRESHOLDS[field]
    limits = -(-threshold * fewest // 100), 100 * len(tokens) // threshold
    sizes = index.rows(_SIZES, (field, *limits)) if fewest else []
    if not sizes:
        return {}
    begin, end = sizes[0][1] // 8, (sizes[-1][1] + sizes[-1][2] + 7) // 8
    lists = index.rows(_POSTINGS, (field, as_json(sorted(tokens))))
    counts = Counts((bits_of(ranks, begin, end) for (ranks,) in lists), end - begin)
    similar: dict[int, Ratio] = {}
    for size, first_rank, number in sizes:
        first = first_rank - 8 * begin
        least = -(-threshold * (size + fewest) // (100 + threshold))
        found = list(counts.units_over_threshold(least, first, first + number))
        for (units,) in index.rows(_UNITS_OF_SIZE, (field, size)) if found else ():
            similar.update({number_at(units, n - first): Ratio(c, size + len(tokens) - c) for n, c in found})
    return similar


def uncompiled_units(index: Index, request: RequestTokens) -> Iterator[UnitTokens]:
    """Every unit, tokenized now: slow, for the modes whose token sets the index does not store."""
    modes = request.modes
    for text in compared_texts(index, modes.literal):
        title, conclusion = (jaccard_tokens(part, modes.token) for part in (text.title, text.conclusion))
        if modes.tag is TagMode.WHOLE:
            tags = frozenset(map(fold_tag, text.tags))
        else:
            tags = jaccard_tokens(" ".join(text.tags), modes.token)
        similarity = jaccard(request.conclusion, conclusion)
        yield UnitTokens(text.unit, text.is_trouble, text.has_cause, title, tags, similarity)


def grade_unit(index: Index, request: RequestTokens, unit: UnitTokens, names: frozenset[str]) -> Graded | None:
    """Grade a unit by the rule of its own track type; None if it does not qualify. ``names``: see ``own_names``."""
    request_tags = request.tags(names)
    tags, title = jaccard(request_tags, unit.tags), jaccard(request.title, unit.title)
    score = combined(tags, title)
    conclusion = unit.conclusion if unit.is_trouble and request.has_cause and unit.has_cause else None

    def grade(description: Ratio) -> Grade | None:
        return troubleshoot_grade(conclusion, description, score) if unit.is_trouble else consult_grade(score)

    lowest = grade(ZERO)
    if lowest is None:  # most candidates end here: the description decides only between the two grades
        return None
    description = _description_similarity(index, request, unit.unit)
    parts = {"tags": tags, "title": title, "description": description}
    if conclusion is not None:
        score, parts = conclusion, {**parts, "conclusion": conclusion}
    no_tags = conclusion is None and not (request_tags and unit.tags)
    return Graded(unit.unit, grade(description) or lowest, score, parts, no_tags)


def _description_similarity(index: Index, request: RequestTokens, unit: int) -> Ratio:
    """Computed from the text: few units need it, so the index stores no token set of descriptions."""
    ((text,),) = index.rows(_DESCRIPTION, (unit,))
    text = text if request.modes.literal else normalize(text, index.variants)
    return jaccard(request.description, jaccard_tokens(text, request.modes.token))


def own_names(index: Index, units: Iterable[int], request: RequestTokens) -> Mapping[int, frozenset[str]]:
    """Unit -> its product and platforms, folded; empty if the request has no tag of such a name."""
    names: dict[int, frozenset[str]] = {}
    for unit, *found in index.rows(_OWN_NAMES, (as_json(units),)) if request.removable_tags else ():
        names[unit] = names.get(unit, frozenset()).union(fold_tag(name or "") for name in found)
    return names

"""Which units qualify: candidates by SQL on compiled token sets, then exact grades (spec Step 3; decisions 1-5).

A pair that reaches 0.40 by tags and title has J >= 0.40 in one of them; a conclusion must reach 0.60. A set that
has J >= t with Q shares at least ceil(t |Q|) tokens with it, so it holds one of the rarest |Q| - ceil(t |Q|) + 1
tokens of Q (prefix filter: Bayardo et al., WWW 2007), and its size lies between t |Q| and |Q| / t (size filter).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from fileformat.tokens import GENERIC_TAGS, PLACEHOLDERS_KEY, bare, fold_tag, jaccard_tokens
from query.index import Index, Row, as_json, phrase
from query.nim.contract import Grade, Modes, Request, TagMode
from query.nim.score import Ratio, jaccard, tags_and_title
from query.nim.texts import read_texts
from query.nim.tracks import consult, troubleshoot

#: The least Jaccard, in hundredths, that each driving field must reach in some qualifying pair.
DRIVERS = {"title": 40, "tags": 40, "conclusion": 60}

_CODES = "SELECT token, code FROM nim_token WHERE token IN (SELECT value FROM json_each(?))"
_FREQUENCIES = """
SELECT term, doc FROM nim_set_frequency WHERE col = ? AND term IN (SELECT value FROM json_each(?))
"""
_CANDIDATES = """
SELECT nim_set.unit, is_trouble, has_cause, nim_set.title, nim_set.tags, nim_set.description, nim_set.conclusion
FROM nim_sets JOIN nim_set ON nim_set.unit = nim_sets.rowid
WHERE nim_sets MATCH ? AND length(nim_set.{field}) BETWEEN ? AND ?
"""
_SETS = "SELECT unit, tags, title FROM nim_set WHERE unit IN (SELECT value FROM json_each(?))"
_OWN_NAMES = """
SELECT nim_unit.id, nim_unit.product, nim_unit.platform, nim_platform.platform
FROM nim_unit LEFT JOIN nim_platform ON nim_platform.unit = nim_unit.id
WHERE nim_unit.id IN (SELECT value FROM json_each(?))
"""
_PLACES = "SELECT key FROM nim_place WHERE key IN (SELECT value FROM json_each(?))"


class Graded(NamedTuple):
    """One qualifying unit: its grade, the score that ranks it, and the similarities that went into it."""

    unit: int
    grade: Grade
    score: Ratio
    parts: Mapping[str, Ratio]
    by_conclusion: bool
    tagless: bool = False  # a side had no tag left, and the score is by tags and title (decision 3)


class Sides(NamedTuple):
    """What of a unit is compared, as token collections; the same shape from compiled sets and from texts."""

    unit: int
    is_trouble: bool
    has_cause: bool
    title: Collection[str]
    tags: Collection[str]
    description: Collection[str]
    conclusion: Collection[str]


def qualifying(index: Index, request: Request) -> list[Graded]:
    """Every unit of the whole base that qualifies, in unit order, exactly as a comparison with each would find."""
    request = request if request.modes.literal else _without_placeholders(index, request)
    if request.modes.compiled:
        asked = _Asked.compiled(index, request)
        pairs = _candidates(index, asked)
    else:
        asked = _Asked.plain(request)
        pairs = {sides.unit: sides for sides in _from_texts(index, request)}
    own = _own_names(index, pairs, asked) if not request.modes.literal else {}
    tags_without = cache(asked.tags)
    graded = (
        grade_pair(asked, pairs[unit], tags_without(asked.droppable & own.get(unit, frozenset())))
        for unit in sorted(pairs)
    )
    return [result for result in graded if result is not None]


def _without_placeholders(index: Index, request: Request) -> Request:
    """A cause or solution that says nothing (待排查, 未知) counts as not given (decision 6)."""
    known = {"", *index.meta.get(PLACEHOLDERS_KEY, "").split("\n")}
    cause, solution = ("" if bare(text) in known else text for text in (request.root_cause, request.solution))
    return request._replace(root_cause=cause, solution=solution)


class _Asked(NamedTuple):
    """The request's side. ``tag_sets`` maps each tag, folded, to its tokens, so that single tags can leave."""

    title: frozenset[str]
    description: frozenset[str]
    conclusion: frozenset[str]
    has_cause: bool
    tag_sets: Mapping[str, frozenset[str]]
    droppable: frozenset[str]

    def tags(self, dropped: frozenset[str] = frozenset()) -> frozenset[str]:
        """The tokens of the tags but for the dropped ones (decision 3: per pair)."""
        return frozenset().union(*(tokens for tag, tokens in self.tag_sets.items() if tag not in dropped))

    @classmethod
    def plain(cls, request: Request) -> "_Asked":
        """Tokens as they are."""
        modes = request.modes
        tags = {fold_tag(tag): _tag_tokens(tag, modes) for tag in request.tags if tag.strip()}
        kept = {tag: tokens for tag, tokens in tags.items() if modes.literal or tag not in GENERIC_TAGS}
        cause_tokens = jaccard_tokens(request.root_cause, modes.token)
        has_cause = bool(request.root_cause.strip() if modes.literal else cause_tokens)
        cause = f"{request.root_cause} {request.solution}" if has_cause else ""
        return cls(
            title=jaccard_tokens(request.title, modes.token),
            description=jaccard_tokens(request.description, modes.token),
            conclusion=jaccard_tokens(cause, modes.token),
            has_cause=has_cause,
            tag_sets=kept,
            droppable=frozenset() if modes.literal else frozenset(kept),
        )

    @classmethod
    def compiled(cls, index: Index, request: Request) -> "_Asked":
        """Tokens as the file codes them; one that the base lacks stays what it is, and meets nothing."""
        plain = cls.plain(request)
        every = {t for s in (plain.title, plain.description, plain.conclusion, plain.tags()) for t in s if len(t) > 1}
        codes: dict[str, str] = dict(index.rows(_CODES, (as_json(sorted(every)),)))
        places = {key for (key,) in index.rows(_PLACES, (as_json(sorted(plain.tag_sets)),))}
        return cls(
            _coded(plain.title, codes),
            _coded(plain.description, codes),
            _coded(plain.conclusion, codes),
            plain.has_cause,
            {tag: _coded(tokens, codes) for tag, tokens in plain.tag_sets.items()},
            frozenset(places),
        )


def _tag_tokens(tag: str, modes: Modes) -> frozenset[str]:
    if modes.tag is TagMode.WHOLE:
        return frozenset({fold_tag(tag)})
    return jaccard_tokens(tag, modes.token)


def _coded(tokens: frozenset[str], codes: Mapping[str, str]) -> frozenset[str]:
    return frozenset(codes.get(token, token) for token in tokens)


def grade_pair(asked: _Asked, sides: Sides, said: frozenset[str]) -> Graded | None:
    """Grade one unit by its own type's rule (decision 12); ``said`` are the request's tags that count for it."""
    tags, title = jaccard(said, sides.tags), jaccard(asked.title, sides.title)
    together = tags_and_title(tags, title)
    compared = sides.is_trouble and asked.has_cause and sides.has_cause
    conclusion = jaccard(asked.conclusion, sides.conclusion) if compared else None
    if not _may_qualify(sides.is_trouble, conclusion, together):
        return None
    description = jaccard(asked.description, sides.description)
    parts = {"tags": tags, "title": title, "description": description}
    trouble = sides.is_trouble
    grade = troubleshoot.grade(conclusion, description, together) if trouble else consult.grade(together)
    if grade is None:
        return None
    if conclusion is None:
        tagless = not said or not sides.tags
        return Graded(sides.unit, grade, together, parts, by_conclusion=False, tagless=tagless)
    return Graded(sides.unit, grade, conclusion, {**parts, "conclusion": conclusion}, by_conclusion=True)


def _may_qualify(is_trouble: bool, conclusion: Ratio | None, together: Ratio) -> bool:
    """Whether the deciding similarity reaches its threshold; most candidates end here, undescribed."""
    if conclusion is not None:
        return conclusion.at_least(troubleshoot.CONCLUSION_AT_LEAST)
    return together.at_least(troubleshoot.FALLBACK_AT_LEAST if is_trouble else consult.POSSIBLE_AT_LEAST)


def similarities(index: Index, request: Request, units: Iterable[int]) -> dict[int, tuple[Ratio, Ratio]]:
    """The tag and title similarity of given units, by the compiled sets, whatever the request's modes."""
    asked = _Asked.compiled(index, request._replace(modes=Modes()))
    numbers = sorted(units)
    own = _own_names(index, numbers, asked)
    tags_without = cache(asked.tags)
    return {
        unit: (jaccard(tags_without(asked.droppable & own.get(unit, frozenset())), tags), jaccard(asked.title, title))
        for unit, tags, title in index.rows(_SETS, (as_json(numbers),))
    }


def _from_texts(index: Index, request: Request) -> Iterator[Sides]:
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


def no_tag_tells(index: Index, request: Request) -> bool:
    """Whether the request has tags, and each is generic, or names a product or platform of the base (decision 3)."""
    asked = _Asked.plain(request)
    places = {key for (key,) in index.rows(_PLACES, (as_json(sorted(asked.tag_sets)),))}
    dropped = frozenset() if request.modes.literal else frozenset(places)
    return bool(request.tags) and not asked.tags(dropped)


def _own_names(index: Index, units: Iterable[int], asked: _Asked) -> dict[int, frozenset[str]]:
    """Each unit's product and platforms, folded, where the request has a tag of such a name at all."""
    if not asked.droppable:
        return {}
    names: dict[int, set[str]] = {}
    for unit, product, raw, platform in index.rows(_OWN_NAMES, (as_json(sorted(units)),)):
        names.setdefault(unit, set()).update(fold_tag(name) for name in (product, raw, platform or ""))
    return {unit: frozenset(found) for unit, found in names.items()}


def _candidates(index: Index, asked: _Asked) -> dict[int, Sides]:
    """Units that reach the least likeness in one of the driving fields; most that share a token do not."""
    staying = asked.tags(asked.droppable)
    found: dict[int, Sides] = {}
    for field, least in DRIVERS.items():
        tokens = asked.tags() if field == "tags" else getattr(asked, field)
        smallest, core = (_smallest_tags(asked), staying) if field == "tags" else (len(tokens), tokens)
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


def _smallest_tags(asked: _Asked) -> int:
    """The fewest tag tokens that any unit may leave, zero aside: those of the tags that stay everywhere.

    Where none stays everywhere, a unit that leaves any leaves one tag at least.
    """
    staying = asked.tags(asked.droppable)
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
        bounds = (-(-least * smallest // 100), 100 * len(tokens) // least)
        yield from index.rows(_CANDIDATES.format(field=field), (match, *bounds))

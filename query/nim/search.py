"""The story of a NIM search: grade, scan level by level, collapse copies, order, then the nearest."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from query.analysis.tokens import jaccard_tokens
from query.index import Index
from query.nim import recognition
from query.nim.contract import ENOUGH, SHOWN, UNDETERMINED, Answer, Case, Grade, Level, Modes, Request
from query.nim.matching import Graded, matching_units, no_tag_left
from query.nim.nearest import nearest_units
from query.nim.request_tokens import RequestTokens
from query.nim.scope import ScanLevel, scan_levels
from query.nim.similarity import Descending
from query.nim.units import UnitRow, load_units

#: A graded unit with what the file holds of it.
Member: TypeAlias = tuple[Graded, UnitRow]
#: An answer before it is shown: the member that ranks it first, then the rest of its copies.
Group: TypeAlias = tuple[Member, Sequence[UnitRow]]

_GENERIC_PLATFORM = "通用"
_TAGS_DROPPED = "no tag left to compare: they name the unit's own product or platform, or nothing in particular"


def search_nim(index: Index, request: Request) -> Answer:
    """Answer a recognised request."""
    asked = RequestTokens.of(index, request)
    graded = {result.unit: result for result in matching_units(index, asked)}
    units = load_units(index, graded)
    levels = scan_levels(index, request.product, request.feature)
    scope, groups = _scan(request, levels, graded, units)
    ordered = sorted(groups, key=lambda group: order_key(request, group[0]))
    matches = tuple(_case(members, request) for members in ordered[:SHOWN])
    return Answer(
        marker=marker_line(request),
        request=request,
        level=scope.level,
        scanned=scope.size,
        qualified=len(groups),
        matches=matches,
        nearest=tuple(_nearest(index, request, asked, graded.keys())),
        notes=tuple(_notes(index, request, asked, levels, [best for (best, _), _ in ordered[:SHOWN]])),
    )


def marker_line(request: Request) -> str:
    """The specification's marker: one line, whatever the request holds (decision 17)."""
    keywords = "、".join(request.tags) or request.title
    track = request.track_type.value if request.track_type else UNDETERMINED
    line = f"[nim-kb-search] 已触发 | 类型={track} | 产品={request.product or UNDETERMINED} | 关键词={keywords}"
    return " ".join(line.split())


def _scan(
    request: Request, levels: Sequence[ScanLevel], graded: Mapping[int, Graded], units: Mapping[int, UnitRow]
) -> tuple[ScanLevel, list[Group]]:
    """Stop at the first level with enough qualifying units, copies counted once (decision 13)."""
    for scope in levels:
        inside = [result for unit, result in graded.items() if scope.holds(units[unit])]
        groups = _collapse(request, inside, units)
        if len(groups) >= ENOUGH or scope is levels[-1]:
            return scope, groups
    raise AssertionError("scopes() always ends with the whole base")


def _collapse(request: Request, found: Iterable[Graded], units: Mapping[int, UnitRow]) -> list[Group]:
    """Decision 15: units with the same title, cause and solution are one answer; not so with ``--literal``."""
    members = [(result, units[result.unit]) for result in found]
    if request.modes.literal:
        return [(member, ()) for member in members]
    by_text: dict[int, list[Member]] = defaultdict(list)
    for member in members:
        by_text[member[1].copy_of].append(member)
    bests = [min(same, key=lambda member: order_key(request, member)) for same in by_text.values()]
    copies = _by_copy(units.values())
    return [(best, [row for row in copies[best[1].copy_of] if row != best[1]]) for best in bests]


def _by_copy(rows: Iterable[UnitRow]) -> Mapping[int, list[UnitRow]]:
    found: dict[int, list[UnitRow]] = defaultdict(list)
    for row in rows:
        found[row.copy_of].append(row)
    return found


def order_key(request: Request, member: Member) -> tuple[object, ...]:
    """Decision 14: grade, score, feature folder, product, platform, title overlap, answer, date, path; least first."""
    graded, row = member
    title = jaccard_tokens(request.title, request.modes.token)
    return (
        graded.grade is not Grade.HIGH,
        Descending(graded.score),
        not (request.feature and row.feature_folder.casefold() == request.feature.strip().casefold()),
        not (request.product and row.scope == request.product),
        not (request.platform in row.platforms or _GENERIC_PLATFORM in row.platforms),
        -len(title & jaccard_tokens(row.titled(request.modes.literal), request.modes.token)),
        not row.is_answered(request.modes.literal),
        Descending(row.updated or row.created),
        row.path,
        row.entry,
    )


def _case(group: Group, request: Request) -> Case:
    (graded, row), copies = group
    scores = {name: ratio.shown for name, ratio in graded.parts.items()}
    return _shown(row, copies, request)._replace(grade=graded.grade, score=graded.score.shown, scores=scores)


def _nearest(index: Index, request: Request, asked: RequestTokens, matched: Collection[int]) -> Iterable[Case]:
    """Decision 18: up to five that did not qualify, copies once, best first."""
    plain = asked if request.modes.compiled else RequestTokens.of(index, request._replace(modes=Modes()))
    ranked = nearest_units(index, request, plain)
    units = load_units(index, [unit for unit, _, _ in ranked])
    literal = request.modes.literal
    same = {unit: unit if literal else row.copy_of for unit, row in units.items()}
    taken = {same[unit] for unit in units if unit in matched}
    shown = 0
    for unit, score, scores in ranked:
        if same[unit] in taken or shown == SHOWN:
            continue
        taken.add(same[unit])
        shown += 1
        copies = [units[other] for other in units if same[other] == same[unit] and other != unit]
        yield _shown(units[unit], copies, request)._replace(score=score, scores=scores)


def _shown(row: UnitRow, copies: Sequence[UnitRow], request: Request) -> Case:
    """Merge the copies into one answer; a path inside the asked product comes first (decision 15)."""
    every = sorted((row, *copies), key=lambda r: (r.scope != request.product, r.unit != row.unit, r.path, r.entry))
    first = every[0]
    return Case(
        path=first.path,
        entry=first.entry,
        track_type=row.track_type,
        title=row.titled(request.modes.literal),
        product=first.product,
        feature=first.feature,
        platform=first.platform,
        root_cause=row.root_cause,
        solution=row.solution,
        answered=row.is_answered(request.modes.literal),
        customers=tuple(dict.fromkeys(customer for member in every for customer in member.customers)),
        updated=max(member.updated or member.created for member in every),
        frequency=sum(member.frequency for member in every),
        duplicates=tuple(member.place for member in every[1:]),
    )


def _notes(
    index: Index, request: Request, asked: RequestTokens, levels: Sequence[ScanLevel], shown: Sequence[Graded]
) -> Iterable[str]:
    if not levels[-1].size:
        yield "this index holds no NIM case; build it with --nim"
    elif not request.product:
        yield "product undetermined: the whole base was scanned"
    elif not any(scope.level is Level.PRODUCT and scope.size for scope in levels):
        product = " ".join(request.product.split())
        yield f"product {product}: no unit of this base is of it, nor is it a known alias; the whole base was scanned"
    yield from recognition.unknown_name_notes(index, request)
    tagless = sum(graded.tagless for graded in shown)
    if no_tag_left(asked, request):
        yield _TAGS_DROPPED
    elif tagless:
        yield f"{tagless} of {len(shown)} matches: a side has no tag left to compare, so the tag similarity is 0"

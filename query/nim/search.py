"""A NIM search: grade all units, scan level by level, merge copies, order, then list the nearest."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from query.analysis.tokens import jaccard_tokens
from query.index import Index
from query.nim.contract import ENOUGH_MATCHES, MAX_SHOWN, UNDETERMINED, Answer, Case, Grade, Level, Modes, Request
from query.nim.matching import Graded, matching_units
from query.nim.nearest import nearest_units
from query.nim.recognition import matching_folders, unknown_name_notes
from query.nim.request import Given, recognize_request
from query.nim.request_text import AnalyzedText, RequestTokens, analyze
from query.nim.units import UnitRow, date_key, load_units, merged_case

#: A qualifying unit with its row.
Match: TypeAlias = tuple[Graded, UnitRow]

_GENERIC_PLATFORM = "通用"
_FOLDERS = "SELECT feature_folder, units FROM nim_folder WHERE scope = ?"
_COUNT = "SELECT coalesce(sum(units), 0) FROM nim_folder"


class ScanLevel(NamedTuple):
    """A level and its number of units. ``product`` or ``folders`` is None where it limits nothing."""

    level: Level
    product: str | None
    folders: frozenset[str] | None
    size: int

    def contains(self, row: UnitRow) -> bool:
        """Whether a unit belongs to the level."""
        in_product = self.product in {None, row.standard_product}
        return in_product and (self.folders is None or row.feature_folder in self.folders)


def search_nim(index: Index, text: str, given: Given) -> Answer:
    """Answer free text with the parameters that are given beside it.

    Raises:
        UsageError: the given track type does not exist.
    """
    analyzed = analyze(index, text)
    return search_request(index, recognize_request(index, analyzed, given), analyzed)


def search_request(index: Index, request: Request, analyzed: AnalyzedText | None = None) -> Answer:
    """Answer a recognized request; ``analyzed`` is its text, if that was analyzed before."""
    tokens = RequestTokens.of(index, request)
    graded = matching_units(index, tokens)
    matched = {result.unit for result in graded}
    units = load_units(index, matched)
    levels = scan_levels(index, request.product, request.feature)
    level, found = _scan(request, levels, [(result, units[result.unit]) for result in graded])
    shown = found[:MAX_SHOWN]
    return Answer(
        marker=marker_line(request),
        request=request,
        level=level.level,
        scanned=level.size,
        qualified=len(found),
        matches=tuple(merged_case(row, units, request, **graded.shown()) for graded, row in shown),
        nearest=tuple(_nearest_cases(index, request, analyzed or analyze(index, request.text), tokens, matched)),
        notes=tuple(_notes(index, request, tokens, levels, [result for result, _ in shown])),
    )


def marker_line(request: Request) -> str:
    """The marker of the specification, always on one line."""
    keywords = "、".join(request.tags) or request.title
    track = request.track_type.value if request.track_type else UNDETERMINED
    line = f"[nim-kb-search] 已触发 | 类型={track} | 产品={request.product or UNDETERMINED} | 关键词={keywords}"
    return " ".join(line.split())


def scan_levels(index: Index, product: str, feature: str) -> list[ScanLevel]:
    """The levels in the order of the scan: feature, product, whole base (docs/decisions/nim.md#scan-levels).

    Each contains the one before. Without a product there is only the whole base, without a feature no feature level.
    """
    levels: list[ScanLevel] = []
    if product:
        sizes: dict[str, int] = dict(index.rows(_FOLDERS, (product,)))
        folders = frozenset(matching_folders(feature, sizes))
        if folders:
            levels.append(ScanLevel(Level.FEATURE, product, folders, sum(sizes[folder] for folder in folders)))
        levels.append(ScanLevel(Level.PRODUCT, product, None, sum(sizes.values())))
    ((count,),) = index.rows(_COUNT)
    return [*levels, ScanLevel(Level.WHOLE, None, None, count)]


def _scan(request: Request, levels: Sequence[ScanLevel], matches: Iterable[Match]) -> tuple[ScanLevel, list[Match]]:
    """The first level with enough matches, else the last, and its matches: best first, of copies only the best."""
    in_order = sorted(matches, key=match_order(request))
    for level in levels:
        best: dict[int, Match] = {}
        for match in in_order:
            if level.contains(match[1]):
                best.setdefault(match[1].copy_group(request.modes.literal), match)
        if len(best) >= ENOUGH_MATCHES:
            break
    return level, list(best.values())


def match_order(request: Request) -> Callable[[Match], tuple[object, ...]]:
    """A sort key that puts the best match first (docs/decisions/nim.md#order)."""
    literal, mode, feature = request.modes.literal, request.modes.token, request.feature.strip().casefold()
    title = jaccard_tokens(request.title, mode)

    def key(match: Match) -> tuple[object, ...]:
        graded, row = match
        return (
            graded.grade is not Grade.HIGH,
            -graded.score,
            bool(request.feature) and row.feature_folder.casefold() != feature,
            bool(request.product) and row.standard_product != request.product,
            not {request.platform, _GENERIC_PLATFORM} & set(row.platforms),
            -len(title & jaccard_tokens(row.shown_title(literal), mode)),
            not row.is_answered(literal),
            [-part for part in date_key(row.updated or row.created)],
            row.path,
            row.entry,
        )

    return key


def _nearest_cases(
    index: Index, request: Request, analyzed: AnalyzedText, tokens: RequestTokens, matched: Collection[int]
) -> Iterator[Case]:
    """The best cases that do not qualify, copies merged (docs/decisions/nim.md#nearest).

    The index stores the token sets of the default modes only, so nearest cases are compared in these.
    """
    if not request.modes.compiled:
        tokens = RequestTokens.of(index, request._replace(modes=Modes()))
    ranked = nearest_units(index, request, analyzed, tokens)
    units = load_units(index, ranked)
    literal = request.modes.literal
    taken = {row.copy_group(literal) for unit, row in units.items() if unit in matched}
    shown = 0
    for unit, judged in ranked.items():
        row = units[unit]
        if shown < MAX_SHOWN and row.copy_group(literal) not in taken:
            taken.add(row.copy_group(literal))
            shown += 1
            yield merged_case(row, units, request, grade=None, **judged)


def _notes(
    index: Index, request: Request, tokens: RequestTokens, levels: Sequence[ScanLevel], shown: Sequence[Graded]
) -> Iterator[str]:
    """Notes on a widened search, on names that no unit has, and on missing tags."""
    if not levels[-1].size:
        yield "this index holds no NIM case; build it with --nim"
    elif not request.product:
        yield "product undetermined: the whole base was scanned"
    elif not any(level.level is Level.PRODUCT and level.size for level in levels):
        product = " ".join(request.product.split())
        yield f"the base has no case of product {product}, which is no known alias either; the whole base was scanned"
    yield from unknown_name_notes(index, request)
    without_tags = sum(graded.no_tags for graded in shown)
    if request.tags and not tokens.has_tags:
        yield "no tag is left to compare: each is generic, or names a product or a platform of the base"
    elif without_tags:
        yield f"{without_tags} of {len(shown)} matches have no tag to compare on one side: their tag similarity is 0"

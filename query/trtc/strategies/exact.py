"""Strategy 1, exact: an error code, a slice id or a scenario id in the query (specification Step 2, row 1)."""

from collections.abc import Container, Iterable, Iterator

from query.index import as_json
from query.trtc.contract import Intent, Strategy
from query.trtc.strategies import Hit, Search

_CODES = """
SELECT DISTINCT slice, place, code, magnitude FROM error_code
WHERE magnitude IN (SELECT value FROM json_each(?)) ORDER BY slice, place
"""
#: Places that list a code, as against prose that mentions it.
_LISTS = frozenset({"table", "index"})
_SLICE_IDS = "SELECT id, slice_id FROM slice WHERE lower(slice_id) IN (SELECT value FROM json_each(?))"
_SCENARIOS = """
SELECT scenario_slice.slice, scenario.scenario_id
FROM scenario JOIN scenario_slice ON scenario_slice.scenario = scenario.id
WHERE lower(scenario.scenario_id) IN (SELECT value FROM json_each(?)) ORDER BY scenario.id, scenario_slice.position
"""


def find(search: Search) -> Iterable[Hit]:
    """Ids by direct look-up; else codes that are listed; with intent error-code, codes in prose on a miss."""
    by_id = list(_ids(search))
    if by_id:
        search.is_id_lookup = True
        return by_id
    wanted = wanted_codes(search)
    hits = list(_codes(search, wanted, _LISTS))
    if not hits and search.request.intent is Intent.ERROR_CODE:
        hits = list(_codes(search, wanted, {"prose"}))
    if wanted and not hits:
        searched = "error_codes or body text" if search.request.intent is Intent.ERROR_CODE else "error_codes"
        place = f" of product {search.request.product}" if search.request.product else ""
        search.reason = f"error code {', '.join(wanted)} not in any slice.{searched}{place}"
    return hits


def wanted_codes(search: Search) -> tuple[str, ...]:
    """The codes that the query asks for (decisions 27-30); a short bare number only where something calls it one."""
    asked = search.request.intent is Intent.ERROR_CODE
    codes = [
        mention.code
        for mention in search.question.mentions
        if mention.is_code and (asked or mention.signed or mention.named or len(mention.code) >= 4)
    ]
    symbols = [name for name in search.question.symbols if asked or name.startswith("ERR")]
    return tuple(dict.fromkeys((*codes, *symbols)))


def _codes(search: Search, wanted: tuple[str, ...], places: Container[str]) -> Iterator[Hit]:
    """Slices that have wanted codes in these places: most of them first, then by tag intersection (decision 11)."""
    listed: dict[int, dict[str, str]] = {}
    magnitudes = as_json([code.removeprefix("-") for code in wanted])
    for number, stands, code, magnitude in search.index.rows(_CODES, (magnitudes,)):
        if stands in places and search.in_product(number):
            listed.setdefault(number, {}).update(dict.fromkeys({code, magnitude} & set(wanted), stands))
    for number, codes in listed.items():
        if codes:
            order = (float(len(codes)), float(_tag_count(search, number)), search.evidence.score(number))
            yield Hit(number, Strategy.EXACT, order, tuple(f"{codes[code]} lists {code}" for code in sorted(codes)))


def _tag_count(search: Search, number: int) -> int:
    return len({hit.key for hit in search.evidence.tag_hits if hit.slice == number and hit.named})


def _ids(search: Search) -> Iterator[Hit]:
    """Slice ids and scenario ids are global: the product does not filter them (decision 12)."""
    question = search.question
    for number, slice_id in search.index.rows(_SLICE_IDS, (as_json(question.ids),)):
        yield Hit(number, Strategy.EXACT, (float(-question.ids.index(slice_id.lower())),), (f"slice id {slice_id}",))
    names = as_json(question.hyphenated)
    for position, (number, scenario) in enumerate(search.index.rows(_SCENARIOS, (names,))):
        yield Hit(number, Strategy.EXACT, (float(-position),), (f"scenario id {scenario}",))

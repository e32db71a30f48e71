"""Strategy 1, exact: an error code, a slice id or a scenario id in the query."""

import math
from collections.abc import Container, Iterable, Iterator

from query.index import as_json
from query.trtc.contract import Intent, Strategy
from query.trtc.strategies import Hit, Search

_CODES = """
SELECT DISTINCT slice, place, code, magnitude FROM error_code
WHERE magnitude IN (SELECT value FROM json_each(?)) ORDER BY slice, place
"""
#: A shorter number that is the whole query is no code.
_LEAST_CHARACTERS = 3
#: Sources that list a code; prose only mentions it.
_LISTS = frozenset({"table", "index"})
_SLICE_IDS = "SELECT id, slice_id FROM slice WHERE lower(slice_id) IN (SELECT value FROM json_each(?))"
_SCENARIOS = """
SELECT scenario_slice.slice, scenario.scenario_id
FROM scenario JOIN scenario_slice ON scenario_slice.scenario = scenario.id
WHERE lower(scenario.scenario_id) IN (SELECT value FROM json_each(?)) ORDER BY scenario.id, scenario_slice.position
"""


def find(search: Search) -> Iterable[Hit]:
    """Ids; else codes that a base lists; else, with intent error-code, codes that the text of a page mentions."""
    by_id = list(_ids(search))
    if by_id:
        search.is_id_lookup = True
        return by_id
    codes = requested_codes(search)
    hits = list(_codes(search, codes, _LISTS))
    if not hits and search.intent is Intent.ERROR_CODE:
        hits = list(_codes(search, codes, {"prose"}))
    if codes and not hits:
        searched = "error_codes or body text" if search.intent is Intent.ERROR_CODE else "error_codes"
        product = f" of product {search.request.product}" if search.request.product else ""
        search.failure = f"error code {', '.join(codes)} not in any slice.{searched}{product}"
    return hits


def requested_codes(search: Search) -> tuple[str, ...]:
    """The error codes of the query.

    An unsigned number is a code only beside a word for one, without other words, or if the query asks for a code and
    has no other. The rules are docs/decisions/trtc.md#what-is-a-code, #bare-numbers, #sign-of-a-code,
    #symbolic-codes and #code-ranges.
    """
    numbers = [mention for mention in search.parsed.mentions if mention.is_code]
    least = _LEAST_CHARACTERS if not search.parsed.content_terms else math.inf
    codes = [number.code for number in numbers if number.signed or number.named or len(number.code) >= least]
    if not codes and search.intent is Intent.ERROR_CODE:
        codes = [number.code for number in numbers]
    is_code_search = search.intent is Intent.ERROR_CODE and not codes
    symbols = [name for name in search.parsed.symbols if is_code_search or name.startswith("ERR")]
    return tuple(dict.fromkeys((*codes, *symbols)))


def _codes(search: Search, codes: tuple[str, ...], sources: Container[str]) -> Iterator[Hit]:
    """Slices with the codes in these sources, ranked by how many they have, then by the tags that the query names."""
    listed: dict[int, dict[str, str]] = {}
    magnitudes = as_json([code.removeprefix("-") for code in codes])
    for number, source, code, magnitude in search.index.rows(_CODES, (magnitudes,)):
        if source in sources and search.in_product(number):
            listed.setdefault(number, {}).update(dict.fromkeys({code, magnitude} & set(codes), source))
    for number, source_of in listed.items():
        if source_of:
            order = (float(len(source_of)), float(_tag_count(search, number)), search.matches.score(number))
            reasons = tuple(f"{source_of[code]} lists {code}" for code in sorted(source_of))
            yield Hit(number, Strategy.EXACT, order, reasons)


def _tag_count(search: Search, number: int) -> int:
    return len({hit.key for hit in search.matches.tag_hits if hit.slice == number and hit.named})


def _ids(search: Search) -> Iterator[Hit]:
    """Slice ids and scenario ids of the query; the requested product does not filter them."""
    ids = search.parsed.ids
    for number, slice_id in search.index.rows(_SLICE_IDS, (as_json(ids),)):
        yield Hit(number, Strategy.EXACT, (float(-ids.index(slice_id.lower())),), (f"slice id {slice_id}",))
    names = as_json(search.parsed.hyphenated)
    for position, (number, scenario) in enumerate(search.index.rows(_SCENARIOS, (names,))):
        yield Hit(number, Strategy.EXACT, (float(-position),), (f"scenario id {scenario}",))

"""Names in a request: product, feature folder, platform (decisions 9-11).

The words that tell a request from others: codes, API names, the base's own tags (specification, tags_hint).
"""

from collections.abc import Iterator, Sequence

from query.analysis.error_codes import mentions
from query.analysis.normalize import chunks, keys
from query.analysis.spans import CandidateSpan, longest_match
from query.index import Index, as_json
from query.nim.contract import Request
from query.nim.scope import matching_folders

_PRODUCTS = """
SELECT key, ref, CASE strength WHEN 'learned' THEN 'learned' ELSE 'alias' END, rank
FROM dictionary WHERE kind = 'nim product' AND key IN (SELECT value FROM json_each(?))
"""
_PLATFORMS = """
SELECT key, ref FROM dictionary WHERE kind = 'nim platform' AND key IN (SELECT value FROM json_each(?))
"""
_FEATURES = "SELECT DISTINCT feature_folder FROM nim_folder WHERE ? IN ('', scope) ORDER BY feature_folder"
_OF_PLATFORM = "SELECT unit FROM nim_platform WHERE platform = ? LIMIT 1"


def product_from_option(index: Index, name: str) -> str:
    """A product that was given: the standard one behind an alias or a sibling folder, else the name as it is."""
    rows = index.rows(_PRODUCTS, (as_json(keys(name, index.variants)),))
    return next((scope for _, scope, source, _ in rows if source == "alias"), name.strip())


def product_from_text(index: Index, found: Sequence[str]) -> tuple[str, str]:
    """The product that keys of a text speak of, and how: the longest alias, then the table's order, then terms."""
    rows = index.rows(_PRODUCTS, (as_json(found),))
    aliases = [(-len(key), rank, scope) for key, scope, source, rank in rows if source == "alias"]
    if aliases:
        return min(aliases)[2], "alias in the text"
    votes: dict[str, int] = {}
    for key, scope, _, _ in rows:
        votes[scope] = votes.get(scope, 0) + len(key)
    best = max(sorted(votes), key=lambda scope: votes[scope], default="")
    return best, "terms that the base uses for one product only"


def feature_from_text(index: Index, product: str, said: str) -> str:
    """The longest folder name of the product (of any, if none is known) that stands in the text."""
    text = said.casefold()
    folders = (folder for (folder,) in index.rows(_FEATURES, (product,)))
    return max((f for f in folders if len(f) > 1 and f.casefold() in text), key=len, default="")


def platform_from_option(index: Index, name: str) -> str:
    """A platform that was given, under its canonical name, or as it is."""
    rows = index.rows(_PLATFORMS, (as_json(keys(name, index.variants)),))
    return str(rows[0][1]) if rows else name.strip()


def platform_from_text(index: Index, found: Sequence[str]) -> str:
    """The platform with the longest alias among the keys of a text."""
    rows = index.rows(_PLATFORMS, (as_json(found),))
    return str(max(rows, key=lambda row: (len(row[0]), row[0]))[1]) if rows else ""


def unknown_name_notes(index: Index, request: Request) -> Iterator[str]:
    """A note for a feature or platform that no unit has: it decides nothing, and a typing error looks the same."""
    folders = [folder for (folder,) in index.rows(_FEATURES, (request.product,))]
    if request.feature and folders and not matching_folders(request.feature, folders):
        of_what = request.product or "this base"
        yield f"feature {' '.join(request.feature.split())}: no folder of {of_what} is called so; it narrows nothing"
    if request.platform and folders and not index.rows(_OF_PLATFORM, (request.platform,)):
        yield f"platform {' '.join(request.platform.split())}: no unit of this base is of it; it breaks no tie"


#: Three to six, says the specification.
MOST_TAGS = 6

_TAGS = "SELECT key, ref, rank FROM dictionary WHERE kind = 'nim tag' AND key IN (SELECT value FROM json_each(?))"
_WORDS = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_STOPS = "SELECT key FROM dictionary WHERE kind = 'stop word' AND key IN (SELECT value FROM json_each(?))"


def recognize_tags(index: Index, said: str, found: Sequence[CandidateSpan]) -> list[str]:
    """Three to six words that tell this request from others, in the order in which they stand.

    Codes and API names first, then the rarest of the base's own tags and words; a word that half the base uses
    would make everything alike.
    """
    names = [said[c.start : c.end] for c in chunks(said) if not c.is_han and (c.parts or "_" in said[c.start : c.end])]
    certain = [*(mention.code for mention in mentions(said) if mention.is_code), *names]
    rare = sorted(_feature_words(index, said, found), key=lambda word: (word[0], word[1].start))
    chosen = {said[s.start : s.end]: s.start for _, s, _ in rare[: max(0, MOST_TAGS - len(certain))]}
    shown = {said[s.start : s.end]: tag for _, s, tag in rare}
    places = {**chosen, **{name: said.find(name) for name in certain}}
    in_order = sorted(places, key=lambda word: (places[word], word))
    return list(dict.fromkeys(shown.get(word, word) for word in in_order))[:MOST_TAGS]


def _feature_words(index: Index, said: str, found: Sequence[CandidateSpan]) -> list[tuple[int, CandidateSpan, str]]:
    """Non-overlapping known words, the longest first, as (in how many units, where, its usual spelling)."""
    every = as_json(sorted({key for surface in found for key in surface.keys}))
    tags = {key: (units, tag) for key, tag, units in index.rows(_TAGS, (every,))}
    words = {term: (units, term) for term, units in index.rows(_WORDS, (every,)) if len(term) > 1}
    stops = {key for (key,) in index.rows(_STOPS, (every,))}

    def known(surface: CandidateSpan) -> tuple[int, CandidateSpan, str] | None:
        entries = [entry for key in surface.keys for entry in (tags.get(key), words.get(key)) if entry]
        if not entries or surface.end - surface.start <= 1:
            return None
        return max(units for units, _ in entries), surface, entries[0][1]

    return [word for word in longest_match(said, found, known) if not stops & set(word[1].keys)]

"""The words that tell a request from others: codes, API names, the base's own tags (specification, tags_hint)."""

from collections.abc import Sequence

from fileformat.codes import mentions
from fileformat.fold import chunks
from fileformat.surfaces import Surface, longest
from query.index import Index, as_json

#: Three to six, says the specification.
MOST_TAGS = 6

_TAGS = "SELECT key, tag, units FROM nim_tag_word WHERE key IN (SELECT value FROM json_each(?))"
_WORDS = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_STOPS = "SELECT key FROM stop_word WHERE key IN (SELECT value FROM json_each(?))"


def tags_hint(index: Index, said: str, found: Sequence[Surface]) -> list[str]:
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


def _feature_words(index: Index, said: str, found: Sequence[Surface]) -> list[tuple[int, Surface, str]]:
    """Non-overlapping known words, the longest first, as (in how many units, where, its usual spelling)."""
    every = as_json(sorted({key for surface in found for key in surface.keys}))
    tags = {key: (units, tag) for key, tag, units in index.rows(_TAGS, (every,))}
    words = {term: (units, term) for term, units in index.rows(_WORDS, (every,)) if len(term) > 1}
    stops = {key for (key,) in index.rows(_STOPS, (every,))}

    def known(surface: Surface) -> tuple[int, Surface, str] | None:
        entries = [entry for key in surface.keys for entry in (tags.get(key), words.get(key)) if entry]
        if not entries or surface.end - surface.start <= 1:
            return None
        return max(units for units, _ in entries), surface, entries[0][1]

    return [word for word in longest(said, found, known) if not stops & set(word[1].keys)]

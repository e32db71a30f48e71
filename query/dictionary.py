"""The one look-up of names: what each key of a query is called in the file (table ``dictionary``)."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from query.index import Index, as_json


class Kind(StrEnum):
    """What an entry names; schema.sql says for each what its ``ref`` is."""

    CONCEPT = "concept"
    TAG = "tag"
    PRODUCT = "product"
    STOP_WORD = "stop word"
    COMMON_WORD = "common word"
    NIM_PRODUCT = "nim product"
    NIM_PLATFORM = "nim platform"
    NIM_TAG = "nim tag"
    NIM_ORIGIN = "nim origin"


class Entry(NamedTuple):
    """One meaning of one key.

    ``strength`` is ``name``, ``typo`` (a misspelled name), ``evokes`` (only suggests it) or ``learned``; ``rank`` and
    ``ref`` depend on the kind. The last four fields are those of a concept, and None for other kinds: ``has_tag`` is
    true if a tag of this base expresses it.
    """

    key: str
    kind: str
    ref: int | str
    strength: str
    rank: int
    word: str
    name: str | None = None
    source: str | None = None
    role: str | None = None
    has_tag: int = 0

    @property
    def is_named(self) -> bool:
        """Whether the key is a name, correctly spelled or not, and does not only suggest the concept."""
        return self.strength != "evokes"


#: Kind -> key -> its entries, sorted by ``ref``.
Entries: TypeAlias = Mapping[Kind, Mapping[str, list[Entry]]]

_ENTRIES = """
SELECT key, kind, ref, coalesce(strength, 'name'), coalesce(rank, 0), coalesce(word, key), name, source, role,
  EXISTS (SELECT 1 FROM concept_tag WHERE concept_tag.concept = concept.id)
FROM dictionary LEFT JOIN concept ON kind = 'concept' AND concept.id = ref
WHERE key IN (SELECT value FROM json_each(?)) AND kind IN (SELECT value FROM json_each(?))
  AND coalesce(source, '') NOT IN (SELECT value FROM json_each(?))
ORDER BY key, kind, ref
"""


def look_up(index: Index, keys: Iterable[str], kinds: Iterable[Kind]) -> Entries:
    """Every entry of these kinds under any of the keys; concepts of a disabled signal source are left out."""
    kinds = tuple(kinds)
    found: dict[Kind, dict[str, list[Entry]]] = {kind: {} for kind in kinds}
    parameters = as_json(sorted(set(keys))), as_json(kinds), as_json(sorted(index.disabled_signals))
    for row in index.rows(_ENTRIES, parameters):
        entry = Entry(*row)
        found[Kind(entry.kind)].setdefault(entry.key, []).append(entry)
    return found

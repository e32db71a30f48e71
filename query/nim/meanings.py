"""What a text means beside its words: the concepts that it speaks of, and which units name them too."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from fileformat.concepts import concept_mark, concept_term
from fileformat.surfaces import atoms, longest, surfaces
from query.index import Index, as_json

#: The concepts of one stretch of a text: different names of one meaning, which counts once.
Meaning: TypeAlias = tuple[int, ...]

_CONCEPTS = """
SELECT word.key, word.concept FROM concept_word AS word JOIN concept ON concept.id = word.concept
WHERE word.key IN (SELECT value FROM json_each(?)) AND concept.source NOT IN (SELECT value FROM json_each(?))
ORDER BY word.key, word.concept
"""
_NAMED_BY = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_SETS = "SELECT unit, concepts FROM nim_concept WHERE unit IN (SELECT value FROM json_each(?))"


def spoken(index: Index, said: str) -> list[Meaning]:
    """The meanings of a normalised text, the longest word winning."""
    found = list(surfaces(atoms(said), said))
    asked = as_json(sorted({key for s in found for key in s.keys}))
    known = index.lists(_CONCEPTS, (asked, as_json(sorted(index.without))))
    return longest(said, found, lambda s: tuple(dict.fromkeys(c for k in s.keys for c in known.get(k, ()))) or None)


def shared(index: Index, meanings: Sequence[Meaning], units: Iterable[int]) -> dict[int, float]:
    """The share, 0 to 1, of a text's meanings that each unit names too; a rare meaning carries more."""
    named_by: dict[str, int] = dict(
        index.rows(_NAMED_BY, (as_json([concept_term(c) for meaning in meanings for c in meaning]),))
    )
    weighed = [
        (frozenset(map(concept_mark, meaning)), math.log(1 + index.nim_units / (min(counts) + 0.5)))
        for meaning in meanings
        if (counts := [named_by[term] for c in meaning if (term := concept_term(c)) in named_by])
    ]
    total = sum(weight for _, weight in weighed)
    if not total:
        return {}
    return {
        unit: sum(weight for marks, weight in weighed if not marks.isdisjoint(concepts)) / total
        for unit, concepts in index.rows(_SETS, (as_json(sorted(units)),))
    }

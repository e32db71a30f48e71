"""Token sets of NIM units, compiled for Jaccard similarity: rows of ``nim_set``, ``nim_token``, ``nim_sets``.

A set is stored as a string of one character per token: a Han character is itself, a longer token is a private
code point that ``nim_token`` explains. A set's size is its length, and an overlap costs a microsecond.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fileformat.fold import Variants, normalise
from fileformat.tokens import GENERIC_TAGS, fold_tag, jaccard_tokens
from indexer.errors import RtckbBuildError
from indexer.records import Unit
from indexer.rows import Rows
from indexer.sources.nim_values import is_placeholder

#: Private-use planes 15 and 16 of Unicode: as many different tokens longer than one character as a base may have.
_FIRST_CODES = (range(0xF0000, 0xFFFFE), range(0x100000, 0x10FFFE))
#: The track type that has root causes.
TROUBLE = "排查类"
#: Fields that candidates are found by; a description is only compared.
INDEXED = ("title", "tags", "conclusion")


class TooManyTokens(RtckbBuildError):
    """More distinct tokens than there are code points for them."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The four texts of a unit that are compared (decisions 3-7).

    ``is_trouble``: graded by the rule for 排查类; ``has_cause``: a real root cause is among its texts.
    """

    title: str
    tags: str
    description: str
    conclusion: str
    is_trouble: bool
    has_cause: bool


def sides(unit: Unit) -> Sides:
    """What of a unit is compared: placeholders count as empty, its own product and platform are no tags."""
    own = GENERIC_TAGS | {fold_tag(name) for name in (unit.product, unit.platform, *unit.platforms)}
    has_cause = not is_placeholder(unit.root_cause)
    parts = [text for text in (unit.root_cause, unit.solution) if not is_placeholder(text)]
    return Sides(
        title=unit.display_title,
        tags=" ".join(tag for tag in unit.tags if fold_tag(tag) not in own),
        description=unit.description,
        conclusion=" ".join(parts) if has_cause else "",
        is_trouble=unit.track_type == TROUBLE,
        has_cause=has_cause,
    )


def similarity_rows(compared: Sequence[Sides], variants: Variants) -> tuple[Rows, list[Mapping[str, str]]]:
    """The rows of the ordinary tables, and those of ``nim_sets`` in unit order; characters are folded (F6)."""
    names = (*INDEXED, "description")
    sets = [{name: jaccard_tokens(normalise(getattr(side, name), variants)) for name in names} for side in compared]
    codes = _codes({token for fields in sets for tokens in fields.values() for token in tokens if len(token) > 1})
    coded = [
        {name: "".join(sorted(codes.get(t, t) for t in tokens)) for name, tokens in fields.items()} for fields in sets
    ]
    rows: Rows = {
        "nim_token": [{"token": token, "code": codes[token]} for token in sorted(codes)],
        "nim_set": [
            {"unit": number, "is_trouble": int(side.is_trouble), "has_cause": int(side.has_cause), **fields}
            for number, (side, fields) in enumerate(zip(compared, coded, strict=True), 1)
        ],
    }
    return rows, [{name: " ".join(fields[name]) for name in INDEXED} for fields in coded]


def _codes(tokens: Iterable[str]) -> Mapping[str, str]:
    """A private code point for every token longer than one character, in order."""
    free = _free_codes()
    try:
        return {token: chr(next(free)) for token in sorted(tokens)}
    except StopIteration:
        raise TooManyTokens(f"more than {sum(map(len, _FIRST_CODES))} distinct tokens in the NIM base") from None


def _free_codes() -> Iterator[int]:
    for codes in _FIRST_CODES:
        yield from codes


def place_rows(units: Iterable[Unit]) -> Rows:
    """Rows of ``nim_place``: every name that some unit has as its product or platform, folded."""
    names = {fold_tag(n) for unit in units for n in (unit.product, unit.platform, *unit.platforms)}
    return {"nim_place": [{"key": name} for name in sorted(names)]}

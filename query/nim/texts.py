"""The texts of every unit that Jaccard compares, for modes whose token sets the file does not hold."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from fileformat.fold import normalise
from fileformat.tokens import GENERIC_TAGS, fold_tag
from query.index import Index

_UNITS = """
SELECT nim_unit.id, is_trouble, has_cause, nim_unit.title, display_title,
  root_cause, solution, answered, product, platform
FROM nim_unit JOIN nim_set ON nim_set.unit = nim_unit.id ORDER BY nim_unit.id
"""
_TAGS = "SELECT unit, tag FROM nim_tag ORDER BY unit, position"
_PLATFORMS = "SELECT unit, platform FROM nim_platform ORDER BY unit"


class Texts(NamedTuple):
    """What of a unit is compared (decisions 3-7), as texts."""

    unit: int
    is_trouble: bool
    has_cause: bool
    title: str
    tags: tuple[str, ...]
    conclusion: str


def read_texts(index: Index, literal: bool) -> Iterator[Texts]:
    """Every unit, in simplified characters; ``literal`` keeps those, placeholders, raw titles and all tags (7a)."""
    fold = partial(normalise, variants=index.variants)
    tags = index.lists(_TAGS)
    platforms = index.lists(_PLATFORMS)
    for unit, trouble, has_cause, title, shown, cause, solution, answered, *own in index.rows(_UNITS):
        mine = tags.get(unit, [])
        if literal:
            conclusion = f"{cause} {solution}" if cause else ""
            yield Texts(unit, bool(trouble), bool(cause), title, tuple(mine), conclusion)
            continue
        names = GENERIC_TAGS | {fold_tag(name) for name in (*own, *platforms.get(unit, ()))}
        kept = tuple(fold(tag) for tag in mine if fold_tag(tag) not in names)
        conclusion = " ".join(text for text, real in ((cause, has_cause), (solution, answered)) if real and has_cause)
        yield Texts(unit, bool(trouble), bool(has_cause), fold(shown), kept, fold(conclusion))

"""Dictionary entries of NIM products and platforms, and of the terms that units of one product almost only have.

See docs/decisions/nim.md#products and docs/decisions/nim.md#platforms.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from indexer.compile.fulltext import Prepared
from indexer.compile.rows import Row, Rows, dictionary_row
from indexer.data import load_nim_products, load_platforms, standard_product
from indexer.records import Unit
from query.analysis.normalize import Variants, keys

#: A term stands for a product if so many units have it, and at least this share of them are the product's.
_LEARNED_FROM_UNITS = 4
_LEARNED_FROM_SHARE = 0.95
_LEARNED_FIELDS = ("title", "tags")
_GENERIC_PLATFORM = "通用"


def vocabulary_rows(
    units: Sequence[Unit], prepared: Sequence[Prepared], words: Mapping[str, str], variants: Variants
) -> Rows:
    """The dictionary entries of products and platforms; ``words`` maps each Han run of the base to its words."""
    rows = {(row["key"], row["ref"]): row for row in _learned(units, prepared, words)}
    rows |= {(row["key"], row["ref"]): row for row in _aliases(units, variants)}
    return {"dictionary": [*(rows[pair] for pair in sorted(rows, key=str)), *_platform_rows(variants)]}


def _aliases(units: Iterable[Unit], variants: Variants) -> list[Row]:
    """The names of the product table, in its order, then each product folder of the base."""
    named = [(alias, p.name) for p in load_nim_products() for alias in (p.name, *p.aliases, *p.folders)]
    named += [(folder, standard_product(folder)) for folder in sorted({unit.product_folder for unit in units})]
    rows: dict[str, Row] = {}
    for rank, (alias, scope) in enumerate(named):
        for key in keys(alias, variants)[:1]:
            rows.setdefault(key, dictionary_row(key, "nim product", scope, rank=rank))
    return list(rows.values())


def _learned(units: Sequence[Unit], prepared: Sequence[Prepared], words: Mapping[str, str]) -> list[Row]:
    """The terms of titles and tags that almost only units of one product have."""
    counts: dict[str, Counter[str]] = {}
    for unit, fields in zip(units, prepared, strict=True):
        scope = standard_product(unit.product_folder)
        pieces = [piece for field in _LEARNED_FIELDS for piece in fields[field]]
        for term in {term for piece in pieces for term in words.get(piece, piece).split() if len(term) > 1}:
            counts.setdefault(term, Counter())[scope] += 1
    rows: list[Row] = []
    for term, by_scope in counts.items():
        ((scope, most),) = by_scope.most_common(1)
        total = by_scope.total()
        if total >= _LEARNED_FROM_UNITS and most / total >= _LEARNED_FROM_SHARE:
            rows.append(dictionary_row(term, "nim product", scope, "learned", most))
    return rows


def _platform_rows(variants: Variants) -> list[Row]:
    rows: dict[str, Row] = {
        key: dictionary_row(key, "nim platform", platform)
        for platform, aliases in load_platforms().items()
        if platform != _GENERIC_PLATFORM
        for name in (platform, *aliases)
        for key in keys(name, variants)[:1]
    }
    return [rows[key] for key in sorted(rows)]

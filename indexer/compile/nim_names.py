"""What a NIM base and its data files teach about names: products, platforms, and terms of one product only."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from indexer.compile.fulltext import Prepared
from indexer.data import load_nim_products, load_platforms
from indexer.records import Unit
from query.analysis.normalize import Variants, keys

#: A term teaches a product from so many units on, if at least this share of them are the product's.
_LEARNED_FROM_UNITS = 4
_LEARNED_FROM_SHARE = 0.95
_LEARNED_FIELDS = ("title", "tags")
_GENERIC_PLATFORM = "通用"


@cache
def _standard() -> Mapping[str, str]:
    products = load_nim_products()
    return {folder: product.name for product in products for folder in (product.name, *product.folders)}


def scope_of(product_folder: str) -> str:
    """Decision 9: the standard product that a folder belongs to; a folder outside the table is its own."""
    return _standard().get(product_folder, product_folder)


def vocabulary_rows(
    units: Sequence[Unit], prepared: Sequence[Prepared], words: Mapping[str, str], variants: Variants
) -> dict[str, list[dict[str, object]]]:
    """Rows of ``nim_product_word`` and ``nim_platform_word``; ``words`` are the base's segmented Han runs."""
    rows = {(row["key"], row["scope"]): row for row in _learned(units, prepared, words)}
    rows |= {(row["key"], row["scope"]): row for row in _aliases(units, variants)}
    return {
        "nim_product_word": [rows[place] for place in sorted(rows, key=str)],
        "nim_platform_word": _platform_rows(variants),
    }


def _aliases(units: Iterable[Unit], variants: Variants) -> list[dict[str, object]]:
    """The specification's table first, in its order; then every product folder of the base under its own name."""
    named = [(alias, p.name) for p in load_nim_products() for alias in (p.name, *p.aliases, *p.folders)]
    named += [(folder, scope_of(folder)) for folder in sorted({unit.product_folder for unit in units})]
    rows: dict[str, dict[str, object]] = {}
    for rank, (alias, scope) in enumerate(named):
        for key in keys(alias, variants)[:1]:
            rows.setdefault(key, {"key": key, "scope": scope, "source": "alias", "rank": rank})
    return list(rows.values())


def _learned(units: Sequence[Unit], prepared: Sequence[Prepared], words: Mapping[str, str]) -> list[dict[str, object]]:
    """Terms of titles and tags that stand almost only under one product (decision 9, "technical words")."""
    counts: dict[str, Counter[str]] = {}
    for unit, fields in zip(units, prepared, strict=True):
        scope = scope_of(unit.product_folder)
        pieces = [piece for field in _LEARNED_FIELDS for piece in fields[field]]
        for term in {term for piece in pieces for term in words.get(piece, piece).split() if len(term) > 1}:
            counts.setdefault(term, Counter())[scope] += 1
    rows: list[dict[str, object]] = []
    for term, by_scope in counts.items():
        ((scope, most),) = by_scope.most_common(1)
        total = by_scope.total()
        if total >= _LEARNED_FROM_UNITS and most / total >= _LEARNED_FROM_SHARE:
            rows.append({"key": term, "scope": scope, "source": "learned", "rank": most})
    return rows


def _platform_rows(variants: Variants) -> list[dict[str, object]]:
    rows: dict[str, dict[str, object]] = {
        key: {"key": key, "platform": platform}
        for platform, aliases in load_platforms().items()
        if platform != _GENERIC_PLATFORM
        for name in (platform, *aliases)
        for key in keys(name, variants)[:1]
    }
    return [rows[key] for key in sorted(rows)]

"""Counts the files of a NIM base that contain personal details, and masks them (docs/decisions/nim.md#redaction).

The mask consists of characters that separate tokens, so no index of the file contains a part of a masked detail.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from indexer.reading.checks import copies
from indexer.records import Finding, NimBase, Unit
from query.analysis.normalize import Variants

MASK = "***"

#: What follows an ``@`` that names no person: everybody, the feature of that name, keywords, numbers, npm scopes.
_NOBODY = "所有人|全体|全员|消息|信息|功能|提醒|好友|群|成员|指定|用户|我|的|人"
_KEYWORDS = (
    "all|import|interface|implementation|property|protocol|class|end|selector|objc|available|escaping|optional|"
    "synthesize|dynamic|try|catch|finally|autoreleasepool|weakify|strongify|Override|Nullable|NonNull|Test|Entry|"
    "Component|State|Prop|Link|Builder|param|return|see|media|supports|keyframes|font-face"
)
_HEX = "[0-9A-Fa-f]"
#: Category of detail -> its pattern, in the order of masking. Full-width forms and keys with hyphens are covered,
#: because the full-text index would normalize them. No pattern starts inside a run of its own characters: each long
#: page is scanned in linear time.
PATTERNS = {
    "emails": re.compile(r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]++[@＠](?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}"),
    "keys": re.compile(rf"(?<!{_HEX}){_HEX}(?:[-_.]?{_HEX}){{31,}}"),
    "mobiles": re.compile(r"(?<!\d)(?:[+＋]?86[- ]?)?[1１][3-9３-９]\d(?:[- ]?\d{4}){2}(?!\d)"),
    "mentions": re.compile(
        rf"(?<![A-Za-z0-9._-])[@＠](?!(?:{_NOBODY})(?![-_部组])|(?:{_KEYWORDS})(?![A-Za-z0-9_])|\d+(?:\.\d+)+|[\w.-]+/)"
        r"[^\W_][\w\-.·]{0,19}(?:[(（][^()（）\s]{1,20}[)）])?"
    ),
}
_MASKS = {"mentions": f"@{MASK}"}

#: Fields of a unit that are one text. Its path and folders are not masked.
_FIELDS = (
    *("title", "display_title", "description", "root_cause", "solution", "details"),
    *("sub_type", "product", "feature", "platform", "source", "created", "updated"),
)


def count_personal(base: NimBase) -> dict[str, int]:
    """How many files contain personal details, in total and by category, as counts of the build."""
    found: dict[str, set[str]] = {category: set() for category in ("customers", *PATTERNS)}
    for unit in base.units:
        if unit.customers:
            found["customers"].add(unit.path)
        text = "\n".join(_texts(unit))
        for category, pattern in PATTERNS.items():
            if pattern.search(text):
                found[category].add(unit.path)
    total = len(set().union(*found.values()))
    return {"nim.files_personal": total, **{f"nim.files_{name}": len(paths) for name, paths in found.items()}}


def redact(base: NimBase, variants: Variants) -> NimBase:
    """The same records with every detail masked; the customers of a unit become their number.

    Copies are printed as one answer with the customers of all of them. So each copy gets the number of customers of
    all copies together.
    """
    names = _names_by_file(base.units)
    masked = replace(
        base,
        units=tuple(_mask_unit(unit, names[unit.path]) for unit in base.units),
        findings=tuple(_mask_finding(finding, names.get(finding.path)) for finding in base.findings),
    )
    copy_of = copies(masked, variants)
    customers: dict[int, set[str]] = {}
    for number, unit in enumerate(base.units, 1):
        customers.setdefault(copy_of[number], set()).update(unit.customers)
    counted = (
        replace(unit, customers=_as_count(len(customers[copy_of[number]])))
        for number, unit in enumerate(masked.units, 1)
    )
    return replace(masked, units=tuple(counted))


def mask(text: str, names: re.Pattern[str] | None = None) -> str:
    """A text with its details masked; ``names`` matches the customers to mask too."""
    for category, pattern in PATTERNS.items():
        text = pattern.sub(_MASKS.get(category, MASK), text)
    return names.sub(MASK, text) if names else text


def _as_count(number: int) -> tuple[str, ...]:
    return (f"{number} 家",) if number else ()


def _texts(unit: Unit) -> Iterator[str]:
    yield from (getattr(unit, name) for name in _FIELDS)
    yield from unit.tags
    yield from unit.customers


def _mask_unit(unit: Unit, names: re.Pattern[str] | None) -> Unit:
    texts: dict[str, Any] = {name: mask(getattr(unit, name), names) for name in _FIELDS}
    return replace(unit, **texts, tags=tuple(mask(tag, names) for tag in unit.tags))


def _mask_finding(finding: Finding, names: re.Pattern[str] | None) -> Finding:
    return replace(finding, detail=mask(finding.detail, names))


def _names_by_file(units: Iterable[Unit]) -> Mapping[str, re.Pattern[str] | None]:
    """A pattern of the customers of each page, without names of one character, which would mask half of a text."""
    names: dict[str, set[str]] = {}
    for unit in units:
        names.setdefault(unit.path, set()).update(name for name in unit.customers if len(name) > 1)
    return {path: _pattern(found) for path, found in names.items()}


def _pattern(names: set[str]) -> re.Pattern[str] | None:
    """A pattern of any of the names, the longest first; a Latin name matches only as a whole word."""
    if not names:
        return None
    in_order = sorted(names, key=lambda name: (-len(name), name))
    words = (rf"(?<![A-Za-z0-9]){re.escape(n)}(?![A-Za-z0-9])" if n.isascii() else re.escape(n) for n in in_order)
    return re.compile("|".join(words))

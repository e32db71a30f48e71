"""Personal details of NIM records: in how many files they stand, and records without them (decision 19). Pure.

A mask is made of characters that separate tokens, so that it leaves no word behind in any index of the file.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from indexer.reading.checks import copies
from indexer.records import Finding, NimBase, Unit
from query.analysis.normalize import Variants

MASK = "***"

#: What may follow an ``@`` that calls nobody: everybody, the feature of that name, keywords, numbers, npm scopes.
_NOBODY = "所有人|全体|全员|消息|信息|功能|提醒|好友|群|成员|指定|用户|我|的|人"
_KEYWORDS = (
    "all|import|interface|implementation|property|protocol|class|end|selector|objc|available|escaping|optional|"
    "synthesize|dynamic|try|catch|finally|autoreleasepool|weakify|strongify|Override|Nullable|NonNull|Test|Entry|"
    "Component|State|Prop|Link|Builder|param|return|see|media|supports|keyframes|font-face"
)
_HEX = "[0-9A-Fa-f]"
#: Kind of detail -> its pattern, in the order in which they are masked. Full-width forms and keys with hyphens count:
#: the full-text index folds them into plain ones. None is tried inside a run of its own characters: pages are long.
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

#: Fields of a unit that are one text. Paths and folders stay: they are how a case is found.
_TEXTS = (
    *("title", "display_title", "description", "root_cause", "solution", "details"),
    *("sub_type", "product", "feature", "platform", "source", "created", "updated"),
)


def count_personal(base: NimBase) -> dict[str, int]:
    """How many files hold details, in all and of each kind, as counts of the build: files are named by their units."""
    found: dict[str, set[str]] = {kind: set() for kind in ("customers", *PATTERNS)}
    for unit in base.units:
        if unit.customers:
            found["customers"].add(unit.path)
        text = "\n".join(_texts(unit))
        for kind, pattern in PATTERNS.items():
            if pattern.search(text):
                found[kind].add(unit.path)
    every = set().union(*found.values())
    return {"nim.files_personal": len(every), **{f"nim.files_{kind}": len(paths) for kind, paths in found.items()}}


def redact(base: NimBase, variants: Variants) -> NimBase:
    """The same records with every detail masked, and of a unit's customers only how many they are.

    Copies are one answer (decision 15), so each of them states the customers of all: merging them gives that number,
    whether their customers were the same or not.
    """
    names = _names_by_file(base.units)
    masked = replace(
        base,
        units=tuple(_unit(unit, names[unit.path]) for unit in base.units),
        findings=tuple(_finding(finding, names.get(finding.path)) for finding in base.findings),
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
    """A text without details; ``names`` matches the customers to leave out too."""
    for kind, pattern in PATTERNS.items():
        text = pattern.sub(_MASKS.get(kind, MASK), text)
    return names.sub(MASK, text) if names else text


def _as_count(number: int) -> tuple[str, ...]:
    return (f"{number} 家",) if number else ()


def _texts(unit: Unit) -> Iterator[str]:
    for name in _TEXTS:
        yield getattr(unit, name)
    yield from unit.tags
    yield from unit.customers


def _unit(unit: Unit, names: re.Pattern[str] | None) -> Unit:
    texts: dict[str, Any] = {name: mask(getattr(unit, name), names) for name in _TEXTS}
    return replace(unit, **texts, tags=tuple(mask(tag, names) for tag in unit.tags))


def _finding(finding: Finding, names: re.Pattern[str] | None) -> Finding:
    return replace(finding, detail=mask(finding.detail, names))


def _names_by_file(units: Iterable[Unit]) -> Mapping[str, re.Pattern[str] | None]:
    """The customers of each page, as a pattern; a name of one character would mask half of every text."""
    names: dict[str, set[str]] = {}
    for unit in units:
        names.setdefault(unit.path, set()).update(name for name in unit.customers if len(name) > 1)
    return {path: _pattern(found) for path, found in names.items()}


def _pattern(names: set[str]) -> re.Pattern[str] | None:
    """Any of the names, the longest first; a Latin one only as a word of its own."""
    if not names:
        return None
    in_order = sorted(names, key=lambda name: (-len(name), name))
    words = (rf"(?<![A-Za-z0-9]){re.escape(n)}(?![A-Za-z0-9])" if n.isascii() else re.escape(n) for n in in_order)
    return re.compile("|".join(words))

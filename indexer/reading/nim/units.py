"""Makes the searchable units of a page: one for a single case, one for each entry."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from indexer.reading.front_matter import Value, list_of, text_of
from indexer.reading.nim.entries import Entry
from indexer.reading.nim.page import PageText, read_entry
from indexer.reading.nim.values import adds_text, better, display_title, is_placeholder, platform_of, points_to_body
from indexer.records import Unit

_NULLS = {"null", "none", "~"}


@dataclass(frozen=True, slots=True)
class PageInfo:
    """The path and the front matter of a page, which all of its units share."""

    path: str
    stem: str
    folders: tuple[str, ...]
    fields: Mapping[str, Value]

    @classmethod
    def of(cls, relative: str, fields: Mapping[str, Value]) -> Self:
        """``relative`` is the printed path: ``knowledge/{product}/{feature}/...``."""
        *folders, name = relative.split("/")
        return cls(relative, name.rsplit(".", 1)[0], tuple(folders[1:]), fields)

    def text(self, key: str) -> str:
        """A field as text; a list keeps its lines; empty if the field is missing or null."""
        value = self.fields.get(key)
        text = "\n".join(f"- {text_of(item)}" for item in value) if isinstance(value, list) else text_of(value)
        return "" if text.lower() in _NULLS else text

    def folder(self, level: int) -> str:
        """The folder at a level below ``knowledge/``, from 0; empty if the path is shorter."""
        return self.folders[level] if len(self.folders) > level else ""


def page_unit(page: PageInfo, text: PageText) -> Unit:
    """The unit of a page that is one case: its fields, and its sections where a field is empty.

    See docs/decisions/nim.md#missing-root-cause and #placeholders.
    """
    title = page.text("title") or text.title
    cause, answer = page.text("root_cause"), page.text("solution")
    if text.root_cause and is_placeholder(cause):
        cause = text.root_cause
    solution, other = better("" if text.solution and points_to_body(answer) else answer, text.solution)
    return Unit(
        **_shared(page, {}),
        entry=0,
        line=1,
        title=title,
        display_title=display_title(title, text.description, page.stem),
        description=text.description,
        root_cause=cause,
        solution=solution,
        answered=not is_placeholder(solution),
        details=_joined((*text.details, text.root_cause if adds_text(text.root_cause, cause) else "", other)),
        tags=list_of(page.fields.get("tags")),
        customers=_unique((*list_of(page.fields.get("customers")), *text.customers)),
        created=page.text("created"),
        updated=page.text("updated"),
        frequency=1,
    )


def entry_unit(page: PageInfo, entry: Entry) -> Unit:
    """The unit of one entry; where its comment has no value, the page's front matter is used."""
    text = read_entry(entry.text)
    outer = read_entry(entry.outer_text) if entry.outer_text else PageText()
    title = text.title or outer.title or entry.text_of("title")
    solution, other = better(text.solution, entry.text_of("solution"))
    cause, other_cause = better(text.root_cause, entry.text_of("root_cause"))
    steps = entry.text_of("troubleshooting")
    steps = steps if adds_text(steps, "".join(text.details)) else ""
    frequency = entry.text_of("frequency")
    return Unit(
        **_shared(page, {key: entry.text_of(key) for key in entry.attributes}),
        entry=entry.ordinal,
        line=entry.line,
        title=title,
        display_title=display_title(title, text.description, page.stem),
        description=text.description,
        root_cause=cause,
        solution=solution,
        answered=not is_placeholder(solution),
        details=_joined((*text.details, steps, other_cause, other)),
        tags=entry.list_of("tags"),
        customers=_unique((*entry.list_of("customers"), *text.customers)),
        created=entry.text_of("created"),
        updated=entry.text_of("updated"),
        frequency=int(frequency) if frequency.isdecimal() and len(frequency) < 10 else 1,
    )


def _shared(page: PageInfo, attributes: Mapping[str, str]) -> dict[str, Any]:
    """The fields that come from an entry's attributes, else from the front matter, else from the path."""

    def value(key: str) -> str:
        return attributes.get(key) or page.text(key)

    written = (attributes.get("platform", ""), page.text("platform"))
    platform, platforms = platform_of(written, reversed(page.folders[2:]))
    return {
        "path": page.path,
        "track_type": value("track_type"),
        "sub_type": value("sub_type"),
        "product": value("product") or page.folder(0),
        "product_folder": page.folder(0),
        "feature": value("feature") or page.folder(1),
        "feature_folder": page.folder(1),
        "platform": platform,
        "platforms": platforms,
        "source": value("source"),
    }


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(dict.fromkeys(part for part in parts if part))


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))

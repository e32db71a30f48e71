"""A page or an entry with its place -> one searchable unit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from indexer.reading.front_matter import Value, list_of, text_of
from indexer.reading.nim.entries import Entry
from indexer.reading.nim.page import PageText, read_entry
from indexer.reading.nim.values import display_title, is_placeholder, longer, platform_of, says_more, sees_body
from indexer.records import Unit

_NOTHING = {"null", "none", "~"}


@dataclass(frozen=True, slots=True)
class Place:
    """A page's path and front matter, as every unit of the page shares them."""

    path: str
    stem: str
    folders: tuple[str, ...]
    fields: Mapping[str, Value]
    texts: Mapping[str, str]

    @classmethod
    def of(cls, relative: str, fields: Mapping[str, Value]) -> Self:
        """``relative`` is the printed path: ``knowledge/{product}/{feature}/...``."""
        *folders, name = relative.split("/")
        texts = {key: _field_text(value) for key, value in fields.items()}
        return cls(relative, name.rsplit(".", 1)[0], tuple(folders[1:]), fields, texts)

    def field(self, key: str) -> str:
        """A field as text; empty where the page lacks it."""
        return self.texts.get(key, "")

    def list(self, key: str) -> tuple[str, ...]:
        """A field as a list; what is no list is a list of one (cases.md M34)."""
        return list_of(self.fields.get(key))

    def folder(self, level: int) -> str:
        """The n-th folder below ``knowledge/``; empty where the path is shorter."""
        return self.folders[level] if len(self.folders) > level else ""


@dataclass(frozen=True, slots=True)
class _Own:
    """What a unit does not share with the rest of its page."""

    entry: int
    line: int
    title: str
    text: PageText
    root_cause: str
    solution: str
    details: Iterable[str]
    tags: tuple[str, ...]
    customers: tuple[str, ...]
    created: str
    updated: str
    overrides: Mapping[str, str]
    frequency: int = 1


def _field_text(value: Value) -> str:
    """A list keeps its lines, and a null is nothing (cases.md M27)."""
    text = "\n".join(f"- {text_of(item)}" for item in value) if isinstance(value, list) else text_of(value)
    return "" if text.lower() in _NOTHING else text


def page_unit(place: Place, text: PageText) -> Unit:
    """Decisions 5 and 6: a single-document case; its fields count, its sections fill what they lack."""
    cause, answer = place.field("root_cause"), place.field("solution")
    if text.root_cause and is_placeholder(cause):
        cause = text.root_cause
    solution, other = longer("" if text.solution and sees_body(answer) else answer, text.solution)
    own = _Own(
        entry=0,
        line=1,
        title=place.field("title") or text.title,
        text=text,
        root_cause=cause,
        solution=solution,
        details=(*text.details, text.root_cause if says_more(text.root_cause, cause) else "", other),
        tags=place.list("tags"),
        customers=(*place.list("customers"), *text.customers),
        created=place.field("created"),
        updated=place.field("updated"),
        overrides={},
    )
    return _unit(place, own)


def entry_unit(place: Place, entry: Entry) -> Unit:
    """Cases.md M11-M16, M21: one entry; what its comment lacks comes from the page's front matter."""
    text = read_entry(entry.text)
    outer = read_entry(entry.outer_text) if entry.outer_text else PageText()
    solution, other = longer(text.solution, entry.text_of("solution"))
    cause, other_cause = longer(text.root_cause, entry.text_of("root_cause"))
    steps = entry.text_of("troubleshooting")
    steps = steps if says_more(steps, "".join(text.details)) else ""
    frequency = entry.text_of("frequency")
    own = _Own(
        entry=entry.ordinal,
        line=entry.line,
        title=text.title or outer.title or entry.text_of("title"),
        text=text,
        root_cause=cause,
        solution=solution,
        details=(*text.details, steps, other_cause, other),
        tags=entry.list_of("tags"),
        customers=(*entry.list_of("customers"), *text.customers),
        created=entry.text_of("created"),
        updated=entry.text_of("updated"),
        overrides={key: entry.text_of(key) for key in entry.attributes},
        frequency=int(frequency) if frequency.isdecimal() and len(frequency) < 10 else 1,
    )
    return _unit(place, own)


def _unit(place: Place, own: _Own) -> Unit:
    def shared(key: str) -> str:
        return own.overrides.get(key) or place.field(key)

    platform, platforms = platform_of(
        (own.overrides.get("platform", ""), place.field("platform")), reversed(place.folders[2:])
    )
    return Unit(
        path=place.path,
        entry=own.entry,
        line=own.line,
        track_type=shared("track_type"),
        sub_type=shared("sub_type"),
        product=shared("product") or place.folder(0),
        product_folder=place.folder(0),
        feature=shared("feature") or place.folder(1),
        feature_folder=place.folder(1),
        platform=platform,
        platforms=platforms,
        title=own.title,
        display_title=display_title(own.title, own.text.description, place.stem),
        description=own.text.description,
        root_cause=own.root_cause,
        solution=own.solution,
        answered=not is_placeholder(own.solution),
        details="\n\n".join(dict.fromkeys(part for part in own.details if part)),
        tags=own.tags,
        customers=tuple(dict.fromkeys(own.customers)),
        source=shared("source"),
        created=own.created,
        updated=own.updated,
        frequency=own.frequency,
    )

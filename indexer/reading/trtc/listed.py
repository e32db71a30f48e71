"""The listings of one slice or scenario in the later public layout -> its record (see ``trtc_split``).

The fields of an index entry or a front matter -> records, alike in both layouts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from indexer.reading import markdown
from indexer.reading.front_matter import Page, Value, list_of, text_of
from indexer.reading.trtc.catalogue import Listing, platform_of
from indexer.reading.trtc.pages import Opened, Reading, slice_page
from indexer.records import Product, Relation, Scenario, Severity, Slice
from query.analysis.error_codes import is_code

_TAG_KEYS = ("tags", "keywords", "trigger-keywords")


def by_id(listings: Sequence[Listing]) -> list[list[Listing]]:
    """The listings of each id, one of each place; a second of one place stands alone, for check to call double."""
    groups: list[list[Listing]] = []
    first: dict[str, list[Listing]] = {}
    for listing in listings:
        mine = first.setdefault(listing.id, [])
        if listing.place in {other.place for other in mine}:
            groups.append([listing])
            continue
        if not mine:
            groups.append(mine)
        mine.append(listing)
    return groups


class SliceReader:
    """The listings of one slice -> its record."""

    def __init__(self, reading: Reading, listings: Sequence[Listing], files: Sequence[str]) -> None:
        self._reading = reading
        self._files = frozenset(files)
        self._owner = {_plain(listing.file): listing.id for listing in reversed(listings)}

    def slice(self, group: Sequence[Listing]) -> Slice:
        """One slice from what each place says of it."""
        first = group[0]
        written = [listing for listing in group if not is_planned(listing.fields)]
        _note_differences(self._reading, group, written)
        pages = sorted(self._pages(written), key=lambda page: page[0])
        fronts = [opened.page for _, opened in pages]
        tags = _tags(*(listing.fields for listing in group))
        overview = next((opened.path for platform, opened in pages if not platform), "")
        return Slice(
            id=first.id,
            product=first.id.partition("/")[0],
            name=_first_text("name", group, fronts),
            description=_first_text("description", group, fronts) or _summary(first, fronts),
            file=overview.partition("/")[2] or first.file,
            planned=not written,
            tags=tags,
            page_tags=tuple(tag for tag in _tags(*(front.fields for front in fronts)) if tag not in tags),
            platforms=tuple(dict.fromkeys(p for listing in written or group for p in listing.platforms)),
            related=tuple(dict.fromkeys(_related(first.id, group, fronts))),
            pages=tuple(slice_page(platform, opened) for platform, opened in pages),
            codes=tuple(tag for tag in tags if is_code(tag)),
            listed_in=self._reading.relative(self._reading.root / first.listed_in),
        )

    def _pages(self, written: Sequence[Listing]) -> Iterator[tuple[str, Opened]]:
        """The pages of one slice, each once: what its listings name, and what lies beside that."""
        seen: set[str] = set()
        for listing in written:
            for file in (listing.file, *self._beside(listing)):
                if file and _plain(file) in seen:
                    continue
                seen.add(_plain(file))
                opened = self._reading.open(file, listing.id, listing.listed_in)
                if opened is not None:
                    platform = platform_of(_plain(file))
                    yield listing.place if platform is None else platform, opened

    def _beside(self, listing: Listing) -> Iterator[str]:
        """The same ability's overview and platform files, where they lie there and no other id has them."""
        folder, name = f"slices/{listing.id.partition('/')[0]}", PurePosixPath(listing.file).name
        for file in (f"{folder}/{name}", *(f"{folder}/{platform}/{name}" for platform in listing.platforms)):
            if file in self._files and self._owner.get(file, listing.id) == listing.id:
                yield file


def scenario_of(reading: Reading, listing: Listing) -> Scenario:
    """One scenario with the text of its page; an index's word counts before the page's."""
    planned = is_planned(listing.fields)
    opened = None if planned else reading.open(listing.file, listing.id, listing.listed_in)
    fields = {**(opened.page.fields if opened else {}), **listing.fields}
    trigger = fields.get("trigger")
    said = list_of(trigger.get("intent_keywords")) if isinstance(trigger, dict) else ()
    return Scenario(
        id=listing.id,
        name=text_of(fields.get("name")),
        description=text_of(fields.get("description")) or "、".join(said),
        file=listing.file,
        planned=planned,
        slices=list_of(fields.get("slices")),
        text=opened.text if opened else "",
        listed_in=reading.relative(reading.root / listing.listed_in),
    )


def _note_differences(reading: Reading, group: Sequence[Listing], written: Sequence[Listing]) -> None:
    """Tell where places say different things of one slice, or not all have written it."""
    first = group[0]
    for key in ("name", "description"):
        said = dict.fromkeys(text for listing in group if (text := text_of(listing.fields.get(key))))
        if len(said) > 1:
            detail = f"{first.id} has another {key} for another platform; {next(iter(said))!r} counts"
            reading.find(first.listed_in, reading.line_of(first.listed_in, first.id), Severity.NOTE, "differs", detail)
    for listing in group if written else ():
        if listing not in written:
            detail = f"{first.id} is planned here and written for another platform; only that one counts"
            line = reading.line_of(listing.listed_in, first.id)
            reading.find(listing.listed_in, line, Severity.NOTE, "planned-here", detail)


def _plain(file: str) -> str:
    return PurePosixPath(file).as_posix()


def _first_text(key: str, group: Sequence[Listing], fronts: Sequence[Page]) -> str:
    """A field of the first place that has it; else of the first page."""
    sources = (*(listing.fields for listing in group), *(front.fields for front in fronts))
    return next((text for fields in sources if (text := text_of(fields.get(key)))), "")


def _summary(first: Listing, fronts: Sequence[Page]) -> str:
    """The first paragraph of a page that lists itself."""
    if first.listed_in != first.file or not fronts:
        return ""
    texts = (section.text.strip() for section in markdown.sections(fronts[0].body))
    return next((text.partition("\n\n")[0] for text in texts if text), "")


def _tags(*sources: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for fields in sources for key in _TAG_KEYS for tag in tags_of(fields.get(key))))


def _related(slice_id: str, group: Sequence[Listing], fronts: Sequence[Page]) -> Iterator[str]:
    """Ids named as related, then as prerequisites; one without a product is of the slice's own."""
    sources = (*(front.fields for front in fronts), *(listing.fields for listing in group))
    product = slice_id.partition("/")[0]
    for key in ("related", "prerequisites"):
        for named in (named for fields in sources for named in list_of(fields.get(key))):
            yield named if "/" in named else f"{product}/{named}"


def tags_of(value: "Value | None") -> tuple[str, ...]:
    """Tags as a list, or as one text with commas between them."""
    listed = re.split(r"[,，、;；]", value) if isinstance(value, str) else value
    return list_of(listed)


def is_planned(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says that its page is not written yet."""
    return text_of(entry.get("status")).lower() == "planned"


def product_of(entry: Mapping[str, Any], listed_in: str) -> Product:
    """One entry of ``products``."""
    return Product(
        id=text_of(entry.get("id")),
        name=text_of(entry.get("name")),
        description=text_of(entry.get("description")),
        llms_file=text_of(entry.get("llms_file")),
        listed_in=listed_in,
    )


def relation_of(entry: Mapping[str, Any], listed_in: str) -> Relation:
    """One entry of the cross-product relations."""
    return Relation(
        id=text_of(entry.get("id")),
        products=list_of(entry.get("products")),
        slices=list_of(entry.get("slices")),
        description=text_of(entry.get("description")),
        listed_in=listed_in,
    )

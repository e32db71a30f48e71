"""Makes records of what a base lists: the entries of an index, or the front matter of a page that lists itself.

``SliceReader`` and ``scenario_of`` are for the later public layout, where several files may list one slice; the small
functions at the end serve both layouts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from indexer.reading import markdown
from indexer.reading.front_matter import Page, Value, list_of, text_of
from indexer.reading.trtc.catalogue import Listing, platform_of
from indexer.reading.trtc.folder import page_key, printed_path
from indexer.reading.trtc.pages import FileReader, OpenedPage, slice_page
from indexer.records import Product, Relation, Scenario, Severity, Slice
from query.analysis.error_codes import is_code

_TAG_KEYS = ("tags", "keywords", "trigger-keywords")


def by_id(listings: Sequence[Listing]) -> list[list[Listing]]:
    """The listings of each slice id, one per platform.

    If one platform lists an id twice, the second listing is a group of its own, which ``checks`` reports.
    """
    groups: list[list[Listing]] = []
    first: dict[str, list[Listing]] = {}
    for listing in listings:
        group = first.setdefault(listing.id, [])
        if listing.platform in {other.platform for other in group}:
            groups.append([listing])
            continue
        if not group:
            groups.append(group)
        group.append(listing)
    return groups


class SliceReader:
    """Makes one record of all listings of a slice. ``paths`` are all source files of the base."""

    def __init__(self, files: FileReader, listings: Sequence[Listing], paths: Sequence[str]) -> None:
        self._files = files
        self._paths = {page_key(path): path for path in paths}
        self._owner = {_normal(listing.file): listing.id for listing in reversed(listings)}

    def slice(self, group: Sequence[Listing]) -> Slice:
        """One slice from the listings of its platforms."""
        first = group[0]
        written = [listing for listing in group if not is_planned(listing.fields)]
        _note_differences(self._files, group, written)
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
            listed_in=printed_path(first.listed_in),
        )

    def _pages(self, written: Sequence[Listing]) -> Iterator[tuple[str, OpenedPage]]:
        """(platform, page) of each file that a listing names or that lies beside it, each file once."""
        seen: set[str] = set()
        for listing in written:
            for file in (listing.file, *self._beside(listing)):
                if file and _normal(file) in seen:
                    continue
                seen.add(_normal(file))
                opened = self._files.open_page(file, listing.id, listing.listed_in)
                if opened is not None:
                    platform = platform_of(_normal(file))
                    yield listing.platform if platform is None else platform, opened

    def _beside(self, listing: Listing) -> Iterator[str]:
        """The overview and the platform files of the same name that exist and that no other id lists."""
        folder, name = f"slices/{listing.id.partition('/')[0]}", PurePosixPath(listing.file).name
        for wanted in (f"{folder}/{name}", *(f"{folder}/{platform}/{name}" for platform in listing.platforms)):
            file = self._paths.get(page_key(wanted))
            if file and self._owner.get(file, listing.id) == listing.id:
                yield file


def scenario_of(files: FileReader, listing: Listing) -> Scenario:
    """One scenario with the text of its page; the fields of an index take precedence over those of the page."""
    planned = is_planned(listing.fields)
    opened = None if planned else files.open_page(listing.file, listing.id, listing.listed_in)
    fields = {**(opened.page.fields if opened else {}), **listing.fields}
    trigger = fields.get("trigger")
    keywords = list_of(trigger.get("intent_keywords")) if isinstance(trigger, dict) else ()
    return Scenario(
        id=listing.id,
        name=text_of(fields.get("name")),
        description=text_of(fields.get("description")) or "、".join(keywords),
        file=listing.file,
        planned=planned,
        slices=list_of(fields.get("slices")),
        text=opened.text if opened else "",
        listed_in=printed_path(listing.listed_in),
    )


def _note_differences(files: FileReader, group: Sequence[Listing], written: Sequence[Listing]) -> None:
    """Report platforms that describe one slice differently, or that plan it while another has its page."""
    first = group[0]
    for key in ("name", "description"):
        texts = dict.fromkeys(text for listing in group if (text := text_of(listing.fields.get(key))))
        if len(texts) > 1:
            detail = f"{first.id} has another {key} for another platform; {next(iter(texts))!r} is used"
            line = files.line_of(first.listed_in, first.id)
            files.add_finding(first.listed_in, line, Severity.NOTE, "differs", detail)
    for listing in group if written else ():
        if listing not in written:
            detail = f"{first.id} is planned here but written for another platform; this entry is ignored"
            line = files.line_of(listing.listed_in, first.id)
            files.add_finding(listing.listed_in, line, Severity.NOTE, "planned-here", detail)


def _normal(file: str) -> str:
    return PurePosixPath(file).as_posix()


def _first_text(key: str, group: Sequence[Listing], fronts: Sequence[Page]) -> str:
    """A field of the first listing that has it, else of the first page that has it."""
    sources = (*(listing.fields for listing in group), *(front.fields for front in fronts))
    return next((text for fields in sources if (text := text_of(fields.get(key)))), "")


def _summary(first: Listing, fronts: Sequence[Page]) -> str:
    """The first paragraph of a page that lists itself; empty for a slice of an index."""
    if first.listed_in != first.file or not fronts:
        return ""
    texts = (section.text.strip() for section in markdown.sections(fronts[0].body))
    return next((text.partition("\n\n")[0] for text in texts if text), "")


def _tags(*sources: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for fields in sources for key in _TAG_KEYS for tag in tags_of(fields.get(key))))


def _related(slice_id: str, group: Sequence[Listing], fronts: Sequence[Page]) -> Iterator[str]:
    """The related ids, then the prerequisites; an id without a product belongs to the slice's product."""
    sources = (*(front.fields for front in fronts), *(listing.fields for listing in group))
    product = slice_id.partition("/")[0]
    for key in ("related", "prerequisites"):
        for named in (named for fields in sources for named in list_of(fields.get(key))):
            yield named if "/" in named else f"{product}/{named}"


def tags_of(value: "Value | None") -> tuple[str, ...]:
    """The tags of a list, or of a text in which commas or semicolons separate them."""
    listed = re.split(r"[,，、;；]", value) if isinstance(value, str) else value
    return list_of(listed)


def is_planned(entry: Mapping[str, Any]) -> bool:
    """Whether an entry has the status ``planned``: its page is not written yet."""
    return text_of(entry.get("status")).lower() == "planned"


def product_of(entry: Mapping[str, Any], listed_in: str) -> Product:
    """One entry of ``products``."""
    texts = {key: text_of(entry.get(key)) for key in ("id", "name", "description", "llms_file")}
    return Product(**texts, listed_in=listed_in)


def relation_of(entry: Mapping[str, Any], listed_in: str) -> Relation:
    """One entry of the cross-product relations."""
    return Relation(
        id=text_of(entry.get("id")),
        products=list_of(entry.get("products")),
        slices=list_of(entry.get("slices")),
        description=text_of(entry.get("description")),
        listed_in=listed_in,
    )

"""What the later public layout lists: the slices and scenarios of every index, and of products that have none.

An index stands at ``{product}/{platform}/index.yaml`` and lists the slices of that platform. A product without any
index is listed by its own pages, as the base's own search does: the front matter of ``slices/{product}/*.md`` and
``slices/{product}/{platform}/*.md`` has the id, the name and the tags that an index would have. Scenarios are listed
by the front matter of ``scenarios/**.md``, unless an index lists them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from indexer.reading.front_matter import list_of, text_of
from indexer.reading.trtc.folder import PAGE_FOLDERS, Layout, source_files
from indexer.reading.trtc.pages import Reading
from indexer.records import Severity

#: The register of products.
REGISTER = Layout.SPLIT.value
#: Folders of the root that are no product.
_NOT_PRODUCTS = frozenset({*PAGE_FOLDERS, "docs", "tooling"})
#: What an entry may say that a record keeps; what else it says is told.
_KEPT = frozenset(
    {
        *("id", "name", "description", "file", "status", "platforms", "slices", "related", "prerequisites"),
        *("tags", "keywords", "trigger-keywords", "trigger"),
    }
)


@dataclass(frozen=True, slots=True)
class Listing:
    """One slice or scenario as one file lists it.

    ``place`` is the platform folder of the index or page that lists it; empty for an overview and a scenario.
    ``platforms`` are that one, and those that the entry of an index adds (decision 13: an index decides, not a page).
    ``fields`` are those of the entry, or of the front matter of the page itself.
    """

    id: str
    place: str
    platforms: tuple[str, ...]
    file: str
    fields: Mapping[str, Any]
    listed_in: str


class Catalogue:
    """Everything that a base in the later public layout lists.

    ``products`` are the ids of the register: the order in which their slices come. ``files`` are all that were seen.
    """

    def __init__(self, reading: Reading, products: Iterable[str]) -> None:
        self._reading = reading
        self.files = tuple(path.relative_to(reading.root).as_posix() for path in source_files(reading.root))
        self._indexes = {file: self._index(file) for file in self.files if _is_index(file)}
        with_pages = (PurePosixPath(file).parts[1] for file in self.files if platform_of(file) is not None)
        self._products = tuple(dict.fromkeys((*products, *sorted({*map(_product, self._indexes), *with_pages}))))

    def slices(self) -> list[Listing]:
        """Every listing of a slice: by product as registered, by platform in name order, as the index has them."""
        return [listing for product in self._products for listing in self._of_product(product)]

    def scenarios(self) -> list[Listing]:
        """Every listing of a scenario: those of the indexes, then those that only their own page lists."""
        found = [listing for file in self._indexes for listing in self._entries(file, "scenarios")]
        taken = {listing.file for listing in found}
        pages = [f for f in self.files if f.startswith("scenarios/") and f.endswith(".md") and f not in taken]
        return [*found, *self._by_pages(pages, "")]

    def _index(self, file: str) -> Mapping[str, Any]:
        index = self._reading.index(file, "slices", PAGE_FOLDERS)
        note_unkept(self._reading, file, "the index", [index], frozenset(PAGE_FOLDERS))
        return index

    def _of_product(self, product: str) -> Iterator[Listing]:
        indexes = [file for file in self._indexes if _product(file) == product]
        if indexes:
            yield from (listing for file in indexes for listing in self._entries(file, "slices"))
            return
        pages = [file for file in self.files if file.startswith(f"slices/{product}/")]
        overviews = [file for file in pages if platform_of(file) == ""]
        found = [*self._by_pages(overviews, product), *self._by_pages([f for f in pages if platform_of(f)], product)]
        if found:
            line = self._reading.line_of(REGISTER, product)
            detail = f"{product} has no {product}/*/index.yaml: the front matter of its {len(found)} pages lists them"
            self._reading.find(REGISTER, line, Severity.NOTE, "no-index", detail)
        yield from found

    def _entries(self, file: str, key: str) -> Iterator[Listing]:
        entries = self._reading.entries(file, self._indexes[file], key)
        note_unkept(self._reading, file, key, entries, _KEPT)
        place = PurePosixPath(file).parts[1] if key == "slices" else ""
        for entry in entries:
            platforms = tuple(dict.fromkeys((place, *list_of(entry.get("platforms")))))
            yield Listing(text_of(entry["id"]), place, platforms, text_of(entry.get("file")), entry, file)

    def _by_pages(self, files: Iterable[str], product: str) -> Iterator[Listing]:
        """The listings that the pages' own front matter is, of those that have an id, and of this product."""
        for file in files:
            opened = self._reading.read(file)
            fields = opened.page.fields if opened else {}
            own_id, place = text_of(fields.get("id")), platform_of(file) or ""
            if own_id and own_id.startswith(f"{product}/" if product else ""):
                yield Listing(own_id, place, (place,) if place else (), file, fields, file)


def note_unkept(
    reading: Reading, file: str, what: str, entries: Sequence[Mapping[str, Any]], kept: frozenset[str]
) -> None:
    """Tell which keys of ``entries`` no record has room for."""
    unkept = sorted({key for entry in entries for key in entry} - kept)
    if unkept:
        reading.find(file, 0, Severity.NOTE, "no-counterpart", f"{', '.join(unkept)} of {what}: not kept")


def platform_of(file: str) -> str | None:
    """The platform folder of a page of ``slices/``: empty for an overview, None for what is neither."""
    path = PurePosixPath(file)
    if path.parts[:1] != ("slices",) or path.suffix != ".md" or len(path.parts) not in {3, 4}:
        return None
    return path.parts[2] if len(path.parts) == 4 else ""


def _is_index(file: str) -> bool:
    parts = PurePosixPath(file).parts
    return len(parts) == 3 and parts[2] == Layout.INDEXED.value and parts[0] not in _NOT_PRODUCTS


def _product(file: str) -> str:
    return PurePosixPath(file).parts[0]

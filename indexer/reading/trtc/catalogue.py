"""Lists the slices and scenarios of a base in the later public layout.

An index at ``{product}/{platform}/index.yaml`` lists the slices of that platform. A product without any index is
listed by its own pages, as in the base's own search: the front matter of ``slices/{product}/*.md`` and
``slices/{product}/{platform}/*.md`` has the id, the name and the tags that an index would have. Scenarios are listed by
the front matter of ``scenarios/**.md``, unless an index lists them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from indexer.reading.front_matter import list_of, text_of
from indexer.reading.trtc.folder import PAGE_FOLDERS, Layout, is_page, source_files
from indexer.reading.trtc.pages import FileReader
from indexer.records import Severity

#: The register of products.
REGISTER = Layout.SPLIT.value
#: Folders of the root that are not products.
_NOT_PRODUCTS = frozenset({*PAGE_FOLDERS, "docs", "tooling"})
#: The keys of an entry that a record uses.
_USED_KEYS = frozenset(
    {
        *("id", "name", "description", "file", "status", "platforms", "slices", "related", "prerequisites"),
        *("tags", "keywords", "trigger-keywords", "trigger"),
    }
)


@dataclass(frozen=True, slots=True)
class Listing:
    """One slice or scenario as one file lists it.

    ``platform`` is the platform folder of the index or page that lists it; empty for an overview and a scenario.
    ``platforms`` are that one and those that the entry of an index adds. ``fields`` are those of the entry, or of the
    front matter if a page lists itself.
    """

    id: str
    platform: str
    platforms: tuple[str, ...]
    file: str
    fields: Mapping[str, Any]
    listed_in: str


class Catalogue:
    """Everything that a base lists.

    ``products`` are the ids of the register: the order of the slices. ``paths`` are all source files below the root.
    """

    def __init__(self, files: FileReader, products: Iterable[str]) -> None:
        self._files = files
        self.paths = tuple(source_files(files.root))
        self._indexes = {path: self._index(path) for path in self.paths if _is_index(path)}
        with_pages = (_part(path, 1) for path in self.paths if platform_of(path) is not None)
        with_index = (_part(path, 0) for path in self._indexes)
        self._products = tuple(dict.fromkeys((*products, *sorted({*with_index, *with_pages}))))

    def slices(self) -> list[Listing]:
        """Every listing of a slice: products as registered, platforms in name order, entries as in their index."""
        return [listing for product in self._products for listing in self._of_product(product)]

    def scenarios(self) -> list[Listing]:
        """Every listing of a scenario: those of the indexes, then the pages that no index names."""
        found = [listing for path in self._indexes for listing in self._entries(path, "scenarios")]
        listed = {listing.file for listing in found}
        pages = [path for path in self.paths if _part(path, 0) == "scenarios" and is_page(path) and path not in listed]
        return [*found, *self._by_pages(pages, "")]

    def _index(self, path: str) -> Mapping[str, Any]:
        index = self._files.read_index(path, "slices", PAGE_FOLDERS)
        note_unused_keys(self._files, path, "the index", [index], frozenset(PAGE_FOLDERS))
        return index

    def _of_product(self, product: str) -> Iterator[Listing]:
        indexes = [path for path in self._indexes if _part(path, 0) == product]
        if indexes:
            yield from (listing for path in indexes for listing in self._entries(path, "slices"))
            return
        pages = [path for path in self.paths if path.startswith(f"slices/{product}/")]
        overviews = [path for path in pages if platform_of(path) == ""]
        found = [*self._by_pages(overviews, product), *self._by_pages([p for p in pages if platform_of(p)], product)]
        if found:
            line = self._files.line_of(REGISTER, product)
            detail = f"{product} has no {product}/*/index.yaml: the front matter of its {len(found)} pages lists them"
            self._files.add_finding(REGISTER, line, Severity.NOTE, "no-index", detail)
        yield from found

    def _entries(self, path: str, key: str) -> Iterator[Listing]:
        entries = self._files.entries(path, self._indexes[path], key)
        note_unused_keys(self._files, path, key, entries, _USED_KEYS)
        platform = _part(path, 1) if key == "slices" else ""
        for entry in entries:
            platforms = tuple(dict.fromkeys((platform, *list_of(entry.get("platforms")))))
            yield Listing(text_of(entry["id"]), platform, platforms, text_of(entry.get("file")), entry, path)

    def _by_pages(self, paths: Iterable[str], product: str) -> Iterator[Listing]:
        """The pages whose front matter has an id, of this product if one is given."""
        for path in paths:
            opened = self._files.read_page(path)
            fields = opened.page.fields if opened else {}
            page_id, platform = text_of(fields.get("id")), platform_of(path) or ""
            if page_id and page_id.startswith(f"{product}/" if product else ""):
                yield Listing(page_id, platform, (platform,) if platform else (), path, fields, path)


def note_unused_keys(
    files: FileReader, file: str, name: str, entries: Sequence[Mapping[str, Any]], used: frozenset[str]
) -> None:
    """Report the keys of ``entries``, which ``name`` describes, that no record uses."""
    unused = sorted({key for entry in entries for key in entry} - used)
    if unused:
        files.add_finding(file, 0, Severity.NOTE, "no-counterpart", f"{', '.join(unused)} of {name}: not used")


def platform_of(path: str) -> str | None:
    """The platform folder of a page of ``slices/``; empty for an overview, None for any other file."""
    parts = PurePosixPath(path).parts
    if parts[:1] != ("slices",) or not is_page(path) or len(parts) not in {3, 4}:
        return None
    return parts[2] if len(parts) == 4 else ""


def _is_index(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return len(parts) == 3 and parts[2] == Layout.INDEXED.value and parts[0] not in _NOT_PRODUCTS


def _part(path: str, position: int) -> str:
    return PurePosixPath(path).parts[position]

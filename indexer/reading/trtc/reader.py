"""Reads a TRTC knowledge base: the index and the pages that it names become one ``TrtcBase``.

``split`` reads the later public layout, which has no index.yaml at its root.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from indexer.reading.front_matter import list_of, text_of
from indexer.reading.trtc.folder import PAGE_FOLDERS, Layout, find_root, layout_of, page_key, printed_path, source_files
from indexer.reading.trtc.listed import is_planned, product_of, relation_of, tags_of
from indexer.reading.trtc.pages import FileReader, OpenedPage, slice_page
from indexer.reading.trtc.split import read_split
from indexer.records import Scenario, Slice, TrtcBase

INDEX = Layout.INDEXED.value


def read_trtc(folder: Path) -> TrtcBase:
    """Read the knowledge base in ``folder`` or in its ``knowledge-base/``, in either layout.

    Raises:
        SourceNotFound: there is neither an index.yaml nor a products.yaml.
        SourceRefused: an index cannot be read or trusted; see ``FileReader.read_index``.
    """
    root = find_root(folder)
    return read_split(root) if layout_of(root) is Layout.SPLIT else _read_indexed(root)


def _read_indexed(root: Path) -> TrtcBase:
    files = FileReader(root)
    reader = _Reader(files, files.read_index(INDEX, "products, slices and scenarios", PAGE_FOLDERS))
    listed_in = printed_path(INDEX)
    slices = tuple(reader.slice(entry) for entry in reader.entries("slices"))
    scenarios = tuple(reader.scenario(entry) for entry in reader.entries("scenarios"))
    other = {Layout.SPLIT.value: f"belongs to the other layout; only {INDEX} is read"}
    files.note_unused(source_files(root), f"{INDEX} does not list", other)
    return TrtcBase(
        products=tuple(product_of(entry, listed_in) for entry in reader.entries("products")),
        relations=tuple(relation_of(entry, listed_in) for entry in reader.entries("cross_product_relations")),
        slices=slices,
        scenarios=scenarios,
        files=files.ledger,
        findings=tuple(sorted(files.findings)),
    )


@dataclass
class _Reader:
    """Makes records of the entries of one index.yaml."""

    files: FileReader
    index: Mapping[str, Any]

    @cached_property
    def _listed(self) -> frozenset[str]:
        """Every file that an entry names."""
        entries = (entry for key in PAGE_FOLDERS for entry in self.index.get(key) or () if isinstance(entry, dict))
        return frozenset(text_of(entry.get("file")) for entry in entries)

    @cached_property
    def _platform_files(self) -> Mapping[str, Mapping[str, str]]:
        """``slices/{product}/{ability}.md`` -> platform -> the file of that ability in the platform's folder."""
        found: dict[str, dict[str, str]] = {}
        for path in sorted(self.files.root.glob("slices/*/*/*")):
            file = path.relative_to(self.files.root).as_posix()
            _, product, platform, name = file.split("/")
            found.setdefault(page_key(f"slices/{product}/{name}"), {})[platform] = file
        return found

    def entries(self, key: str) -> list[Mapping[str, Any]]:
        """The entries below ``key`` of the index."""
        return self.files.entries(INDEX, self.index, key)

    def slice(self, entry: Mapping[str, Any]) -> Slice:
        """One slice with its pages: the file of its entry and the file of the same name in each platform folder."""
        slice_id, file = text_of(entry.get("id")), text_of(entry.get("file"))
        planned = is_planned(entry)
        pages = () if planned else self._pages(slice_id, file)
        fronts = [opened.page.fields for _, opened in pages]
        tags = tags_of(entry.get("tags"))
        page_tags = dict.fromkeys(tag for fields in fronts for tag in tags_of(fields.get("tags")))
        return Slice(
            id=slice_id,
            product=slice_id.partition("/")[0],
            name=text_of(entry.get("name")),
            description=text_of(entry.get("description")),
            file=file,
            planned=planned,
            tags=tags,
            page_tags=tuple(tag for tag in page_tags if tag not in tags),
            platforms=list_of(entry.get("platforms")),
            related=tuple(dict.fromkeys(related for fields in fronts for related in list_of(fields.get("related")))),
            pages=tuple(slice_page(platform, opened) for platform, opened in pages),
        )

    def _pages(self, slice_id: str, file: str) -> tuple[tuple[str, OpenedPage], ...]:
        """(platform, page) pairs; the platform of an overview is empty.

        An entry may itself name a file in a platform folder (docs/decisions/trtc.md#file-paths-read).
        """
        product_folder = PurePosixPath("slices", slice_id.partition("/")[0])
        files = [file]
        if PurePosixPath(file).parent == product_folder:
            platform_files = self._platform_files.get(page_key(PurePosixPath(file).as_posix()), {})
            files += [other for other in platform_files.values() if other not in self._listed]
        pages = []
        for name in files:
            opened = self.files.open_page(name, slice_id, INDEX)
            if opened is not None:
                folder = PurePosixPath(name).parent
                pages.append((folder.name if folder.parent == product_folder else "", opened))
        return tuple(pages)

    def scenario(self, entry: Mapping[str, Any]) -> Scenario:
        """One scenario with the text of its page."""
        scenario_id, file, planned = text_of(entry.get("id")), text_of(entry.get("file")), is_planned(entry)
        opened = None if planned else self.files.open_page(file, scenario_id, INDEX)
        return Scenario(
            id=scenario_id,
            name=text_of(entry.get("name")),
            description=text_of(entry.get("description")),
            file=file,
            planned=planned,
            slices=list_of(entry.get("slices")),
            text=opened.text if opened else "",
        )

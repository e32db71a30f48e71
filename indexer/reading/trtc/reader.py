"""The TRTC reader: index.yaml and the pages it names -> TrtcBase. Reads, never judges: check.py does that.

A base of the later public layout, without a top index.yaml, is read by ``trtc_split``.
"""

import glob
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from indexer.reading.front_matter import list_of, text_of
from indexer.reading.trtc.folder import PAGE_FOLDERS, Layout, find_root, layout_of, source_files
from indexer.reading.trtc.listed import is_planned, product_of, relation_of, tags_of
from indexer.reading.trtc.pages import Opened, Reading, slice_page
from indexer.reading.trtc.split import read_split
from indexer.records import Scenario, Slice, TrtcBase

INDEX = Layout.INDEXED.value


def read_trtc(folder: Path) -> TrtcBase:
    """Read the knowledge base in ``folder`` or in its ``knowledge-base/``, in either layout.

    Raises:
        SourceNotFound: there is neither an index.yaml nor a products.yaml; the message says what is there instead.
        SourceRefused: an index is no mapping, no YAML, too large, or an alias bomb.
    """
    root = find_root(folder)
    return read_split(root) if layout_of(root) is Layout.SPLIT else _read_indexed(root)


def _read_indexed(root: Path) -> TrtcBase:
    reading = Reading(root)
    listed_in = reading.relative(root / INDEX)
    index = reading.index(INDEX, "products, slices and scenarios", PAGE_FOLDERS)
    reader = _Reader(reading, index)
    slices = tuple(reader.slice(entry) for entry in reader.entries("slices"))
    scenarios = tuple(reader.scenario(entry) for entry in reader.entries("scenarios"))
    reader.note_unlisted()
    return TrtcBase(
        products=tuple(product_of(entry, listed_in) for entry in reader.entries("products")),
        relations=tuple(relation_of(entry, listed_in) for entry in reader.entries("cross_product_relations")),
        slices=slices,
        scenarios=scenarios,
        files=reading.files,
        findings=tuple(sorted(reading.findings)),
    )


@dataclass
class _Reader:
    """One reading of one index."""

    reading: Reading
    index: Mapping[str, Any]

    @cached_property
    def listed(self) -> frozenset[str]:
        """Every file that an entry names for itself."""
        named = (entry for key in PAGE_FOLDERS for entry in self.index.get(key) or () if isinstance(entry, dict))
        return frozenset(text_of(entry.get("file")) for entry in named)

    def entries(self, key: str) -> list[Mapping[str, Any]]:
        """The mappings with an id below ``key``."""
        return self.reading.entries(INDEX, self.index, key)

    def slice(self, entry: Mapping[str, Any]) -> Slice:
        """One slice with its pages: the indexed file, and the same ability's file of each platform folder."""
        slice_id, file = text_of(entry.get("id")), text_of(entry.get("file"))
        planned = is_planned(entry)
        pages = () if planned else self._pages(slice_id, file)
        fronts = [opened.page for _, opened in pages]
        tags = tags_of(entry.get("tags"))
        page_tags = dict.fromkeys(tag for front in fronts for tag in tags_of(front.fields.get("tags")))
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
            related=tuple(dict.fromkeys(r for front in fronts for r in list_of(front.fields.get("related")))),
            pages=tuple(slice_page(platform, opened) for platform, opened in pages),
        )

    def scenario(self, entry: Mapping[str, Any]) -> Scenario:
        """One scenario with the text of its page."""
        planned = is_planned(entry)
        file = text_of(entry.get("file"))
        opened = None if planned else self.reading.open(file, text_of(entry.get("id")), INDEX)
        return Scenario(
            id=text_of(entry.get("id")),
            name=text_of(entry.get("name")),
            description=text_of(entry.get("description")),
            file=file,
            planned=planned,
            slices=list_of(entry.get("slices")),
            text=opened.text if opened else "",
        )

    def note_unlisted(self) -> None:
        """Decision 15: pages on disk that the index does not list are reported, never searched."""
        for path in source_files(self.reading.root):
            if self.reading.relative(path) in self.reading.claimed:
                continue
            folder = path.relative_to(self.reading.root).parts[0]
            if folder in PAGE_FOLDERS:
                self.reading.record_unused(
                    path, "unlisted", f"index.yaml does not list this {folder.removesuffix('s')} page"
                )
            else:
                self.reading.record_unused(
                    path, "not-searched", f"the register of another layout; {INDEX} is the whole index"
                )

    def _pages(self, slice_id: str, file: str) -> tuple[tuple[str, Opened], ...]:
        """Platform files first found by name; for conference the indexed file already is one (decision 20)."""
        root = self.reading.root
        indexed = root / file
        product_folder = root / "slices" / slice_id.partition("/")[0]
        paths = [file]
        if indexed.parent == product_folder and file and "\0" not in file:
            found = sorted(product_folder.glob(f"*/{glob.escape(indexed.name)}"))
            paths += [path for path in (p.relative_to(root).as_posix() for p in found) if path not in self.listed]
        pages = []
        for path in paths:
            opened = self.reading.open(path, slice_id, INDEX)
            if opened is not None:
                parent = (root / path).parent
                pages.append((parent.name if parent.parent == product_folder else "", opened))
        return tuple(pages)

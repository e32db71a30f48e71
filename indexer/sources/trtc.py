"""The TRTC reader: index.yaml and the pages it names -> TrtcBase. Reads, never judges: check.py does that."""

import glob
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from indexer import markdown
from indexer.decode import Undecodable, decode, nfc, read_text, scrub, unread
from indexer.errors import SourceRefused
from indexer.frontmatter import AliasBomb, Page, Value, list_of, load_strings, split_page, text_of
from indexer.records import (
    Base,
    Finding,
    Product,
    Relation,
    Scenario,
    Severity,
    Slice,
    SlicePage,
    SourceFile,
    Status,
    TrtcBase,
)
from indexer.sources.trtc_folder import INDEX, PAGE_FOLDERS, ROOT_NAME, find_root, page_files, refusal_of

_PAGE_KEYS = ("id", "name", "product", "platform", "platforms", "tags", "related")


def read_trtc(folder: Path) -> TrtcBase:
    """Read the knowledge base in ``folder`` or in its ``knowledge-base/``.

    Raises:
        SourceNotFound: there is no index.yaml; the message says what is there instead.
        SourceRefused: index.yaml is no mapping, no YAML, too large, or an alias bomb.
    """
    root = find_root(folder)
    index, ledger, findings = _read_index(root / INDEX)
    reader = _Reader(root, index, [ledger], findings)
    slices = tuple(reader.slice(entry) for entry in reader.entries("slices"))
    scenarios = tuple(reader.scenario(entry) for entry in reader.entries("scenarios"))
    reader.note_unlisted()
    return TrtcBase(
        products=tuple(_product(entry) for entry in reader.entries("products")),
        relations=tuple(_relation(entry) for entry in reader.entries("cross_product_relations")),
        slices=slices,
        scenarios=scenarios,
        files=tuple(sorted(reader.files)),
        findings=tuple(sorted(reader.findings)),
    )


def _read_index(path: Path) -> tuple[Mapping[str, Any], SourceFile, list[Finding]]:
    try:
        decoded = decode(path.read_bytes())
        index = load_strings(scrub(decoded.text))
    except (OSError, Undecodable, AliasBomb, yaml.YAMLError, RecursionError) as error:
        raise SourceRefused(f"{path}: {' '.join(str(error).split())}; wanted a YAML index") from error
    if not isinstance(index, dict):
        found = {"NoneType": "nothing", "list": "a list", "str": "a text"}.get(type(index).__name__, "no mapping")
        raise SourceRefused(f"{path}: found {found}; wanted a mapping with products, slices and scenarios")
    path_in_base = f"{ROOT_NAME}/{INDEX}"
    units = sum(len(listed) for key in ("slices", "scenarios") if isinstance(listed := index.get(key), list))
    findings = [Finding(Base.TRTC, path_in_base, 1, Severity.REPAIRED, *repair) for repair in decoded.repairs]
    status = Status.REPAIRED if findings else Status.READ
    return index, SourceFile(Base.TRTC, path_in_base, status, decoded.sha256, decoded.size, units), findings


def _tags(value: "Value | None") -> tuple[str, ...]:
    """Tags as a list, or as one text with commas between them."""
    listed = re.split(r"[,，、;；]", value) if isinstance(value, str) else value
    return list_of(listed)


def _product(entry: Mapping[str, Any]) -> Product:
    return Product(*(text_of(entry.get(key)) for key in ("id", "name", "description", "llms_file")))


def _relation(entry: Mapping[str, Any]) -> Relation:
    return Relation(
        id=text_of(entry.get("id")),
        products=list_of(entry.get("products")),
        slices=list_of(entry.get("slices")),
        description=text_of(entry.get("description")),
    )


@dataclass
class _Reader:
    """The state of one reading: what was seen and what there is to tell."""

    root: Path
    index: Mapping[str, Any]
    files: list[SourceFile]
    findings: list[Finding]
    opened: set[str] = field(default_factory=set)

    @cached_property
    def listed(self) -> frozenset[str]:
        """Every file that an entry names for itself."""
        named = (entry for key in PAGE_FOLDERS for entry in self.index.get(key) or () if isinstance(entry, dict))
        return frozenset(text_of(entry.get("file")) for entry in named)

    def entries(self, key: str) -> list[Mapping[str, Any]]:
        """The mappings with an id below ``key``; anything else there is a finding."""
        listed = self.index.get(key) or []
        if not isinstance(listed, list):
            self._find(INDEX, 0, Severity.ERROR, "index-shape", f"{key} is no list")
            return []
        good: list[Mapping[str, Any]] = [
            entry for entry in listed if isinstance(entry, dict) and text_of(entry.get("id"))
        ]
        if len(good) < len(listed):
            missing = len(listed) - len(good)
            self._find(INDEX, 0, Severity.ERROR, "index-shape", f"{missing} of {key} without an id left out")
        return good

    def slice(self, entry: Mapping[str, Any]) -> Slice:
        """One slice with its pages: the indexed file, and the same ability's file of each platform folder."""
        slice_id, file = text_of(entry.get("id")), text_of(entry.get("file"))
        planned = text_of(entry.get("status")).lower() == "planned"
        product, _, _ability = slice_id.partition("/")
        pages = () if planned else self._pages(slice_id, file)
        fronts = [page for _, page in pages]
        tags = _tags(entry.get("tags"))
        page_tags = dict.fromkeys(tag for front in fronts for tag in _tags(front.fields.get("tags")))
        return Slice(
            id=slice_id,
            product=product,
            name=text_of(entry.get("name")),
            description=text_of(entry.get("description")),
            file=file,
            planned=planned,
            tags=tags,
            page_tags=tuple(tag for tag in page_tags if tag not in tags),
            platforms=list_of(entry.get("platforms")),
            related=tuple(dict.fromkeys(r for front in fronts for r in list_of(front.fields.get("related")))),
            pages=tuple(page for page, _ in pages),
        )

    def scenario(self, entry: Mapping[str, Any]) -> Scenario:
        """One scenario with the text of its page."""
        planned = text_of(entry.get("status")).lower() == "planned"
        file = text_of(entry.get("file"))
        read = None if planned else self._open(text_of(entry.get("id")), file)
        return Scenario(
            id=text_of(entry.get("id")),
            name=text_of(entry.get("name")),
            description=text_of(entry.get("description")),
            file=file,
            planned=planned,
            slices=list_of(entry.get("slices")),
            text=read[0] if read else "",
        )

    def note_unlisted(self) -> None:
        """Decision 15: pages on disk that the index does not list are reported, never searched."""
        for path in page_files(self.root):
            relative = self._relative(path)
            if relative not in self.opened:
                self.opened.add(relative)
                kind = path.relative_to(self.root).parts[0].removesuffix("s")
                self._find(relative, 0, Severity.NOTE, "unlisted", f"index.yaml does not list this {kind} page")
                file = unread(path)
                self.files.append(SourceFile(Base.TRTC, relative, Status.READ, file.sha256, file.size, 0))

    def _pages(self, slice_id: str, file: str) -> tuple[tuple[SlicePage, Page], ...]:
        """Platform files first found by name; for conference the indexed file already is one (decision 20)."""
        indexed = self.root / file
        product_folder = self.root / "slices" / slice_id.partition("/")[0]
        paths = [file]
        if indexed.parent == product_folder and file and "\0" not in file:
            found = sorted(product_folder.glob(f"*/{glob.escape(indexed.name)}"))
            paths += [path for path in (p.relative_to(self.root).as_posix() for p in found) if path not in self.listed]
        pages = []
        for path in paths:
            read = self._open(slice_id, path)
            if read is not None:
                parent = (self.root / path).parent
                platform = parent.name if parent.parent == product_folder else ""
                pages.append((_slice_page(platform, self._relative(self.root / path), *read), read[1]))
        return tuple(pages)

    def _open(self, owner: str, file: str) -> tuple[str, Page] | None:
        """A page's text and front matter; what cannot or must not be read is a finding that names the file."""
        path = self.root / file
        refusal = refusal_of(file, self.root)
        if refusal:
            line = self._line_of(owner)
            self._find(INDEX, line, Severity.ERROR, refusal[0], f"{owner}: {file or 'no file'}: {refusal[1]}")
            return None
        if self._relative(path) in self.opened:
            line = self._line_of(owner)
            self._find(INDEX, line, Severity.ERROR, "double-file", f"{owner}: {file}: another entry has this page")
            return None
        self.opened.add(self._relative(path))
        try:
            decoded = read_text(path)
        except (OSError, Undecodable) as error:
            self._find(self._relative(path), 0, Severity.ERROR, "unreadable", str(error))
            seen = unread(path)
            self.files.append(SourceFile(Base.TRTC, self._relative(path), Status.REJECTED, seen.sha256, seen.size, 0))
            return None
        text = scrub(decoded.text)
        page = split_page(text, _PAGE_KEYS)
        repairs = [(1, *repair) for repair in decoded.repairs] + list(page.repairs)
        for line, what, why in repairs:
            self._find(self._relative(path), line, Severity.REPAIRED, what, why)
        status = Status.REPAIRED if repairs else Status.READ
        self.files.append(SourceFile(Base.TRTC, self._relative(path), status, decoded.sha256, decoded.size, 1))
        return text, page

    def _relative(self, path: Path) -> str:
        return nfc(f"{ROOT_NAME}/{path.relative_to(self.root).as_posix()}")

    def _line_of(self, owner: str) -> int:
        lines = (self.root / INDEX).read_text("utf-8", "replace").split("\n")
        return next((n for n, line in enumerate(lines, 1) if line.strip() in {f"- id: {owner}", f"id: {owner}"}), 0)

    def _find(self, path: str, line: int, severity: Severity, kind: str, detail: str) -> None:
        path = path if path.startswith(f"{ROOT_NAME}/") else f"{ROOT_NAME}/{path}"
        self.findings.append(Finding(Base.TRTC, path, line, severity, kind, detail))


def _slice_page(platform: str, path: str, text: str, page: Page) -> SlicePage:
    sections = markdown.sections(page.body, page.body_line)
    return SlicePage(
        platform=platform,
        path=path,
        text=text,
        sections=sections,
        codes=markdown.error_codes(sections),
        api_names=markdown.api_names(page.body),
    )

"""The TRTC reader: index.yaml and the pages it names -> TrtcBase. Reads, never judges: check.py does that."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from indexer import markdown
from indexer.decode import Undecodable, decode, nfc, read_text, scrub
from indexer.errors import SourceNotFound, SourceRefused
from indexer.frontmatter import AliasBomb, Page, list_of, load_strings, split_page, text_of
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

ROOT_NAME = "knowledge-base"
#: Where pages lie below the root.
PAGE_FOLDERS = ("slices", "scenarios")
_INDEX = "index.yaml"
_PAGE_KEYS = ("id", "name", "product", "platform", "platforms", "tags", "related")
_URL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def read_trtc(folder: Path) -> TrtcBase:
    """Read the knowledge base in ``folder`` or in its ``knowledge-base/``.

    Raises:
        SourceNotFound: there is no index.yaml; the message says what is there instead.
        SourceRefused: index.yaml is no mapping, no YAML, too large, or an alias bomb.
    """
    root = find_root(folder)
    index, ledger = _read_index(root / _INDEX)
    reader = _Reader(root, index, [ledger], [])
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


def find_root(folder: Path) -> Path:
    """The folder that holds index.yaml: the one given, or its ``knowledge-base/``."""
    for root in (folder, folder / ROOT_NAME):
        if (root / _INDEX).is_file():
            return root
    found = "no such folder" if not folder.is_dir() else ", ".join(sorted(p.name for p in folder.iterdir())[:8])
    wanted = f"{_INDEX} or {ROOT_NAME}/{_INDEX}"
    raise SourceNotFound(f"--trtc {folder}: found {found or 'an empty folder'}; wanted a folder with {wanted}")


def _read_index(path: Path) -> tuple[Mapping[str, Any], SourceFile]:
    try:
        decoded = decode(path.read_bytes())
        index = load_strings(scrub(decoded.text))
    except (OSError, Undecodable, AliasBomb, yaml.YAMLError, RecursionError) as error:
        raise SourceRefused(f"{path}: {' '.join(str(error).split())}; wanted a YAML index") from error
    if not isinstance(index, dict) or not isinstance(index.get("slices"), list):
        raise SourceRefused(f"{path}: found {type(index).__name__}; wanted a mapping with a list of slices")
    path_in_base = f"{ROOT_NAME}/{_INDEX}"
    units = len(index["slices"]) + len(index.get("scenarios") or [])
    return index, SourceFile(Base.TRTC, path_in_base, Status.READ, decoded.sha256, decoded.size, units)


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
    opened: set[Path] = field(default_factory=set)

    def entries(self, key: str) -> list[Mapping[str, Any]]:
        """The mappings with an id below ``key``; anything else there is a finding."""
        listed = self.index.get(key) or []
        if not isinstance(listed, list):
            self._find(_INDEX, 0, Severity.ERROR, "index-shape", f"{key} is no list")
            return []
        good: list[Mapping[str, Any]] = [
            entry for entry in listed if isinstance(entry, dict) and text_of(entry.get("id"))
        ]
        if len(good) < len(listed):
            missing = len(listed) - len(good)
            self._find(_INDEX, 0, Severity.ERROR, "index-shape", f"{missing} of {key} without an id left out")
        return good

    def slice(self, entry: Mapping[str, Any]) -> Slice:
        """One slice with its pages: the indexed file, and the same ability's file of each platform folder."""
        slice_id, file = text_of(entry.get("id")), text_of(entry.get("file"))
        planned = text_of(entry.get("status")).lower() == "planned"
        product, _, _ability = slice_id.partition("/")
        pages = () if planned else self._pages(slice_id, file)
        fronts = [page for _, page in pages]
        tags = list_of(entry.get("tags"))
        page_tags = dict.fromkeys(tag for front in fronts for tag in list_of(front.fields.get("tags")))
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
        read = None if planned else self._open(text_of(entry.get("id")), file, "missing-file")
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
        for folder in PAGE_FOLDERS:
            for path in sorted((self.root / folder).rglob("*.md")):
                if path in self.opened or not path.is_file():
                    continue
                relative = self._relative(path)
                self._find(relative, 0, Severity.NOTE, "unlisted", f"index.yaml does not list this {folder[:-1]} page")
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                self.files.append(SourceFile(Base.TRTC, relative, Status.READ, digest, path.stat().st_size, 0))

    def _pages(self, slice_id: str, file: str) -> tuple[tuple[SlicePage, Page], ...]:
        """Platform files first found by name; for conference the indexed file already is one (decision 20)."""
        indexed = self.root / file
        product_folder = self.root / "slices" / slice_id.partition("/")[0]
        paths = [file]
        if indexed.parent == product_folder:
            paths += [
                f"{p.parent.relative_to(self.root)}/{p.name}" for p in sorted(product_folder.glob(f"*/{indexed.name}"))
            ]
        pages = []
        for path in paths:
            read = self._open(slice_id, path, "missing-file")
            if read is not None:
                parent = (self.root / path).parent
                platform = parent.name if parent.parent == product_folder else ""
                pages.append((_slice_page(platform, nfc(f"{ROOT_NAME}/{path}"), *read), read[1]))
        return tuple(pages)

    def _open(self, owner: str, file: str, kind: str) -> tuple[str, Page] | None:
        """A page's text and front matter; what cannot or must not be read is a finding that names the file."""
        path = self.root / file
        refusal = self._refusal(file, path)
        if refusal:
            line = self._line_of(owner)
            self._find(_INDEX, line, Severity.ERROR, refusal[0] or kind, f"{owner}: {file or 'no file'}: {refusal[1]}")
            return None
        self.opened.add(path)
        try:
            decoded = read_text(path)
        except (OSError, Undecodable) as error:
            self._find(self._relative(path), 0, Severity.ERROR, "unreadable", str(error))
            self.files.append(SourceFile(Base.TRTC, self._relative(path), Status.REJECTED, "", 0, 0))
            return None
        text = scrub(decoded.text)
        page = split_page(text, _PAGE_KEYS)
        repairs = [(1, *repair) for repair in decoded.repairs] + list(page.repairs)
        for line, what, why in repairs:
            self._find(self._relative(path), line, Severity.REPAIRED, what, why)
        status = Status.REPAIRED if repairs else Status.READ
        self.files.append(SourceFile(Base.TRTC, self._relative(path), status, decoded.sha256, decoded.size, 1))
        return text, page

    def _refusal(self, file: str, path: Path) -> tuple[str, str] | None:
        """Why a file named by the index must not be opened (cases.md G16), or None."""
        if not file or _URL.match(file) or Path(file).is_absolute() or ".." in Path(file).parts:
            return "path-refused", "wanted a path inside the knowledge base"
        if not path.resolve().is_relative_to(self.root.resolve()):
            return "path-refused", "a link that leaves the knowledge base"
        return None if path.is_file() else ("", "no such file")

    def _relative(self, path: Path) -> str:
        return nfc(f"{ROOT_NAME}/{path.relative_to(self.root).as_posix()}")

    def _line_of(self, owner: str) -> int:
        lines = (self.root / _INDEX).read_text("utf-8", "replace").split("\n")
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

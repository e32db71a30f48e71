"""The files of a TRTC base, whatever its layout: each read once, what cannot be is told, all of them in the ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from indexer.errors import SourceRefused
from indexer.reading import markdown
from indexer.reading.decode import Decoded, Undecodable, hash_only, nfc, read_text, scrub
from indexer.reading.front_matter import Page, Repair, split_page, text_of
from indexer.reading.trtc.folder import ROOT_NAME, refusal_of
from indexer.records import Base, Finding, Severity, SlicePage, SourceFile, Status
from indexer.yaml_text import YamlRefused, parse_yaml

#: What a front matter may hold; where YAML gives up, these open a field.
_PAGE_KEYS = (
    *("id", "name", "product", "platform", "platforms", "description", "tags", "keywords", "trigger-keywords"),
    *("related", "prerequisites", "slices", "trigger", "applies-to", "sdk-version", "depends-on-stores"),
)


class Opened(NamedTuple):
    """A page that was read: its printed path, its whole text, its front matter and body."""

    path: str
    text: str
    page: Page


@dataclass
class Reading:
    """The state of one reading: what was seen, who has which page, and what there is to tell.

    Files are named by their path below ``root``; findings and the ledger print it after ``knowledge-base/``.
    """

    root: Path
    findings: list[Finding] = field(default_factory=list)
    claimed: set[str] = field(default_factory=set)
    _ledger: dict[str, SourceFile] = field(default_factory=dict)
    _pages: dict[str, Opened | None] = field(default_factory=dict)

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """The ledger, sorted."""
        return tuple(sorted(self._ledger.values()))

    def index(self, file: str, wanted: str, counted: Sequence[str]) -> Mapping[str, Any]:
        """A YAML file that everything depends on; its units are the entries below the keys ``counted``.

        Raises:
            SourceRefused: it is no mapping, no YAML, too large, or an alias bomb.
        """
        path = self.root / file
        try:
            decoded = read_text(path)
            document = parse_yaml(scrub(decoded.text))
        except YamlRefused as error:
            raise SourceRefused(f"{path}:{error.line}: {error}; wanted a YAML index") from error
        except (OSError, Undecodable) as error:
            raise SourceRefused(f"{path}: {error}; wanted a YAML index") from error
        index = document.value
        if not isinstance(index, dict):
            found = {"NoneType": "nothing", "list": "a list", "str": "a text"}.get(type(index).__name__, "no mapping")
            raise SourceRefused(f"{path}: found {found}; wanted a mapping with {wanted}")
        units = sum(len(listed) for key in counted if isinstance(listed := index.get(key), list))
        self._enter(self.relative(path), decoded, [(1, *repair) for repair in decoded.repairs], units)
        self.claimed.add(self.relative(path))
        return index

    def entries(self, file: str, index: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        """The mappings with an id below ``key``; anything else there is a finding."""
        listed = index.get(key) or []
        if not isinstance(listed, list):
            self.find(file, 0, Severity.ERROR, "index-shape", f"{key} is no list")
            return []
        good: list[Mapping[str, Any]] = [
            entry for entry in listed if isinstance(entry, dict) and text_of(entry.get("id"))
        ]
        if len(good) < len(listed):
            missing = len(listed) - len(good)
            self.find(file, 0, Severity.ERROR, "index-shape", f"{missing} of {key} without an id left out")
        return good

    def open(self, file: str, owner: str, listed_in: str) -> Opened | None:
        """The page ``file`` for ``owner``, an entry of ``listed_in``, once; what must not be opened is a finding."""
        refusal = refusal_of(file, self.root)
        if refusal:
            detail = f"{owner}: {file or 'no file'}: {refusal[1]}"
            self.find(listed_in, self.line_of(listed_in, owner), Severity.ERROR, refusal[0], detail)
            return None
        relative = self.relative(self.root / file)
        if relative in self.claimed:
            detail = f"{owner}: {file}: another entry has this page"
            self.find(listed_in, self.line_of(listed_in, owner), Severity.ERROR, "double-file", detail)
            return None
        self.claimed.add(relative)
        opened = self.read(file)
        if opened:
            self._ledger[relative] = replace(self._ledger[relative], units=1)
        return opened

    def read(self, file: str) -> Opened | None:
        """A page of the base, whoever has it; one that cannot be read is a finding that names it."""
        relative = self.relative(self.root / file)
        if relative not in self._pages:
            self._pages[relative] = self._read(self.root / file, relative)
        return self._pages[relative]

    def _read(self, path: Path, relative: str) -> Opened | None:
        try:
            decoded = read_text(path)
        except (OSError, Undecodable) as error:
            self._reject(path, relative, str(error))
            return None
        text = scrub(decoded.text)
        page = split_page(text, _PAGE_KEYS)
        self._enter(relative, decoded, [*((1, *repair) for repair in decoded.repairs), *page.repairs], 0)
        return Opened(relative, text, page)

    def reject(self, file: str, why: str) -> None:
        """Tell of a file on which nothing depends that it cannot be read."""
        self.claimed.add(self.relative(self.root / file))
        self._reject(self.root / file, self.relative(self.root / file), why)

    def _reject(self, path: Path, relative: str, why: str) -> None:
        self.find(relative, 0, Severity.ERROR, "unreadable", why)
        seen = hash_only(path)
        self._ledger[relative] = SourceFile(Base.TRTC, relative, Status.REJECTED, seen.sha256, seen.size, 0)

    def record_unused(self, path: Path, kind: str, detail: str) -> None:
        """Tell of a file that no entry has and that nothing of it is searched; the ledger has its hash."""
        relative = self.relative(path)
        self.claimed.add(relative)
        self.find(relative, 0, Severity.NOTE, kind, detail)
        if relative not in self._ledger:
            seen = hash_only(path)
            self._ledger[relative] = SourceFile(Base.TRTC, relative, Status.READ, seen.sha256, seen.size, 0)

    def relative(self, path: Path) -> str:
        """A file of the base as it is printed, in answers too: from the folder that holds ``knowledge-base/``."""
        return nfc(f"{ROOT_NAME}/{path.relative_to(self.root).as_posix()}")

    def line_of(self, file: str, owner: str) -> int:
        """The line at which ``owner`` is listed; 0 where it cannot be told."""
        lines = (self.root / file).read_text("utf-8", "replace").split("\n")
        return next((n for n, line in enumerate(lines, 1) if line.strip() in {f"- id: {owner}", f"id: {owner}"}), 0)

    def find(self, path: str, line: int, severity: Severity, kind: str, detail: str) -> None:
        """Add a finding about ``path``, below the root or as it is printed."""
        path = path if path.startswith(f"{ROOT_NAME}/") else f"{ROOT_NAME}/{path}"
        self.findings.append(Finding(Base.TRTC, path, line, severity, kind, detail))

    def _enter(self, relative: str, decoded: Decoded, repairs: list[tuple[int, str, str]], units: int) -> None:
        for line, what, why in repairs:
            self.find(relative, line, Severity.REPAIRED, what, why)
        status = Status.REPAIRED if repairs else Status.READ
        self._ledger[relative] = SourceFile(Base.TRTC, relative, status, decoded.sha256, decoded.size, units)


def slice_page(platform: str, opened: Opened) -> SlicePage:
    """What is kept of a slice's page."""
    sections = markdown.sections(opened.page.body, opened.page.body_line)
    return SlicePage(
        platform=platform,
        path=opened.path,
        text=opened.text,
        sections=sections,
        codes=markdown.error_codes(sections),
        api_names=markdown.api_names(opened.page.body),
    )

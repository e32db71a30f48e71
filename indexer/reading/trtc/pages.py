"""Reads the files of a TRTC base, each once, in either layout; collects the findings and the ledger."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from indexer.errors import SourceRefused
from indexer.reading import markdown
from indexer.reading.decode import Decoded, Undecodable, hash_only, read_text, scrub
from indexer.reading.front_matter import Page, Repair, split_page, text_of
from indexer.reading.trtc.folder import PAGE_FOLDERS, printed_path, refusal_of
from indexer.records import Base, Finding, Severity, SlicePage, SourceFile, Status
from indexer.yaml_text import YamlRefused, parse_yaml

#: The keys of a page's front matter; where it is not YAML, they begin a field.
_PAGE_KEYS = (
    *("id", "name", "product", "platform", "platforms", "description", "tags", "keywords", "trigger-keywords"),
    *("related", "prerequisites", "slices", "trigger", "applies-to", "sdk-version", "depends-on-stores"),
)


class OpenedPage(NamedTuple):
    """A page that was read: its printed path, its whole text, its front matter and body."""

    path: str
    text: str
    page: Page


@dataclass
class FileReader:
    """Reads the files below ``root``.

    Files are named by their path below ``root``; findings and the ledger print it after ``knowledge-base/``.
    ``claimed`` are the printed paths of the files that some entry uses.
    """

    root: Path
    findings: list[Finding] = field(default_factory=list)
    claimed: set[str] = field(default_factory=set)
    _ledger: dict[str, SourceFile] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _pages: dict[str, OpenedPage | None] = field(default_factory=dict)

    @property
    def ledger(self) -> tuple[SourceFile, ...]:
        """Every file that was looked at, sorted."""
        return tuple(sorted(self._ledger.values()))

    def read_index(self, file: str, wanted: str, counted: Sequence[str]) -> Mapping[str, Any]:
        """Read a YAML file on which the whole base depends; its units are the entries below the keys ``counted``.

        ``wanted`` names its keys for the error message.

        Raises:
            SourceRefused: the file is unreadable or too large, is not YAML, is not a mapping, or its aliases expand
                to too many values.
        """
        path = self.root / file
        try:
            decoded = read_text(path)
            document = parse_yaml(scrub(decoded.text))
        except YamlRefused as error:
            where = f"{path}:{error.line}" if error.line else path
            raise SourceRefused(f"{where}: {error}; wanted a YAML index") from error
        except (OSError, Undecodable) as error:
            raise SourceRefused(f"{path}: {error}; wanted a YAML index") from error
        index = document.value
        if not isinstance(index, dict):
            found = {"list": "a list", "str": "a text"}.get(type(index).__name__, "nothing")
            raise SourceRefused(f"{path}: found {found}; wanted a mapping with {wanted}")
        for line, key in document.duplicate_keys:
            detail = f"the key {key!r} is given more than once; the last value is used"
            self.add_finding(file, line, Severity.ERROR, "duplicate-key", detail)
        units = sum(len(entries) for key in counted if isinstance(entries := index.get(key), list))
        self._record(printed_path(file), decoded, (), units)
        self.claimed.add(printed_path(file))
        return index

    def entries(self, file: str, index: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
        """The mappings with an id below ``key``; any other shape is a finding."""
        listed = index.get(key) or []
        if not isinstance(listed, list):
            self.add_finding(file, 0, Severity.ERROR, "index-shape", f"{key} is not a list")
            return []
        entries: list[Mapping[str, Any]] = [e for e in listed if isinstance(e, dict) and text_of(e.get("id"))]
        if len(entries) < len(listed):
            detail = f"{len(listed) - len(entries)} entries of {key} have no id and are left out"
            self.add_finding(file, 0, Severity.ERROR, "index-shape", detail)
        return entries

    def open_page(self, file: str, owner: str, listed_in: str) -> OpenedPage | None:
        """Read the page ``file`` for the entry ``owner`` of the file ``listed_in``.

        None, with a finding at the entry, if the page must not be opened or another entry uses it.
        """
        relative = printed_path(file)
        refusal = refusal_of(file, self.root)
        if refusal is None and relative in self.claimed:
            refusal = "double-file", "another entry already uses this page"
        if refusal:
            kind, reason = refusal
            detail = f"{owner}: {file or 'no file'}: {reason}"
            self.add_finding(listed_in, self.line_of(listed_in, owner), Severity.ERROR, kind, detail)
            return None
        self.claimed.add(relative)
        opened = self.read_page(file)
        if opened:
            self._ledger[relative] = replace(self._ledger[relative], units=1)
        return opened

    def read_page(self, file: str) -> OpenedPage | None:
        """Read a page without claiming it; None, with a finding, if it cannot be read."""
        relative = printed_path(file)
        if relative not in self._pages:
            self._pages[relative] = self._read(file, relative)
        return self._pages[relative]

    def _read(self, file: str, relative: str) -> OpenedPage | None:
        try:
            decoded = read_text(self.root / file)
        except (OSError, Undecodable) as error:
            self.reject(file, str(error))
            return None
        text = scrub(decoded.text)
        page = split_page(text, _PAGE_KEYS)
        self._record(relative, decoded, page.repairs, 0)
        return OpenedPage(relative, text, page)

    def reject(self, file: str, reason: str) -> None:
        """Report a file that cannot be read."""
        self.add_finding(file, 0, Severity.ERROR, "unreadable", reason)
        self._add_unread(file, Status.REJECTED)

    def note_unused(self, files: Iterable[str], lister: str, reasons: Mapping[str, str]) -> None:
        """Report the files that no entry uses; they are never searched (docs/decisions/trtc.md#unlisted-files).

        ``lister`` begins the message about a page (``no index lists``); ``reasons`` maps a folder or file to the
        reason why it is not searched.
        """
        for file in (file for file in files if printed_path(file) not in self.claimed):
            folder = file.partition("/")[0]
            if folder in PAGE_FOLDERS:
                detail = f"{lister} this {folder.removesuffix('s')} page"
                self.add_finding(file, 0, Severity.NOTE, "unlisted", detail)
            else:
                detail = reasons.get(folder, "not a file of a slice or scenario")
                self.add_finding(file, 0, Severity.NOTE, "not-searched", detail)
            if printed_path(file) not in self._ledger:
                self._add_unread(file, Status.READ)

    def _add_unread(self, file: str, status: Status) -> None:
        relative, hashed = printed_path(file), hash_only(self.root / file)
        self._ledger[relative] = SourceFile(Base.TRTC, relative, status, hashed.sha256, hashed.size, 0)

    def line_of(self, file: str, owner: str) -> int:
        """The line at which ``file`` lists the entry ``owner``; 0 if no line is written as ``id: owner``."""
        lines = self._texts.get(printed_path(file), "").split("\n")
        return next((n for n, line in enumerate(lines, 1) if line.strip() in {f"- id: {owner}", f"id: {owner}"}), 0)

    def add_finding(self, file: str, line: int, severity: Severity, kind: str, detail: str) -> None:
        """Add a finding about a file."""
        self.findings.append(Finding(Base.TRTC, printed_path(file), line, severity, kind, detail))

    def _record(self, relative: str, decoded: Decoded, repairs: Iterable[Repair], units: int) -> None:
        found = [*((1, kind, detail) for kind, detail in decoded.repairs), *repairs]
        self.findings += [Finding(Base.TRTC, relative, line, Severity.REPAIRED, *what) for line, *what in found]
        status = Status.REPAIRED if found else Status.READ
        self._ledger[relative] = SourceFile(Base.TRTC, relative, status, decoded.sha256, decoded.size, units)
        self._texts[relative] = decoded.text


def slice_page(platform: str, opened: OpenedPage) -> SlicePage:
    """The record of a slice's page."""
    sections = markdown.sections(opened.page.body, opened.page.body_line)
    return SlicePage(
        platform=platform,
        path=opened.path,
        text=opened.text,
        sections=sections,
        codes=markdown.error_codes(sections),
        api_names=markdown.api_names(opened.page.body),
    )

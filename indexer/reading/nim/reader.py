"""Reads the NIM case base: every file becomes units or a named finding.

See docs/decisions/nim.md#reading-the-files.
"""

from pathlib import Path

from indexer.reading.decode import Decoded, TooLarge, Undecodable, hash_only, read_text
from indexer.reading.front_matter import Page, Repair, split_page
from indexer.reading.nim.entries import has_entries, read_entries
from indexer.reading.nim.folder import FoundPage, case_files, find_root
from indexer.reading.nim.page import read_page
from indexer.reading.nim.units import PageInfo, entry_unit, page_unit
from indexer.records import Base, Finding, NimBase, Severity, SourceFile, Status, Unit

#: The keys of a page's front matter; where it is not YAML, they begin a field.
KNOWN_KEYS = (
    *("track_type", "sub_type", "product", "feature", "platform", "title", "root_cause", "solution"),
    *("customers", "source", "tags", "created", "updated"),
)
#: The ledger row, the units and the findings of one file.
FileResult = tuple[SourceFile, tuple[Unit, ...], tuple[Finding, ...]]


def read_nim(folder: Path) -> NimBase:
    """Read a whole case base, in path order.

    Raises:
        SourceNotFound: ``folder`` contains no case base.
    """
    results = [read_found(page) for page in case_files(find_root(folder))]
    return NimBase(
        units=tuple(unit for _, units, _ in results for unit in units),
        files=tuple(file for file, _, _ in results),
        findings=tuple(finding for _, _, findings in results for finding in findings),
    )


def read_found(page: FoundPage) -> FileResult:
    """Read a page that ``case_files`` found, or reject it if it has a problem."""
    if page.problem:
        return _rejected(page.relative, page.problem, page.detail)
    return read_file(page.path, page.relative)


def read_file(path: Path, relative: str) -> FileResult:
    """Read one page; ``relative`` is its printed path. Any content is accepted or rejected with a finding."""
    try:
        decoded = read_text(path)
    except TooLarge as error:
        return _rejected(relative, "too-large", str(error), hash_only(path))
    except Undecodable as error:
        return _rejected(relative, "undecodable", str(error), hash_only(path))
    except OSError as error:
        return _rejected(relative, "unreadable", error.strerror or "cannot be read")
    return read_decoded(decoded, relative)


def read_decoded(decoded: Decoded, relative: str) -> FileResult:
    """The ledger row, units and findings of a page's text."""
    if not decoded.text.strip():
        return _rejected(relative, "empty", "the file has no text", decoded)
    page = split_page(decoded.text, KNOWN_KEYS)
    units, repairs = _units(page, relative)
    repairs = [*((1, kind, detail) for kind, detail in decoded.repairs), *page.repairs, *repairs]
    findings = [Finding(Base.NIM, relative, line, Severity.REPAIRED, kind, detail) for line, kind, detail in repairs]
    if not units:
        detail = "not a case: the page has no fields and no entries"
        findings.append(Finding(Base.NIM, relative, 0, Severity.NOTE, "no-case", detail))
    status = Status.REPAIRED if repairs else Status.READ
    file = SourceFile(Base.NIM, relative, status, decoded.sha256, decoded.size, len(units))
    return file, units, tuple(findings)


def _rejected(relative: str, kind: str, detail: str, decoded: Decoded | None = None) -> FileResult:
    sha256, size = (decoded.sha256, decoded.size) if decoded else ("", 0)
    file = SourceFile(Base.NIM, relative, Status.REJECTED, sha256, size, 0)
    return file, (), (Finding(Base.NIM, relative, 0, Severity.ERROR, kind, detail),)


def _units(page: Page, relative: str) -> tuple[tuple[Unit, ...], list[Repair]]:
    """The units of a page and the repairs of its body."""
    info = PageInfo.of(relative, page.fields)
    if has_entries(page.body):
        entries = list(read_entries(page.body, page.body_line))
        return tuple(entry_unit(info, entry) for entry in entries), [r for entry in entries for r in entry.repairs]
    is_case = page.fields.keys() & set(KNOWN_KEYS) and (
        page.body.strip() or info.text("title") or info.text("solution")
    )
    if not is_case:
        return (), []
    text = read_page(page.body, page.body_line)
    return (page_unit(info, text),), list(text.repairs)

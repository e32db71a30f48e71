"""Reader of the NIM case base: every file becomes units or a named finding (decisions-nim, last section)."""

from pathlib import Path

from indexer.reading.decode import Decoded, TooLarge, Undecodable, hash_only, read_text
from indexer.reading.front_matter import Page, split_page
from indexer.reading.nim.entries import has_entries, read_entries
from indexer.reading.nim.folder import FoundPage, case_files, find_root
from indexer.reading.nim.page import read_page
from indexer.reading.nim.units import Place, entry_unit, page_unit
from indexer.records import Base, Finding, NimBase, Severity, SourceFile, Status, Unit

#: The fields of a page's front matter: a line that begins with one of them opens a field.
KNOWN_KEYS = (
    "track_type",
    "sub_type",
    "product",
    "feature",
    "platform",
    "title",
    "root_cause",
    "solution",
    "customers",
    "source",
    "tags",
    "created",
    "updated",
)
#: What one file gives.
FileResult = tuple[SourceFile, tuple[Unit, ...], tuple[Finding, ...]]


def read_nim(folder: Path) -> NimBase:
    """Read a whole case base, in path order.

    Raises:
        SourceNotFound: ``folder`` holds no case base (decision 8).
    """
    results = [read_found(page) for page in case_files(find_root(folder))]
    return NimBase(
        units=tuple(unit for _, units, _ in results for unit in units),
        files=tuple(file for file, _, _ in results),
        findings=tuple(finding for _, _, findings in results for finding in findings),
    )


def read_found(page: FoundPage) -> FileResult:
    """What ``case_files`` found: a page to read, or a name to reject. Pure per file, for worker processes."""
    if page.problem:
        return _rejected(page.relative, page.problem, page.detail)
    return read_file(page.path, page.relative)


def read_file(path: Path, relative: str) -> FileResult:
    """Read one page; ``relative`` is its printed path. Never raises on what a file may hold."""
    try:
        decoded = read_text(path)
    except TooLarge as error:
        return _rejected(relative, "too-large", str(error), hash_only(path))
    except Undecodable as error:
        return _rejected(relative, "undecodable", str(error), hash_only(path))
    except OSError as error:
        return _rejected(relative, "hash_onlyable", error.strerror or "cannot be read")
    return read_decoded(decoded, relative)


def read_decoded(decoded: Decoded, relative: str) -> FileResult:
    """A page's text -> its ledger row, units and findings."""
    if not decoded.text.strip():
        return _rejected(relative, "empty", "the file has no text", decoded)
    page = split_page(decoded.text, KNOWN_KEYS)
    units, mended = _units(page, relative)
    repairs = [(1, kind, detail) for kind, detail in decoded.repairs]
    findings = [
        Finding(Base.NIM, relative, line, Severity.REPAIRED, kind, detail)
        for line, kind, detail in (*repairs, *page.repairs, *mended)
    ]
    status = Status.REPAIRED if findings else Status.READ
    if not units:
        findings.append(
            Finding(Base.NIM, relative, 0, Severity.NOTE, "no-case", "no fields and no entries: not a case")
        )
    file = SourceFile(Base.NIM, relative, status, decoded.sha256, decoded.size, len(units))
    return file, units, tuple(findings)


def _rejected(relative: str, kind: str, detail: str, decoded: Decoded | None = None) -> FileResult:
    sha256, size = (decoded.sha256, decoded.size) if decoded else ("", 0)
    file = SourceFile(Base.NIM, relative, Status.REJECTED, sha256, size, 0)
    return file, (), (Finding(Base.NIM, relative, 0, Severity.ERROR, kind, detail),)


def _units(page: Page, relative: str) -> tuple[tuple[Unit, ...], list[tuple[int, str, str]]]:
    """The units of a page and the (line, kind, detail) of what its body needed mended."""
    place = Place.of(relative, page.fields)
    if has_entries(page.body):
        entries = list(read_entries(page.body, page.body_line))
        units = tuple(entry_unit(place, entry) for entry in entries)
        return units, [repair for entry in entries for repair in entry.repairs]
    if not (page.fields.keys() & set(KNOWN_KEYS)):
        return (), []
    if not (page.body.strip() or place.field("title") or place.field("solution")):
        return (), []
    text = read_page(page.body, page.body_line)
    return (page_unit(place, text),), [(line, "escaped-heading", detail) for line, detail in text.mended]

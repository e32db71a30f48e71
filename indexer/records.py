"""The records that the readers make and the compiler turns into rows. All are immutable.

Every text is the text of the source; normalization and segmentation come later. A field that the source does not have
is the empty string or the empty tuple, never None.
"""

from dataclasses import dataclass
from enum import StrEnum

#: The printed path of the index in the layout of the specification.
INDEX_PATH = "knowledge-base/index.yaml"


class Base(StrEnum):
    """The knowledge base of a record."""

    TRTC = "trtc"
    NIM = "nim"


class Status(StrEnum):
    """How a file was read; every file that was seen has exactly one status."""

    READ = "read"
    REPAIRED = "repaired"
    REJECTED = "rejected"


class Severity(StrEnum):
    """How much a finding matters.

    ``check`` fails on an error, ``build --strict`` on an error or a repair; a note is information.
    """

    NOTE = "note"
    REPAIRED = "repaired"
    ERROR = "error"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One problem or note about a source file.

    ``path`` is the printed path; ``line`` counts from 1, and 0 is the whole file; ``kind`` is a stable word for
    programs, ``detail`` a text for people.
    """

    base: Base
    path: str
    line: int
    severity: Severity
    kind: str
    detail: str


@dataclass(frozen=True, slots=True, order=True)
class SourceFile:
    """One row of the ledger: a file that a reader looked at, and the number of slices or cases in it."""

    base: Base
    path: str
    status: Status
    sha256: str
    size: int
    units: int


@dataclass(frozen=True, slots=True)
class Section:
    """The text below one Markdown heading, up to the next heading; level 0 is the text before the first heading."""

    level: int
    heading: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One numeric or symbolic code of an error-code table.

    ``code`` is as written, full-width forms aside (``-1002``, ``60004``, ``ERR_NEED_PASSWORD``); ``text`` is the rest
    of its table row.
    """

    code: str
    text: str
    section: str
    line: int


@dataclass(frozen=True, slots=True)
class SlicePage:
    """One page of a slice: its overview, which has no ``platform``, or the page of one platform."""

    platform: str
    path: str
    text: str
    sections: tuple[Section, ...]
    codes: tuple[ErrorCode, ...]
    api_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """One slice with its pages.

    ``page_tags`` are tags that only the front matter of a page has: weaker than those of the index
    (docs/decisions/trtc.md#page-tags). ``codes`` are error codes among the keywords of an index. ``listed_in`` is, in
    all records, the printed path of the file that lists the record.
    """

    id: str
    product: str
    name: str
    description: str
    file: str
    planned: bool
    tags: tuple[str, ...]
    page_tags: tuple[str, ...]
    platforms: tuple[str, ...]
    related: tuple[str, ...]
    pages: tuple[SlicePage, ...]
    codes: tuple[str, ...] = ()
    listed_in: str = INDEX_PATH


@dataclass(frozen=True, slots=True)
class Product:
    """One entry of ``products``."""

    id: str
    name: str
    description: str
    llms_file: str
    listed_in: str = INDEX_PATH


@dataclass(frozen=True, slots=True)
class Relation:
    """One cross-product relation; ids of slices that are not in the index are kept, and reported by ``checks``."""

    id: str
    products: tuple[str, ...]
    slices: tuple[str, ...]
    description: str
    listed_in: str = INDEX_PATH


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario; ``slices`` are ids in the order of the index, each once; ``text`` is the text of its page."""

    id: str
    name: str
    description: str
    file: str
    planned: bool
    slices: tuple[str, ...]
    text: str
    listed_in: str = INDEX_PATH


@dataclass(frozen=True, slots=True)
class Alias:
    """A term and its synonyms as (strength, word) pairs; the strengths are those of ``Concept``.

    ``product`` is the product whose queries use the synonyms, empty if all do. If the term is that product itself, the
    synonyms are names of the product.
    """

    term: str
    product: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept of the vocabulary: a meaning, its names, and the tags that express it.

    ``words`` are (strength, word) pairs: ``name``, ``typo`` (a misspelled name) or ``evokes`` (a word that only
    suggests it). ``tags`` are all spellings that a tag for it may have. ``role`` is ``subject``, ``context`` for a
    platform, a framework or a kind of document, or ``case`` for one that is only used to find NIM cases.
    """

    name: str
    source: str
    words: tuple[tuple[str, str], ...]
    tags: tuple[str, ...]
    role: str = "subject"


@dataclass(frozen=True, slots=True)
class TrtcBase:
    """One TRTC knowledge base, in the order of its index."""

    products: tuple[Product, ...] = ()
    relations: tuple[Relation, ...] = ()
    slices: tuple[Slice, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    aliases: tuple[Alias, ...] = ()
    files: tuple[SourceFile, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """One searchable NIM unit: a page that is one case, with ``entry`` 0, or one entry of a page.

    ``path`` is the printed path, from ``knowledge/`` on. ``entry`` is the number, from 1, of the entry's comment among
    the entry comments at the start of a line. ``product_folder`` and ``feature_folder`` are the first two folders.
    ``platform`` is as written, ``platforms`` are canonical names. ``details`` is the rest of the page that a search
    may find: 排查过程, 其他触发场景, the answer that was not chosen. ``answered`` is false if the solution is a
    placeholder. Dates are text as written. See docs/decisions/nim.md, #description-of-a-case and #placeholders.
    """

    path: str
    entry: int
    line: int
    track_type: str
    sub_type: str
    product: str
    product_folder: str
    feature: str
    feature_folder: str
    platform: str
    platforms: tuple[str, ...]
    title: str
    display_title: str
    description: str
    root_cause: str
    solution: str
    answered: bool
    details: str
    tags: tuple[str, ...]
    customers: tuple[str, ...]
    source: str
    created: str
    updated: str
    frequency: int


@dataclass(frozen=True, slots=True)
class NimBase:
    """One NIM case base, in path order."""

    units: tuple[Unit, ...] = ()
    files: tuple[SourceFile, ...] = ()
    findings: tuple[Finding, ...] = ()

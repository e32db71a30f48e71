"""What a source file becomes: the frozen records that cross from the readers to the writer.

Every text field holds the source's own text (the display text); folding and segmentation come later.
A field that the source lacks is the empty string or the empty tuple, never None, unless it says otherwise.
"""

from dataclasses import dataclass
from enum import StrEnum

#: The file that lists everything in the specification's layout, as findings print it.
INDEX_PATH = "knowledge-base/index.yaml"


class Base(StrEnum):
    """Which knowledge base a record belongs to."""

    TRTC = "trtc"
    NIM = "nim"


class Status(StrEnum):
    """What became of a file: seen = read + repaired + rejected."""

    READ = "read"
    REPAIRED = "repaired"
    REJECTED = "rejected"


class Severity(StrEnum):
    """How much a finding matters: a note is information, an error fails ``check`` and ``build --strict``."""

    NOTE = "note"
    REPAIRED = "repaired"
    ERROR = "error"


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing worth telling about a source file.

    ``path`` is relative to the knowledge base's root, ``line`` counts from 1 (0: the whole file),
    ``kind`` is a stable kebab-case word for programs, ``detail`` a sentence for people.
    """

    base: Base
    path: str
    line: int
    severity: Severity
    kind: str
    detail: str


@dataclass(frozen=True, slots=True, order=True)
class SourceFile:
    """One file that a reader opened, for the build ledger; ``units`` is how many slices or cases it gave."""

    base: Base
    path: str
    status: Status
    sha256: str
    size: int
    units: int


@dataclass(frozen=True, slots=True)
class Section:
    """The text under one Markdown heading, up to the next heading of any level; level 0 has no heading."""

    level: int
    heading: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One code of an error-code table, or a symbolic name there.

    ``code`` is as written with full-width forms folded (``-1002``, ``60004``, ``ERR_NEED_PASSWORD``).
    ``text`` is the rest of its table row.
    """

    code: str
    text: str
    section: str
    line: int


@dataclass(frozen=True, slots=True)
class SlicePage:
    """One Markdown file of a slice: its overview (``platform`` empty) or one platform's file."""

    platform: str
    path: str
    text: str
    sections: tuple[Section, ...]
    codes: tuple[ErrorCode, ...]
    api_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slice:
    """One slice with the pages found for it: an entry of ``slices`` in index.yaml, or what the later layout lists.

    ``page_tags`` are tags that only the front matter lists (decision 26: medium at most). ``codes`` are error codes
    among the keywords of an index. ``listed_in`` is the file that lists it, as findings print it; so it is in the
    records below.
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
    """One entry of ``products`` in index.yaml or products.yaml."""

    id: str
    name: str
    description: str
    llms_file: str
    listed_in: str = INDEX_PATH


@dataclass(frozen=True, slots=True)
class Relation:
    """One entry of ``cross_product_relations``; unknown slice ids are kept here and reported by check."""

    id: str
    products: tuple[str, ...]
    slices: tuple[str, ...]
    description: str
    listed_in: str = INDEX_PATH


@dataclass(frozen=True, slots=True)
class Scenario:
    """One entry of ``scenarios``; ``slices`` in index order, each once; ``text`` is its page, if it has one."""

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
    """A term and what else it is called: (strength, word) pairs, strength as in ``concept_word``.

    ``product`` is whose questions it is meant for, empty if all; where the term is that product, the words name it.
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
    """Everything read from one TRTC knowledge base, in index order."""

    products: tuple[Product, ...] = ()
    relations: tuple[Relation, ...] = ()
    slices: tuple[Slice, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    aliases: tuple[Alias, ...] = ()
    files: tuple[SourceFile, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """One searchable NIM unit: a single-document case (``entry`` 0) or the n-th entry of a file.

    ``path`` starts with ``knowledge/``. ``entry`` is the ordinal, from 1, among the entry comments that
    stand at the start of a line. ``product_folder`` and ``feature_folder`` are the first two directories;
    ``platforms`` are canonical names, ``platform`` the raw value. ``description`` follows decision 4, and
    ``details`` keeps the rest of the page that is worth finding (排查过程, 其他触发场景, the longer answer).
    ``answered`` is false where decision 6 finds only a placeholder. Dates are text as written.
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
    """Everything read from one NIM case base, in path order."""

    units: tuple[Unit, ...] = ()
    files: tuple[SourceFile, ...] = ()
    findings: tuple[Finding, ...] = ()

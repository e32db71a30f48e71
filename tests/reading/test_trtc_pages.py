"""Each file of a base is read once, belongs to one entry, and is in the ledger."""

from pathlib import Path

import pytest

from indexer.errors import SourceRefused
from indexer.reading.trtc.pages import FileReader, slice_page
from indexer.records import Severity, Status

PAGE = "---\nid: live/a\ntags: [x]\n---\n# A\n`joinRoom`\n\n## 错误码\n| 码 |\n|--|\n| -1 |\n"


@pytest.fixture
def files(tmp_path: Path) -> FileReader:
    """A base with one page, one binary file and an index."""
    (tmp_path / "slices").mkdir()
    (tmp_path / "slices/a.md").write_text(PAGE, "utf-8")
    (tmp_path / "slices/b.md").write_bytes(b"\0\1")
    (tmp_path / "i.yaml").write_text("slices:\n  - id: live/a\n  - {name: B}\n  - x\nother: 1\n", "utf-8")
    return FileReader(tmp_path)


def test_index(files: FileReader) -> None:
    """An index is a mapping of texts, and its units are the entries below the counted keys."""
    index = files.read_index("i.yaml", "slices", ("slices", "other"))
    assert index["other"] == "1"
    assert [(f.path, f.status, f.units) for f in files.ledger] == [("knowledge-base/i.yaml", Status.READ, 3)]


def test_index_names_what_is_wanted(files: FileReader) -> None:
    """The error about an index names the file, what was found and what was wanted."""
    (files.root / "i.yaml").write_text("- a\n")
    with pytest.raises(SourceRefused, match=r"i\.yaml: found a list; wanted a mapping with apples$"):
        files.read_index("i.yaml", "apples", ())


def test_entries(files: FileReader) -> None:
    """Only mappings with an id are entries; the number of others is a finding."""
    found = files.entries("i.yaml", files.read_index("i.yaml", "", ()), "slices")
    assert found == [{"id": "live/a"}]
    assert [f.detail for f in files.findings] == ["2 entries of slices have no id and are left out"]


def test_open_once(files: FileReader) -> None:
    """A page belongs to the first entry that names it; the second is a finding at the line of its entry."""
    files.read_index("i.yaml", "", ())
    assert files.open_page("slices/a.md", "live/b", "i.yaml") is not None
    assert files.open_page("slices/./a.md", "live/a", "i.yaml") is None
    (finding,) = files.findings
    assert (finding.path, finding.line, finding.kind) == ("knowledge-base/i.yaml", 2, "double-file")
    assert [(f.path, f.units) for f in files.ledger[1:]] == [("knowledge-base/slices/a.md", 1)]


def test_read_page_claims_nothing(files: FileReader) -> None:
    """A page that is only read has no units, and an entry can still open it."""
    assert files.read_page("slices/a.md") is files.read_page("slices/a.md")
    assert [f.units for f in files.ledger] == [0]
    assert files.open_page("slices/a.md", "live/a", "i.yaml") is not None


def test_unreadable(files: FileReader) -> None:
    """A page that is not text is rejected once, however often it is read."""
    assert files.read_page("slices/b.md") is None
    assert files.open_page("slices/b.md", "live/b", "i.yaml") is None
    assert [(f.path, f.kind) for f in files.findings] == [("knowledge-base/slices/b.md", "unreadable")]
    assert [(f.status, f.units) for f in files.ledger] == [(Status.REJECTED, 0)]


@pytest.mark.parametrize("file", ["", "../x.md", "/etc/passwd", "https://a/b.md", "gone.md"])
def test_refused(files: FileReader, file: str) -> None:
    """A path that must not or cannot be opened is an error at the entry that names it, and not in the ledger."""
    files.read_index("i.yaml", "", ())
    assert files.open_page(file, "live/a", "i.yaml") is None
    (finding,) = files.findings
    assert (finding.path, finding.line, finding.severity) == ("knowledge-base/i.yaml", 2, Severity.ERROR)
    assert [f.path for f in files.ledger] == ["knowledge-base/i.yaml"]


def test_note_unused(files: FileReader) -> None:
    """Files that no entry uses are reported and hashed; a file that was rejected before stays so in the ledger."""
    files.read_page("slices/b.md")
    files.claimed.add("knowledge-base/i.yaml")
    files.note_unused(("i.yaml", "slices/a.md", "slices/b.md", "docs/c.md"), "nobody lists", {"docs": "a document"})
    assert [(f.path.removeprefix("knowledge-base/"), f.kind, f.detail) for f in files.findings[1:]] == [
        ("slices/a.md", "unlisted", "nobody lists this slice page"),
        ("slices/b.md", "unlisted", "nobody lists this slice page"),
        ("docs/c.md", "not-searched", "a document"),
    ]
    assert [(f.status, len(f.sha256)) for f in files.ledger] == [
        *((Status.READ, 0), (Status.READ, 64), (Status.REJECTED, 64)),
    ]


def test_duplicate_keys_of_an_index(files: FileReader) -> None:
    """A key twice in an index is an error at its line: the entries of the first are lost."""
    (files.root / "i.yaml").write_text("slices:\n  - id: a\n    name: x\n    name: y\nslices:\n  - id: b\n")
    index = files.read_index("i.yaml", "slices", ())
    assert [entry["id"] for entry in index["slices"]] == ["b"]
    assert [(f.path, f.line, f.severity, f.kind) for f in files.findings] == [
        ("knowledge-base/i.yaml", line, Severity.ERROR, "duplicate-key") for line in (4, 5)
    ]
    assert files.findings[1].detail == "the key 'slices' is given more than once; the last value is used"


def test_duplicate_keys_of_a_page(files: FileReader) -> None:
    """A key twice in a front matter is a repair at its line."""
    (files.root / "slices/a.md").write_text("---\ntags: [x]\nid: a\ntags: [y]\n---\n")
    opened = files.open_page("slices/a.md", "live/a", "i.yaml")
    assert opened is not None
    assert opened.page.fields["tags"] == ["y"]
    assert [(f.line, f.severity, f.kind) for f in files.findings] == [(4, Severity.REPAIRED, "duplicate-key")]
    assert [f.status for f in files.ledger] == [Status.REPAIRED]


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file that has no end")
def test_large_index(files: FileReader) -> None:
    """An index beyond the limit of size is refused before it is read to its end."""
    (files.root / "i.yaml").unlink()
    (files.root / "i.yaml").symlink_to("/dev/zero")
    with pytest.raises(SourceRefused, match=r"i\.yaml: \d+ bytes, more than the limit of \d+; wanted a YAML index$"):
        files.read_index("i.yaml", "slices", ())


def test_slice_page(files: FileReader) -> None:
    """The record of a page has its text, sections, codes and API names."""
    opened = files.open_page("slices/a.md", "live/a", "i.yaml")
    assert opened is not None
    page = slice_page("ios", opened)
    assert (page.platform, page.path, page.text) == ("ios", "knowledge-base/slices/a.md", PAGE)
    assert ([code.code for code in page.codes], page.api_names) == (["-1"], ("joinRoom",))

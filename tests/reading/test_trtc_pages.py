"""Each file of a base is read once, belongs to one entry, and stands in the ledger."""

from pathlib import Path

import pytest

from indexer.errors import SourceRefused
from indexer.reading.trtc.pages import Reading, slice_page
from indexer.records import Severity, Status

PAGE = "---\nid: live/a\ntags: [x]\n---\n# A\n`joinRoom`\n\n## 错误码\n| 码 |\n|--|\n| -1 |\n"


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """A reading of a base with one page, one binary file and an index."""
    (tmp_path / "slices").mkdir()
    (tmp_path / "slices/a.md").write_text(PAGE, "utf-8")
    (tmp_path / "slices/b.md").write_bytes(b"\0\1")
    (tmp_path / "i.yaml").write_text("slices:\n  - id: live/a\n  - {name: B}\n  - x\nother: 1\n", "utf-8")
    return Reading(tmp_path)


def test_index(reading: Reading) -> None:
    """An index is a mapping of texts, and its units are the entries that are counted."""
    index = reading.index("i.yaml", "slices", ("slices", "other"))
    assert index["other"] == "1"
    assert [(f.path, f.status, f.units) for f in reading.files] == [("knowledge-base/i.yaml", Status.READ, 3)]


def test_index_names_what_is_wanted(reading: Reading) -> None:
    """The message of a refusal names the file, what was found and what was wanted."""
    (reading.root / "i.yaml").write_text("- a\n")
    with pytest.raises(SourceRefused, match=r"i\.yaml: found a list; wanted a mapping with apples$"):
        reading.index("i.yaml", "apples", ())


def test_entries(reading: Reading) -> None:
    """Only mappings with an id are entries; how many others there are is told."""
    found = reading.entries("i.yaml", reading.index("i.yaml", "", ()), "slices")
    assert found == [{"id": "live/a"}]
    assert [f.detail for f in reading.findings] == ["2 of slices without an id left out"]


def test_open_once(reading: Reading) -> None:
    """A page is its first owner's; another who names it is told at the line of its entry."""
    assert reading.open("slices/a.md", "live/b", "i.yaml") is not None
    assert reading.open("slices/./a.md", "live/a", "i.yaml") is None
    (finding,) = reading.findings
    assert (finding.path, finding.line, finding.kind) == ("knowledge-base/i.yaml", 2, "double-file")
    assert [(f.path, f.units) for f in reading.files] == [("knowledge-base/slices/a.md", 1)]


def test_read_is_no_claim(reading: Reading) -> None:
    """Reading a page takes it from nobody, is told once, and gives no unit."""
    assert reading.read("slices/a.md") is reading.read("slices/a.md")
    assert [f.units for f in reading.files] == [0]
    assert reading.open("slices/a.md", "live/a", "i.yaml") is not None


def test_unreadable(reading: Reading) -> None:
    """A page that is no text is rejected once, whoever asks for it."""
    assert reading.read("slices/b.md") is None
    assert reading.open("slices/b.md", "live/b", "i.yaml") is None
    assert [(f.path, f.kind) for f in reading.findings] == [("knowledge-base/slices/b.md", "unreadable")]
    assert [(f.status, f.units) for f in reading.files] == [(Status.REJECTED, 0)]


@pytest.mark.parametrize("file", ["", "../x.md", "/etc/passwd", "https://a/b.md", "gone.md"])
def test_refused(reading: Reading, file: str) -> None:
    """What must not or cannot be opened is an error of who named it, and no file was seen."""
    assert reading.open(file, "live/a", "i.yaml") is None
    (finding,) = reading.findings
    assert (finding.path, finding.line, finding.severity) == ("knowledge-base/i.yaml", 2, Severity.ERROR)
    assert reading.files == ()


def test_leave(reading: Reading) -> None:
    """A file that is left is told and hashed; one that was read before stays as it stands in the ledger."""
    reading.read("slices/b.md")
    for name in ("slices/a.md", "slices/b.md"):
        reading.record_unused(reading.root / name, "unlisted", "nobody lists it")
    assert [f.status for f in reading.files] == [Status.READ, Status.REJECTED]
    assert all(len(f.sha256) == 64 for f in reading.files)
    assert [f.kind for f in reading.findings] == ["unreadable", "unlisted", "unlisted"]


def test_slice_page(reading: Reading) -> None:
    """Of a page the text, the sections, the codes and the names are kept."""
    opened = reading.open("slices/a.md", "live/a", "i.yaml")
    assert opened is not None
    page = slice_page("ios", opened)
    assert (page.platform, page.path, page.text) == ("ios", "knowledge-base/slices/a.md", PAGE)
    assert ([code.code for code in page.codes], page.api_names) == (["-1"], ("joinRoom",))

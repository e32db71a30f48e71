"""Finding a case base and its pages, and the files that must not be read."""

import os
import re
from pathlib import Path

import pytest

from indexer.errors import SourceNotFound
from indexer.reading.nim.folder import case_files, find_root


def _write(folder: Path, *names: str) -> None:
    for name in names:
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("x", "utf-8")


ROOTS = {
    "the folder itself": (["IM/登录/a.md"], "."),
    "its knowledge/": (["knowledge/IM/登录/a.md", "docs/b.md", "skills/x/SKILL.md"], "knowledge"),
    "its rags/": (["rags/IM/登录/a.md"], "rags"),
    "its rags/knowledge/": (["rags/knowledge/IM/登录/a.md", "rags/docs/x/b.md"], "rags/knowledge"),
    "the clone of the specification": (
        ["rags/knowledge/knowledge/IM/登录/a.md"],
        "rags/knowledge/knowledge",
    ),
}


@pytest.mark.parametrize(("names", "root"), ROOTS.values(), ids=ROOTS.keys())
def test_finds_the_root(tmp_path: Path, names: list[str], root: str) -> None:
    """The product folders are found in every folder where a clone may have them."""
    _write(tmp_path, *names)
    assert find_root(tmp_path) == tmp_path / root


MISSING = {
    "no folder": (None, "there is no such folder"),
    "empty": ([], "found no folders"),
    "no pages": (["IM/a.txt"], "found IM without pages"),
    "only internal documents": (["docs/x/a.md", "internalDocs/x/b.md"], "found no folders"),
    "the other knowledge base": (["index.yaml", "slices/live/a.md"], "found index.yaml"),
}


@pytest.mark.parametrize(("names", "found"), MISSING.values(), ids=MISSING.keys())
def test_no_base(tmp_path: Path, names: list[str] | None, found: str) -> None:
    """A folder without a case base is refused with its name, what was found and what was wanted."""
    folder = tmp_path / "base"
    if names is not None:
        folder.mkdir()
        _write(folder, *names)
    with pytest.raises(SourceNotFound) as raised:
        find_root(folder)
    assert str(folder) in str(raised.value)
    assert found in str(raised.value)
    assert "wanted product folders" in str(raised.value)


@pytest.mark.parametrize("mark", ["index.yaml", "products.yaml"])
@pytest.mark.parametrize("inner", ["", "knowledge-base"])
def test_the_other_base_is_refused(tmp_path: Path, mark: str, inner: str) -> None:
    """A TRTC base in either layout, or the folder that contains it, is refused by its index."""
    (tmp_path / inner / "slices").mkdir(parents=True)
    (tmp_path / inner / "slices" / "a.md").write_text("---\ntitle: a\n---\n", "utf-8")
    (tmp_path / inner / mark).touch()
    found = f"{inner}/{mark}".strip("/")
    with pytest.raises(SourceNotFound, match=f"found {re.escape(found)}, a TRTC knowledge base; wanted product"):
        find_root(tmp_path)


def test_walks_by_printed_path(tmp_path: Path) -> None:
    """Pages are sorted by path; hidden and internal folders and other files are left out."""
    _write(
        tmp_path,
        "b/x/1.md",
        "a b/2.md",
        "a/x/y/3.MD",
        "README.md",
        "a/n.txt",
        ".git/c.md",
        "docs/d.md",
        "a/internalDocs/e.md",
    )
    assert [page.relative for page in case_files(tmp_path)] == [
        "knowledge/README.md",
        "knowledge/a b/2.md",
        "knowledge/a/x/y/3.MD",
        "knowledge/b/x/1.md",
    ]


def test_prints_nfc(tmp_path: Path) -> None:
    """A tree copied from macOS gives the same paths; a second file with that path is a finding."""
    _write(tmp_path, "IM/cafe\u0301.md")
    assert [page.relative for page in case_files(tmp_path)] == ["knowledge/IM/café.md"]
    _write(tmp_path, "IM/café.md")
    if len(list((tmp_path / "IM").iterdir())) == 2:
        assert [page.problem for page in case_files(tmp_path)] == ["", "duplicate-path"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_do_not_leave_the_base(tmp_path: Path) -> None:
    """A link out of the base, to internal documents or to nothing has a problem; one within the base is read."""
    base = tmp_path / "base"
    _write(tmp_path, "secret/s.md")
    _write(base, "IM/a.md", "docs/d.md")
    links = {
        "IM/in.md": base / "IM/a.md",
        "IM/out.md": tmp_path / "secret/s.md",
        "IM/internal.md": base / "docs/d.md",
        "IM/gone.md": base / "nothing.md",
        "IM/loop": base / "IM",
        "IM/away": tmp_path / "secret",
    }
    for name, target in links.items():
        (base / name).symlink_to(target)
    os.mkfifo(base / "IM/pipe.md")
    assert {page.relative.removeprefix("knowledge/IM/"): page.problem for page in case_files(base)} == {
        "a.md": "",
        "in.md": "",
        "out.md": "outside-root",
        "internal.md": "outside-root",
        "gone.md": "unreadable",
        "away": "outside-root",
        "pipe.md": "unreadable",
    }

"""Where a TRTC base lies, and what its index may not name."""

from pathlib import Path

import pytest

from indexer.errors import SourceNotFound
from indexer.reading.trtc.folder import Layout, find_root, layout_of, page_files, refusal_of, source_files

LAYOUTS = {
    "an index": (["index.yaml"], Layout.INDEXED),
    "a register (T7)": (["products.yaml"], Layout.SPLIT),
    "both": (["products.yaml", "index.yaml"], Layout.INDEXED),
}


@pytest.mark.parametrize(("names", "layout"), LAYOUTS.values(), ids=LAYOUTS)
def test_finds_the_root(tmp_path: Path, names: list[str], layout: Layout) -> None:
    """The folder of the file that tells the layout is the one given, or its ``knowledge-base/``."""
    root = tmp_path / "knowledge-base"
    root.mkdir()
    for name in names:
        (root / name).touch()
    assert find_root(tmp_path) == find_root(root) == root
    assert layout_of(root) is layout


MISSING = {
    "no folder": ([], "gone", "found no such folder"),
    "an empty folder": (["base/"], "base", "found an empty folder"),
    "a file": (["base"], "base", "found no such folder"),
    "neither layout": (
        ["base/chat/web/index.yaml", "base/slices/x.md", "base/products.yaml/"],
        "base",
        "found chat, products.yaml, slices;",
    ),
}


@pytest.mark.parametrize(("names", "given", "found"), MISSING.values(), ids=MISSING)
def test_says_what_is_there_instead(tmp_path: Path, names: list[str], given: str, found: str) -> None:
    """Without an index the message names the option, the folder, what was found and what was wanted."""
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).touch()
    with pytest.raises(SourceNotFound) as caught:
        find_root(tmp_path / given)
    assert str(caught.value).startswith(f"--trtc {tmp_path / given}: {found}")
    wanted = "wanted a folder with index.yaml or products.yaml, its own or in its knowledge-base/"
    assert str(caught.value).endswith(wanted)


OUTSIDE = "wanted a path inside the knowledge base"
REFUSED = {
    "": ("path-refused", OUTSIDE),
    "../../x.md": ("path-refused", OUTSIDE),
    "slices/../../x.md": ("path-refused", OUTSIDE),
    "/etc/passwd": ("path-refused", OUTSIDE),
    "https://example.com/x.md": ("path-refused", OUTSIDE),
    "file:///etc/passwd": ("path-refused", OUTSIDE),
    "C:/x.md": ("path-refused", OUTSIDE),
    "out.md": ("path-refused", "a link that leaves the knowledge base"),
    "outside/x.md": ("path-refused", "a link that leaves the knowledge base"),
    "loop.md": ("path-refused", "no path that can be opened"),
    "a\0b.md": ("path-refused", "no path that can be opened"),
    "x" * 300: ("path-refused", "no path that can be opened"),
    "missing.md": ("missing-file", "no such file"),
    "folder": ("missing-file", "no such file"),
    ".": ("missing-file", "no such file"),
    "page.md": None,
    "./folder/../page.md": ("path-refused", OUTSIDE),
    "inside.md": None,
}


@pytest.mark.parametrize(("file", "refusal"), REFUSED.items(), ids=[f"{name[:30]!a}" for name in REFUSED])
def test_refusal(tmp_path: Path, file: str, refusal: tuple[str, str] | None) -> None:
    """What leaves the base, cannot be opened, or is not there is refused with its kind and reason (G16)."""
    root = tmp_path / "base"
    (root / "folder").mkdir(parents=True)
    (tmp_path / "x.md").touch()
    (root / "page.md").touch()
    (root / "out.md").symlink_to("../x.md")
    (root / "outside").symlink_to("..")
    (root / "loop.md").symlink_to("loop.md")
    (root / "inside.md").symlink_to("page.md")
    assert refusal_of(file, root) == refusal


def test_page_files(tmp_path: Path) -> None:
    """Pages lie below slices/ and scenarios/; links out, folders and other files are none."""
    names = ["slices/b/2.md", "slices/a/1.md", "scenarios/3.md", "slices/x.txt", "docs/4.md", "slices/d.md/5.txt"]
    for name in names:
        (tmp_path / "base" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "base" / name).touch()
    (tmp_path / "out.md").touch()
    (tmp_path / "base/slices/out.md").symlink_to("../../out.md")
    found = [path.relative_to(tmp_path / "base").as_posix() for path in page_files(tmp_path / "base")]
    assert found == ["slices/a/1.md", "slices/b/2.md", "scenarios/3.md"]


SEEN = {
    "index.yaml": ["index.yaml", "slices/a.md"],
    "products.yaml": ["chat/web/index.yaml", "docs/4.md", "guide.yml", "products.yaml", "slices/a.md"],
}


@pytest.mark.parametrize(("first", "seen"), SEEN.items(), ids=SEEN)
def test_source_files(tmp_path: Path, first: str, seen: list[str]) -> None:
    """One layout looks at its index and pages, the other at all Markdown and YAML; neither at what leads out."""
    names = ["slices/a.md", "docs/4.md", "chat/web/index.yaml", "guide.yml", "x.js", ".git/x.md", "slices/.x.md/y.yaml"]
    for name in (first, *names):
        (tmp_path / "base" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "base" / name).touch()
    (tmp_path / "out.md").touch()
    (tmp_path / "base/slices/out.md").symlink_to("../../out.md")
    (tmp_path / "base/slices/folder.md").mkdir()
    found = [path.relative_to(tmp_path / "base").as_posix() for path in source_files(tmp_path / "base")]
    assert found == seen

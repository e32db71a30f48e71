"""Finding a TRTC base, its layout and its files, and refusing paths that an index must not name."""

from pathlib import Path

import pytest

from indexer.errors import SourceNotFound
from indexer.reading.trtc.folder import Layout, find_root, layout_of, page_key, refusal_of, source_files

LAYOUTS = {
    "an index": (["index.yaml"], Layout.INDEXED),
    "a register": (["products.yaml"], Layout.SPLIT),
    "both": (["products.yaml", "index.yaml"], Layout.INDEXED),
}


@pytest.mark.parametrize(("names", "layout"), LAYOUTS.values(), ids=LAYOUTS)
def test_finds_the_root(tmp_path: Path, names: list[str], layout: Layout) -> None:
    """The root is the folder of index.yaml or products.yaml: the one given, or its ``knowledge-base/``."""
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
def test_no_base(tmp_path: Path, names: list[str], given: str, found: str) -> None:
    """Without an index the error names the option, the folder, what was found and what was wanted."""
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).mkdir() if name.endswith("/") else (tmp_path / name).touch()
    with pytest.raises(SourceNotFound) as caught:
        find_root(tmp_path / given)
    assert str(caught.value).startswith(f"--trtc {tmp_path / given}: {found}")
    wanted = "wanted a folder with index.yaml or products.yaml, its own or in its knowledge-base/"
    assert str(caught.value).endswith(wanted)


def test_a_base_that_changes_meanwhile(tmp_path: Path) -> None:
    """A base whose index is removed after it was found is a clear error."""
    (tmp_path / "index.yaml").touch()
    root = find_root(tmp_path)
    (tmp_path / "index.yaml").unlink()
    for look in (layout_of, lambda root: list(source_files(root))):
        with pytest.raises(SourceNotFound) as caught:
            look(root)
        assert str(caught.value) == (
            f"{tmp_path}: index.yaml and products.yaml are gone; wanted a base that does not change meanwhile"
        )


OUTSIDE = "wanted a path inside the knowledge base"
REFUSED = {
    "": ("path-refused", OUTSIDE),
    "../../x.md": ("path-refused", OUTSIDE),
    "slices/../../x.md": ("path-refused", OUTSIDE),
    "/etc/passwd": ("path-refused", OUTSIDE),
    "https://example.com/x.md": ("path-refused", OUTSIDE),
    "file:///etc/passwd": ("path-refused", OUTSIDE),
    "C:/x.md": ("path-refused", OUTSIDE),
    "out.md": ("path-refused", "a link to a file outside the knowledge base"),
    "outside/x.md": ("path-refused", "a link to a file outside the knowledge base"),
    "loop.md": ("path-refused", "not a path that can be opened"),
    "a\0b.md": ("path-refused", "not a path that can be opened"),
    "x" * 300: ("path-refused", "not a path that can be opened"),
    "missing.md": ("missing-file", "no such file"),
    "folder": ("missing-file", "no such file"),
    ".": ("missing-file", "no such file"),
    "page.md": None,
    "./folder/../page.md": ("path-refused", OUTSIDE),
    "inside.md": None,
}


@pytest.mark.parametrize(("file", "refusal"), REFUSED.items(), ids=[f"{name[:30]!a}" for name in REFUSED])
def test_refusal(tmp_path: Path, file: str, refusal: tuple[str, str] | None) -> None:
    """A path that leaves the base, cannot be opened or does not exist is refused with its kind and reason."""
    root = tmp_path / "base"
    (root / "folder").mkdir(parents=True)
    (tmp_path / "x.md").touch()
    (root / "page.md").touch()
    (root / "out.md").symlink_to("../x.md")
    (root / "outside").symlink_to("..")
    (root / "loop.md").symlink_to("loop.md")
    (root / "inside.md").symlink_to("page.md")
    assert refusal_of(file, root) == refusal


SEEN = {
    "index.yaml": ["index.yaml", "slices/B.MD", "slices/a.md", "slices/d.md/5.md", "scenarios/live/3.Md"],
    "products.yaml": [
        *("chat/web/index.yaml", "docs/4.md", "guide.YML", "products.yaml", "scenarios/live/3.Md"),
        *("slices/B.MD", "slices/a.md", "slices/d.md/5.md"),
    ],
}


@pytest.mark.parametrize(("first", "seen"), SEEN.items(), ids=SEEN)
def test_source_files(tmp_path: Path, first: str, seen: list[str]) -> None:
    """One layout has its index and its pages, the other all Markdown and YAML files, in any case of the suffix.

    Links to files outside the base, folders, hidden and other files are left out.
    """
    names = ["slices/a.md", "slices/B.MD", "scenarios/live/3.Md", "slices/d.md/5.md", "docs/4.md", "slices/x.txt"]
    names += ["chat/web/index.yaml", "guide.YML", "x.js", ".git/x.md", "docs/.x.md/y.yaml"]
    for name in (first, *names):
        (tmp_path / "base" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "base" / name).touch()
    (tmp_path / "out.md").touch()
    (tmp_path / "base/slices/out.md").symlink_to("../../out.md")
    assert list(source_files(tmp_path / "base")) == seen


@pytest.mark.parametrize(("file", "key"), [("a.md", "a.md"), ("x.MD/b.Md", "x.MD/b.md"), ("MD", "MD"), ("", "")])
def test_page_key(file: str, key: str) -> None:
    """Only the case of a page's suffix is folded."""
    assert page_key(file) == key

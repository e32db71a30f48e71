"""The census sees exactly the files that the ledger of a build lists, with the same hashes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from split_support import write_base

from indexer.build import Sources
from indexer.decode import MAX_BYTES
from indexer.sources.census import census
from indexer.sources.nim import read_nim
from indexer.sources.trtc import read_trtc


def _ledger(sources: Sources) -> dict[tuple[str, str], str]:
    assert sources.trtc is not None
    assert sources.nim is not None
    files = (*read_trtc(sources.trtc).files, *read_nim(sources.nim).files)
    return {(file.base, file.path): file.sha256 for file in files}


def _page(sources: Sources) -> Path:
    assert sources.nim is not None
    return sources.nim / "knowledge" / "IM-SDK" / "登录连接" / "Android" / "新.md"


def _slices(sources: Sources) -> Path:
    assert sources.trtc is not None
    return sources.trtc / "knowledge-base" / "slices" / "live"


TREES = {
    "as it is": lambda _: None,
    "a binary case": lambda s: _page(s).write_bytes(b"\0\1"),
    "a case that is too large": lambda s: _page(s).write_bytes(b"x" * (MAX_BYTES + 1)),
    "an empty case": lambda s: _page(s).touch(),
    "a GBK case": lambda s: _page(s).write_bytes("---\ntitle: 登录失败怎么办\n---\n".encode("gbk")),
    "a case that links out": lambda s: _page(s).symlink_to("/etc/hostname"),
    "a dangling link": lambda s: _page(s).symlink_to("nowhere"),
    "a binary slice": lambda s: (_slices(s) / "gift-combo.md").write_bytes(b"\0\1"),
    "a missing slice": lambda s: (_slices(s) / "gift-combo.md").unlink(),
    "an unlisted slice": lambda s: (_slices(s) / "x.md").write_text("x"),
    "a slice that links out": lambda s: (_slices(s) / "x.md").symlink_to("/etc/hostname"),
    "a folder named like a page": lambda s: (_slices(s) / "x.md").mkdir(),
}


@pytest.mark.parametrize("change", TREES.values(), ids=TREES)
def test_census_is_the_ledger(tree: Sources, change: Callable[[Sources], object]) -> None:
    """Whatever lies in the sources, a second build knows it again, also what could not be read."""
    change(tree)
    assert census(tree.trtc, tree.nim) == _ledger(tree)


SPLIT_TREES: dict[str, dict[str, str | bytes]] = {
    "as it is": {},
    "a binary page": {"slices/live/firework.md": b"\0\1"},
    "a binary document": {"docs/chat/faq.md": b"\0\1"},
    "an unlisted page": {"slices/chat/web/x.md": "x"},
    "a page without an id": {"slices/live/x.md": "x"},
    "a hidden file": {".github/x.yaml": "x"},
}


@pytest.mark.parametrize("changed", SPLIT_TREES.values(), ids=SPLIT_TREES)
def test_census_of_the_later_layout(tmp_path: Path, changed: dict[str, str | bytes]) -> None:
    """So it does in the later layout, whose documents and tools are seen as well."""
    folder = write_base(tmp_path, **changed)
    (folder / "knowledge-base/slices/chat/out.md").symlink_to("/etc/hostname")
    ledger = {(file.base, file.path): file.sha256 for file in read_trtc(folder).files}
    assert census(folder, None) == ledger
    assert ("trtc", "knowledge-base/docs/chat/faq.md") in ledger


def test_both_layouts(tree: Sources) -> None:
    """A register beside an index is seen, told, and not read."""
    assert tree.trtc is not None
    (tree.trtc / "knowledge-base/products.yaml").write_text("- no: register\n")
    assert census(tree.trtc, tree.nim) == _ledger(tree)
    told = [f.kind for f in read_trtc(tree.trtc).findings if f.path == "knowledge-base/products.yaml"]
    assert told == ["not-searched"]


def test_one_byte(tree: Sources) -> None:
    """One byte more anywhere is another census."""
    before = census(tree.trtc, tree.nim)
    page = _slices(tree) / "gift-combo.md"
    page.write_bytes(page.read_bytes() + b"\n")
    after = census(tree.trtc, tree.nim)
    assert {key for key in before if before[key] != after[key]} == {("trtc", f"knowledge-base/slices/live/{page.name}")}


def test_no_bases() -> None:
    """Nothing given, nothing seen."""
    assert census(None, None) == {}

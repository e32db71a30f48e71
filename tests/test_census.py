"""The census sees exactly the files that the ledger of a build lists, with the same hashes."""

from collections.abc import Callable
from pathlib import Path

import pytest

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

"""The two bases as a whole: what is refused, and the hashes of their files.

The hashes are of exactly the files that the ledger of a build lists.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from split_support import write_base

from indexer.build import Sources
from indexer.reading.decode import MAX_BYTES
from indexer.reading.nim.reader import read_nim
from indexer.reading.sources import load_nim, load_trtc, source_hashes
from indexer.reading.trtc.reader import read_trtc
from rtckb import main

PRODUCT = "products: [{id: live}]\n"
#: Option, files of the folder -> the message that refuses it.
NO_BASE: dict[str, tuple[str, dict[str, str], str]] = {
    "an empty folder as TRTC base": ("--trtc", {}, "found an empty folder; wanted a folder with index.yaml"),
    "pages without an index": ("--trtc", {"slices/a.md": ""}, "found slices; wanted a folder with index.yaml"),
    "an empty index": ("--trtc", {"index.yaml": ""}, "index.yaml: found nothing; wanted a mapping"),
    "only entries": ("--trtc", {"index.yaml": "entries: [{id: a}]\n"}, "its index names nothing; wanted products"),
    "products without ids": ("--trtc", {"index.yaml": "products: [a, {name: b}]\n"}, "its index names nothing"),
    "an empty register": ("--trtc", {"products.yaml": "products: []\n"}, "its index names nothing; wanted products"),
    "an empty folder as case base": ("--nim", {}, "found no folders; wanted product folders"),
    "pages that are no cases": (
        "--nim",
        {"IM/README.md": "# a\n", "IM/b.md": "# b\n", "IM/empty.md": ""},
        "read 3 pages, and none is a case (empty 1, no-case 2); wanted cases or entries",
    ),
    "a TRTC base as case base": ("--nim", {"index.yaml": PRODUCT, "slices/a.md": ""}, "found index.yaml, a TRTC"),
}


@pytest.mark.parametrize(("option", "files", "message"), NO_BASE.values(), ids=NO_BASE)
def test_check_and_build_refuse_alike(tmp_path: Path, option: str, files: dict[str, str], message: str) -> None:
    """A folder that is no knowledge base ends ``check`` and ``build`` with exit 1 and the same line."""
    folder = tmp_path / "base"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    build = ["build", "-o", str(tmp_path / "x.db")]
    results = [CliRunner().invoke(main, [*argv, option, str(folder)]) for argv in (["check"], build)]
    assert [result.exit_code for result in results] == [1, 1]
    assert results[0].stderr == results[1].stderr
    assert message in results[0].stderr
    assert results[0].stderr.count("\n") == 1
    assert not (tmp_path / "x.db").exists()


def test_no_folder() -> None:
    """A base that is not given is empty, and has no files."""
    assert (load_trtc(None).slices, load_nim(None).units, source_hashes(None, None)) == ((), (), {})


def test_first_of_an_id(tmp_path: Path) -> None:
    """Of an id that is listed twice the first record is kept, and the second is a finding."""
    (tmp_path / "index.yaml").write_text("products: [{id: live, name: A}, {id: live, name: B}]\n", "utf-8")
    base = load_trtc(tmp_path)
    assert [product.name for product in base.products] == ["A"]
    assert [finding.kind for finding in base.findings] == ["double-id"]


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
    "a slice with a suffix in capitals": lambda s: (_slices(s) / "x.MD").write_text("x"),
}


@pytest.mark.parametrize("change", TREES.values(), ids=TREES)
def test_hashes_are_those_of_the_ledger(tree: Sources, change: Callable[[Sources], object]) -> None:
    """Every file has the hash of the ledger, also one that could not be read."""
    change(tree)
    assert source_hashes(tree.trtc, tree.nim) == _ledger(tree)


SPLIT_TREES: dict[str, dict[str, str | bytes]] = {
    "as it is": {},
    "a binary page": {"slices/live/firework.md": b"\0\1"},
    "a binary document": {"docs/chat/faq.md": b"\0\1"},
    "an unlisted page": {"slices/chat/web/x.md": "x"},
    "a page without an id": {"slices/live/x.md": "x"},
    "a hidden file": {".github/x.yaml": "x"},
    "a suffix in capitals": {"slices/live/x.MD": "x"},
}


@pytest.mark.parametrize("changed", SPLIT_TREES.values(), ids=SPLIT_TREES)
def test_hashes_of_the_later_layout(tmp_path: Path, changed: dict[str, str | bytes]) -> None:
    """The later layout has the hashes of its ledger too, with its documents and tools."""
    folder = write_base(tmp_path, **changed)
    (folder / "knowledge-base/slices/chat/out.md").symlink_to("/etc/hostname")
    ledger = {(file.base, file.path): file.sha256 for file in read_trtc(folder).files}
    assert source_hashes(folder, None) == ledger
    assert ("trtc", "knowledge-base/docs/chat/faq.md") in ledger


def test_both_layouts(tree: Sources) -> None:
    """A register beside an index is reported and not read."""
    assert tree.trtc is not None
    (tree.trtc / "knowledge-base/products.yaml").write_text("- no: register\n")
    assert source_hashes(tree.trtc, tree.nim) == _ledger(tree)
    kinds = [f.kind for f in read_trtc(tree.trtc).findings if f.path == "knowledge-base/products.yaml"]
    assert kinds == ["not-searched"]


def test_one_byte(tree: Sources) -> None:
    """One more byte in a file changes its hash and no other."""
    before = source_hashes(tree.trtc, tree.nim)
    page = _slices(tree) / "gift-combo.md"
    page.write_bytes(page.read_bytes() + b"\n")
    after = source_hashes(tree.trtc, tree.nim)
    assert {key for key in before if before[key] != after[key]} == {("trtc", f"knowledge-base/slices/live/{page.name}")}

"""Findings that need the whole base.

The census sees exactly the files that the ledger of a build lists, with the same hashes.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from split_support import write_base

from indexer.build import Sources, check_sources
from indexer.reading.checks import check_nim, check_trtc, copies, first_of_each, source_hashes
from indexer.reading.decode import MAX_BYTES
from indexer.reading.nim.reader import read_nim
from indexer.reading.trtc.reader import read_trtc
from indexer.records import Finding, NimBase, Product, Relation, Scenario, Severity, Slice, TrtcBase, Unit

A = Slice("live/a", "live", "A", "", "f", False, ("t",), (), (), (), ())
B = replace(A, id="live/b", name="B")
LIVE = Product("live", "Live", "", "")
SCENARIO = Scenario("s", "S", "", "f", False, ("live/a",), "")
BASE = TrtcBase(products=(LIVE,), slices=(A, B), scenarios=(SCENARIO,))

FOUND = {
    "nothing": (BASE, []),
    "a relation that dangles": (
        replace(BASE, relations=(Relation("r", ("live",), ("live/a", "x/y", "x/y"), ""),)),
        ["note dangling relation r names x/y, which the index does not have"],
    ),
    "a relation that leads nowhere": (
        replace(BASE, relations=(Relation("r", ("live",), (), ""),)),
        ["note no-slices relation r names no slice, so it leads to none"],
    ),
    "a scenario that dangles": (
        replace(BASE, scenarios=(replace(SCENARIO, slices=("x/z", "live/b")),)),
        ["note dangling scenario s names x/z, which the index does not have"],
    ),
    "a related id that dangles": (
        replace(BASE, slices=(A, replace(B, related=("live/a", "live/c")))),
        ["note dangling slice live/b (related) names live/c, which the index does not have"],
    ),
    "a product that is not listed": (
        replace(BASE, products=()),
        [f"note unknown-product slice live/{x} is of product live, which is not listed" for x in "ab"],
    ),
    "no tags": (replace(BASE, slices=(A, replace(B, tags=()))), ["note no-tags slice live/b has no tags"]),
    "a slice twice": (
        replace(BASE, slices=(A, B, A, A)),
        ["error double-id slice live/a stands twice; the first counts"],
    ),
    "a scenario twice": (
        replace(BASE, scenarios=(SCENARIO, replace(SCENARIO, name="T"))),
        ["error double-id scenario s stands twice; the first counts"],
    ),
    "a product twice": (
        replace(BASE, products=(LIVE, replace(LIVE, name="L"))),
        ["error double-id product live stands twice; the first counts"],
    ),
}


@pytest.mark.parametrize(("base", "findings"), FOUND.values(), ids=FOUND)
def test_check_trtc(base: TrtcBase, findings: list[str]) -> None:
    """What the index names but lacks, and what stands twice, is told."""
    assert [f"{f.severity} {f.kind} {f.detail}" for f in check_trtc(base)] == findings


def test_where_it_is_listed() -> None:
    """A finding is of the file that lists the record, for a double that of the second."""
    there = replace(A, related=("live/c",), listed_in="chat/web/index.yaml")
    assert [f.path for f in check_trtc(replace(BASE, slices=(B, there)))] == ["chat/web/index.yaml"]
    assert [f.path for f in check_trtc(replace(BASE, slices=(A, B, replace(A, listed_in="x.yaml"))))] == ["x.yaml"]


def test_first_of_each() -> None:
    """The first of each id is kept, in order."""
    twice = {"products": (LIVE, replace(LIVE)), "scenarios": (SCENARIO, replace(SCENARIO))}
    kept = first_of_each(replace(BASE, slices=(B, A, replace(B, name="C")), **twice))
    assert [record.name for record in kept.slices] == ["B", "A"]
    assert (len(kept.products), len(kept.scenarios)) == (1, 1)


def _units(sample: Sources, *changes: dict[str, str]) -> NimBase:
    assert sample.nim is not None
    unit: Unit = read_nim(sample.nim).units[0]
    return NimBase(units=tuple(replace(unit, **change) for change in changes))


COPIES = {
    "equal": ({}, {}, 1),
    "but for case, width and spaces": ({"solution": "打开 API"}, {"solution": "打开   ａｐｉ\n"}, 1),
    "but for the script": ({"solution": "离线"}, {"solution": "離線"}, 1),
    "but for the file": ({"path": "knowledge/a-1.md"}, {"path": "knowledge/a.md"}, 1),
    "another title": ({"display_title": "a"}, {"display_title": "b"}, 2),
    "another cause": ({"root_cause": "a"}, {"root_cause": "b"}, 2),
    "another solution": ({"solution": "a"}, {"solution": "b"}, 2),
    "moved from one field to the next": ({"root_cause": "ab", "solution": ""}, {"root_cause": "", "solution": "ab"}, 2),
}


@pytest.mark.parametrize(("one", "other", "first"), COPIES.values(), ids=COPIES)
def test_copies(sample: Sources, one: dict[str, str], other: dict[str, str], first: int) -> None:
    """The same title, cause and solution make a copy of the first (decision 15), never the name (M47)."""
    variants = {ord("離"): "离", ord("線"): "线"}
    assert copies(_units(sample, one, other), variants) == {1: 1, 2: first}


def test_copies_are_told(sample: Sources) -> None:
    """A copy is a note at its own place that names the first."""
    base = _units(sample, {"path": "knowledge/a.md"}, {"path": "knowledge/b.md"})
    base = replace(base, units=(replace(base.units[0], entry=3), base.units[1]))
    (finding,) = check_nim(base, {1: 1, 2: 1})
    assert (finding.path, finding.severity, finding.kind) == ("knowledge/b.md", Severity.NOTE, "copy")
    assert finding.detail.endswith("as knowledge/a.md#3")


def test_findings_of_the_sample(sample: Sources) -> None:
    """All findings of both bases come sorted, and the sample's have no error."""
    findings = check_sources(sample)
    assert list(findings) == sorted(findings)
    assert {f.kind for f in findings} >= {"dangling", "unlisted", "copy", "yaml-refused", "nested-entry"}
    assert not [f for f in findings if f.severity == Severity.ERROR]


#: cases.md T2, T3.
DANGLING = {"chat/group-avchatroom", "chat/group-msg", "chat/signaling", "live/coguest-invite"}
UNLISTED = {"ai-tools.md", "official-roomkit-login-ui.md", "webinar-interaction.md"}


def test_findings_of_the_real_base(real: Sources) -> None:
    """The four dangling ids and the three unlisted pages of the real base, and no error."""

    def of_kind(kind: str) -> list[Finding]:
        return [f for f in check_sources(Sources(real.trtc, None)) if f.kind == kind]

    assert {f.detail.split(" names ")[1].partition(",")[0] for f in of_kind("dangling")} == DANGLING
    assert {f.path.rpartition("/")[2] for f in of_kind("unlisted")} == UNLISTED
    assert {f.kind for f in check_sources(Sources(real.trtc, None))} == {"dangling", "unlisted"}


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
    assert source_hashes(tree.trtc, tree.nim) == _ledger(tree)


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
    assert source_hashes(folder, None) == ledger
    assert ("trtc", "knowledge-base/docs/chat/faq.md") in ledger


def test_both_layouts(tree: Sources) -> None:
    """A register beside an index is seen, told, and not read."""
    assert tree.trtc is not None
    (tree.trtc / "knowledge-base/products.yaml").write_text("- no: register\n")
    assert source_hashes(tree.trtc, tree.nim) == _ledger(tree)
    told = [f.kind for f in read_trtc(tree.trtc).findings if f.path == "knowledge-base/products.yaml"]
    assert told == ["not-searched"]


def test_one_byte(tree: Sources) -> None:
    """One byte more anywhere is another census."""
    before = source_hashes(tree.trtc, tree.nim)
    page = _slices(tree) / "gift-combo.md"
    page.write_bytes(page.read_bytes() + b"\n")
    after = source_hashes(tree.trtc, tree.nim)
    assert {key for key in before if before[key] != after[key]} == {("trtc", f"knowledge-base/slices/live/{page.name}")}


def test_no_bases() -> None:
    """Nothing given, nothing seen."""
    assert source_hashes(None, None) == {}

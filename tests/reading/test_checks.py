"""Findings that need a whole base."""

from dataclasses import replace

import pytest

from indexer.build import Sources, check_sources
from indexer.reading.checks import check_nim, check_trtc, copies, first_of_each
from indexer.reading.nim.reader import read_nim
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
        ["note dangling relation r names x/y, which is not in the index"],
    ),
    "a relation without slices": (
        replace(BASE, relations=(Relation("r", ("live",), (), ""),)),
        ["note no-slices relation r names no slice, so no answer uses it"],
    ),
    "a scenario that dangles": (
        replace(BASE, scenarios=(replace(SCENARIO, slices=("x/z", "live/b")),)),
        ["note dangling scenario s names x/z, which is not in the index"],
    ),
    "a related id that dangles": (
        replace(BASE, slices=(A, replace(B, related=("live/a", "live/c")))),
        ["note dangling slice live/b (related) names live/c, which is not in the index"],
    ),
    "a product that is not listed": (
        replace(BASE, products=()),
        [f"note unknown-product slice live/{x} belongs to product live, which is not listed" for x in "ab"],
    ),
    "no tags": (replace(BASE, slices=(A, replace(B, tags=()))), ["note no-tags slice live/b has no tags"]),
    "a slice twice": (
        replace(BASE, slices=(A, B, A, A)),
        ["error double-id slice live/a is listed twice; the first one is used"],
    ),
    "a scenario twice": (
        replace(BASE, scenarios=(SCENARIO, replace(SCENARIO, name="T"))),
        ["error double-id scenario s is listed twice; the first one is used"],
    ),
    "a product twice": (
        replace(BASE, products=(LIVE, replace(LIVE, name="L"))),
        ["error double-id product live is listed twice; the first one is used"],
    ),
}


@pytest.mark.parametrize(("base", "findings"), FOUND.values(), ids=FOUND)
def test_check_trtc(base: TrtcBase, findings: list[str]) -> None:
    """Ids that are missing or listed twice are reported, and so are records that no search can find."""
    assert [f"{f.severity} {f.kind} {f.detail}" for f in check_trtc(base)] == findings


def test_file_of_a_finding() -> None:
    """A finding names the file that lists the record; for an id listed twice that of the second record."""
    elsewhere = replace(A, related=("live/c",), listed_in="chat/web/index.yaml")
    assert [f.path for f in check_trtc(replace(BASE, slices=(B, elsewhere)))] == ["chat/web/index.yaml"]
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
    """Units with the same title, cause and solution are copies of the first; the file name does not matter."""
    variants = {ord("離"): "离", ord("線"): "线"}
    assert copies(_units(sample, one, other), variants) == {1: 1, 2: first}


def test_finding_of_a_copy(sample: Sources) -> None:
    """A copy is a note at its own line that names the first unit."""
    base = _units(sample, {"path": "knowledge/a.md"}, {"path": "knowledge/b.md"})
    base = replace(base, units=(replace(base.units[0], entry=3), base.units[1]))
    (finding,) = check_nim(base, {1: 1, 2: 1})
    assert (finding.path, finding.severity, finding.kind) == ("knowledge/b.md", Severity.NOTE, "copy")
    assert finding.detail.endswith("as knowledge/a.md#3")


def test_findings_of_the_sample(sample: Sources) -> None:
    """The findings of both bases are sorted, and those of the sample have no error."""
    findings = check_sources(sample)
    assert list(findings) == sorted(findings)
    assert {f.kind for f in findings} >= {"dangling", "unlisted", "copy", "yaml-refused", "nested-entry"}
    assert not [f for f in findings if f.severity == Severity.ERROR]


DANGLING = {"chat/group-avchatroom", "chat/group-msg", "chat/signaling", "live/coguest-invite"}
UNLISTED = {"ai-tools.md", "official-roomkit-login-ui.md", "webinar-interaction.md"}


def test_findings_of_the_real_base(real: Sources) -> None:
    """The four dangling ids and the three unlisted pages of the real base, and no error."""

    def of_kind(kind: str) -> list[Finding]:
        return [f for f in check_sources(Sources(real.trtc, None)) if f.kind == kind]

    assert {f.detail.split(" names ")[1].partition(",")[0] for f in of_kind("dangling")} == DANGLING
    assert {f.path.rpartition("/")[2] for f in of_kind("unlisted")} == UNLISTED
    assert {f.kind for f in check_sources(Sources(real.trtc, None))} == {"dangling", "unlisted"}

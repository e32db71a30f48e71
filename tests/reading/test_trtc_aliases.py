"""Synonyms of a base in the later layout."""

from pathlib import Path

import pytest
from query_support import found
from split_support import write_base

from indexer.build import Sources, build
from indexer.reading.trtc.reader import read_trtc
from indexer.records import Alias, Severity, Status, TrtcBase

TEXT = """
common:
  - canonical: 贴纸
    variants:
      - {value: 呱呱脸, strength: Strong}
      - {value: 颜文字, strength: weak}
      - 大表情
products:
  live:
    - {canonical: live, variants: [{value: 看播, strength: strong}]}
cross_product:
  - {canonical: 直播弹幕, products: [live, chat], variants: [{value: x}]}
"""
NAME = "tooling/aliases.yaml"


def _read(folder: Path, text: str | bytes) -> TrtcBase:
    return read_trtc(write_base(folder, **{NAME: text}))


def _told(base: TrtcBase) -> list[tuple[str, str]]:
    return [(f.kind, f.detail) for f in base.findings if f.path.endswith(NAME)]


def test_groups(tmp_path: Path) -> None:
    """A strong variant names its term, a weak one or one without a strength suggests it; relations' are told."""
    base = _read(tmp_path, TEXT)
    assert base.aliases == (
        Alias("贴纸", "", (("name", "呱呱脸"), ("evokes", "颜文字"), ("evokes", "大表情"))),
        Alias("live", "live", (("name", "看播"),)),
    )
    assert _told(base) == [("no-counterpart", "cross_product of the aliases: not kept")]


def test_none(tmp_path: Path) -> None:
    """A base without the file has no synonyms, and that is no finding."""
    assert read_trtc(write_base(tmp_path)).aliases == ()


SHAPES = {
    "no groups": ("common:\n", 0, []),
    "a group without variants": (
        "common: [{canonical: a}]\n",
        0,
        ["common: a: wanted canonical and a list of variants"],
    ),
    "a group that is text": (
        "products: {live: [a]}\n",
        0,
        ["live: a group: wanted canonical and a list of variants"],
    ),
    "products that are a list": ("products: [a]\n", 0, ["products is no mapping"]),
    "groups that are a mapping": (
        "common: {a: b}\n",
        0,
        ["common: a group: wanted canonical and a list of variants"],
    ),
    "one of two": (
        "common: [{canonical: a, variants: [{value: ''}]}, {canonical: b, variants: [c]}]\n",
        1,
        ["common: a: wanted canonical and a list of variants"],
    ),
}


@pytest.mark.parametrize(("text", "groups", "details"), SHAPES.values(), ids=SHAPES)
def test_shape(tmp_path: Path, text: str, groups: int, details: list[str]) -> None:
    """What is no group is told and left out."""
    base = _read(tmp_path, text)
    assert len(base.aliases) == groups
    assert _told(base) == [("alias-shape", detail) for detail in details]


BROKEN = {
    "an alias bomb (C15)": "a: &a [x, x]\n" + "b: &b [*a]\n" + "common: &c [*c]\n",
    "a list": "- a\n",
    "no YAML": "common: [\n",
    "binary": b"\0\1",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_broken(tmp_path: Path, text: str | bytes) -> None:
    """A file that is no mapping of groups is rejected and told; nothing else depends on it."""
    base = _read(tmp_path, text)
    assert (base.aliases, len(base.slices)) == ((), 4)
    (finding,) = (f for f in base.findings if f.severity == Severity.ERROR)
    assert (finding.kind, finding.path) == ("unreadable", f"knowledge-base/{NAME}")
    assert [f.status for f in base.files if f.path.endswith(NAME)] == [Status.REJECTED]


def test_answers(tmp_path: Path) -> None:
    """A question in a synonym finds what its term finds."""
    build(Sources(write_base(tmp_path), None), tmp_path / "without.db")
    build(Sources(write_base(tmp_path, **{NAME: TEXT}), None), tmp_path / "with.db")
    assert found(tmp_path / "with.db", "呱呱脸怎么发") == [("chat/sticker", "tag")]
    assert found(tmp_path / "without.db", "呱呱脸怎么发") == []

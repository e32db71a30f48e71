"""The later public layout: its records, its synonyms and its findings."""

from collections.abc import Callable
from pathlib import Path

import pytest
from query_support import found
from split_support import FILES, REGISTER, WEB, write_base

from indexer.build import Sources, build, check_sources
from indexer.errors import SourceRefused
from indexer.reading.sources import source_path
from indexer.reading.trtc.reader import read_trtc
from indexer.reading.trtc.split import ALIASES
from indexer.records import Alias, Product, Severity, Status, TrtcBase


def _findings(base: TrtcBase) -> list[str]:
    return [f"{f.severity} {f.kind} {f.path.removeprefix('knowledge-base/')}:{f.line}" for f in base.findings]


#: The findings of the sample.
USUAL = [
    "note no-counterpart chat/web/index.yaml:0",
    "note not-searched docs/chat/faq.md:0",
    "note not-searched guide.md:0",
    "note no-counterpart products.yaml:0",
    "note no-counterpart products.yaml:0",
    "note no-index products.yaml:0",
    "repaired yaml-refused slices/chat/web/sticker.md:4",
    "note not-searched tooling/signals.yaml:0",
]


def test_records(tmp_path: Path) -> None:
    """Products, relations, slices and scenarios have the order of the register; all other files are findings."""
    base = read_trtc(write_base(tmp_path))
    assert base.products[0] == Product("live", "Live", "d", "u", "knowledge-base/products.yaml")
    assert [product.id for product in base.products] == ["live", "chat", "call"]
    assert [(r.id, r.products, r.slices) for r in base.relations] == [("live-chat", ("live", "chat"), ())]
    assert [record.id for record in base.slices] == ["live/firework", "chat/sticker", "chat/poll", "chat/login"]
    assert [(s.id, s.name, s.description) for s in base.scenarios] == [("garden-party", "游园会", "园游会、party")]
    assert _findings(base) == USUAL


def test_ledger(tmp_path: Path) -> None:
    """Every Markdown and YAML file is in the ledger once, and is read, repaired or rejected."""
    base = read_trtc(write_base(tmp_path, **{"slices/live/b.md": b"\0\1", "docs/b.md": b"\0\1"}))
    assert [file.path for file in base.files] == sorted(
        f"knowledge-base/{name}" for name in (*FILES, "slices/live/b.md", "docs/b.md")
    )
    units = {file.path.removeprefix("knowledge-base/"): (file.status, file.units) for file in base.files}
    assert units["slices/live/b.md"] == (Status.REJECTED, 0)
    assert units["slices/chat/web/sticker.md"] == (Status.REPAIRED, 1)
    assert (units["docs/chat/faq.md"], units["chat/ios/index.yaml"]) == ((Status.READ, 0), (Status.READ, 2))


def test_unlisted(tmp_path: Path) -> None:
    """A page that neither an index nor its own front matter lists is reported, and no record has its text."""
    lost = {
        "slices/chat/web/lost.md": "---\nid: chat/lost\n---\n秘",
        "slices/live/lost.md": "秘",
        "scenarios/lost.md": "秘",
    }
    lost |= {
        "slices/live/alien.md": "---\nid: chat/alien\n---\n秘",
        "slices/live/ios/deep/x.md": "---\nid: live/x\n---\n秘",
    }
    base = read_trtc(write_base(tmp_path, **lost))
    found = [f for f in base.findings if f.kind == "unlisted"]
    assert {f.path.removeprefix("knowledge-base/") for f in found} == set(lost)
    assert "秘" not in repr(base.slices) + repr(base.scenarios)
    assert all(file.units == 0 for file in base.files if file.path.endswith(("lost.md", "alien.md", "deep/x.md")))


#: A path that an index names -> the kind of the finding.
PATHS = {
    "a path upwards": ("../../x.md", "path-refused"),
    "a link that leaves": ("slices/chat/web/out.md", "path-refused"),
    "a missing page": ("slices/chat/web/gone.md", "missing-file"),
    "the page of another": ("slices/chat/web/login.md", "double-file"),
}


@pytest.mark.parametrize(("file", "kind"), PATHS.values(), ids=PATHS)
def test_refused_path(tmp_path: Path, file: str, kind: str) -> None:
    """A file that must not or cannot be opened is an error at its entry's line; the slice is built without it."""
    index = WEB + f"  - id: chat/bad\n    name: B\n    tags: [b]\n    file: {file}\n"
    folder = write_base(tmp_path, **{"chat/web/index.yaml": index})
    (folder / "knowledge-base/slices/chat/web/out.md").symlink_to("/etc/hostname")
    base = read_trtc(folder)
    (finding,) = (f for f in base.findings if f.severity == Severity.ERROR)
    assert (finding.kind, finding.path) == (kind, "knowledge-base/chat/web/index.yaml")
    assert index.split("\n")[finding.line - 1] == "  - id: chat/bad"
    assert [record.pages for record in base.slices if record.id == "chat/bad"] == [()]
    assert build(Sources(folder, None), tmp_path / "x.db").counts["trtc.slices"] == 5


REFUSED = {
    "a list": ("- a\n", r"found a list; wanted a mapping with {key}"),
    "nothing": ("", r"found nothing; wanted a mapping with {key}"),
    "no YAML": ("{key}: [\n", r"wanted a YAML index"),
    "binary": ("\0\1", r"NUL bytes: not a text file; wanted a YAML index"),
}


@pytest.mark.parametrize("name", ["products.yaml", "chat/ios/index.yaml"])
@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_refuses_an_index(tmp_path: Path, name: str, text: str, message: str) -> None:
    """A register or an index that cannot be read stops the build with one line that names it."""
    key = "products" if name == "products.yaml" else "slices"
    folder = write_base(tmp_path, **{name: text.replace("{key}", key)})
    with pytest.raises(SourceRefused, match=message.replace("{key}", key)) as caught:
        read_trtc(folder)
    assert str(caught.value).startswith(f"{folder / 'knowledge-base' / name}:")


SHAPES = {
    "no products": ("cross_product_scenarios: []\n", 0, []),
    "products that are a mapping": ("products: {a: b}\n", 0, ["error index-shape products.yaml:0"]),
    "a product without an id": ("products: [{name: x}, {id: chat}]\n", 1, ["error index-shape products.yaml:0"]),
    "a product with an id alone": ("products: [{id: chat}]\n", 1, []),
    "relations that are text": ("products: []\ncross_product_scenarios: x\n", 0, ["error index-shape products.yaml:0"]),
    "a key of its own": ("products: []\nversion: 5\n", 0, ["note no-counterpart products.yaml:0"]),
}


@pytest.mark.parametrize(("register", "products", "findings"), SHAPES.values(), ids=SHAPES)
def test_shape_of_the_register(tmp_path: Path, register: str, products: int, findings: list[str]) -> None:
    """A part of the register that is missing or has another shape is a finding; all slices are read."""
    base = read_trtc(write_base(tmp_path, **{"products.yaml": register}))
    assert (len(base.products), len(base.slices)) == (products, 4)
    assert [line for line in _findings(base) if "products.yaml" in line and "no-index" not in line] == findings


DOUBLES = {
    "in one index": (
        {"chat/web/index.yaml": WEB + WEB.partition("slices:\n")[2]},
        "chat/web/index.yaml",
        "slice chat/login",
    ),
    "two pages of one id": (
        {"slices/live/b.md": FILES["slices/live/firework.md"]},
        "slices/live/firework.md",
        "slice live/firework",
    ),
    "two scenarios of one id": (
        {"scenarios/z.md": FILES["scenarios/live/party.md"]},
        "scenarios/z.md",
        "scenario garden-party",
    ),
    "a product": (
        {"products.yaml": REGISTER.replace("products:\n", "products:\n  - {id: live, name: L}\n", 1)},
        "products.yaml",
        "product live",
    ),
}


@pytest.mark.parametrize(("changed", "path", "what"), DOUBLES.values(), ids=DOUBLES)
def test_listed_twice(tmp_path: Path, changed: dict[str, str], path: str, what: str) -> None:
    """An id that one platform lists twice is an error at the second; the base is built with the first."""
    sources = Sources(write_base(tmp_path, **changed), None)
    doubles = [(f.path, f.detail) for f in check_sources(sources) if f.kind == "double-id"]
    assert (f"knowledge-base/{path}", f"{what} is listed twice; the first one is used") in doubles
    assert build(sources, tmp_path / "x.db").counts["trtc.slices"] == 4


def test_check(tmp_path: Path) -> None:
    """Missing ids and relations without slices are findings about the file that lists them."""
    sources = Sources(write_base(tmp_path), None)
    found = {f.detail: f for f in check_sources(sources)}
    dangling = found["scenario garden-party names live/gone, which is not in the index"]
    assert dangling.path == "knowledge-base/scenarios/live/party.md"
    assert Path(source_path(dangling, sources.trtc, sources.nim)).is_file()
    assert found["relation live-chat names no slice, so no answer uses it"].path == "knowledge-base/products.yaml"
    assert not [f for f in found.values() if f.severity == Severity.ERROR]


ALIASES_TEXT = """
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


def _with_aliases(folder: Path, text: str | bytes) -> TrtcBase:
    return read_trtc(write_base(folder, **{ALIASES: text}))


def _alias_findings(base: TrtcBase) -> list[tuple[str, str]]:
    return [(f.kind, f.detail) for f in base.findings if f.path.endswith(ALIASES)]


def test_aliases(tmp_path: Path) -> None:
    """A strong variant names its term; a weak one, or one without a strength, evokes it."""
    base = _with_aliases(tmp_path, ALIASES_TEXT)
    assert base.aliases == (
        Alias("贴纸", "", (("name", "呱呱脸"), ("evokes", "颜文字"), ("evokes", "大表情"))),
        Alias("live", "live", (("name", "看播"),)),
    )
    assert _alias_findings(base) == [("no-counterpart", "cross_product of the aliases: not used")]


def test_no_aliases(tmp_path: Path) -> None:
    """A base without the file has no synonyms, and no finding about it."""
    base = read_trtc(write_base(tmp_path))
    assert (base.aliases, _alias_findings(base)) == ((), [])


ALIAS_SHAPES = {
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
    "products that are a list": ("products: [a]\n", 0, ["products is not a mapping"]),
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


@pytest.mark.parametrize(("text", "groups", "details"), ALIAS_SHAPES.values(), ids=ALIAS_SHAPES)
def test_shape_of_aliases(tmp_path: Path, text: str, groups: int, details: list[str]) -> None:
    """A group of another shape is a finding and is left out."""
    base = _with_aliases(tmp_path, text)
    assert len(base.aliases) == groups
    assert _alias_findings(base) == [("alias-shape", detail) for detail in details]


BROKEN_ALIASES = {
    "an alias of itself": "common: &c [*c]\n",
    "a list": "- a\n",
    "no YAML": "common: [\n",
    "binary": b"\0\1",
}


@pytest.mark.parametrize("text", BROKEN_ALIASES.values(), ids=BROKEN_ALIASES)
def test_broken_aliases(tmp_path: Path, text: str | bytes) -> None:
    """A file that is no mapping of groups is rejected with a finding; the rest of the base is read."""
    base = _with_aliases(tmp_path, text)
    assert (base.aliases, len(base.slices)) == ((), 4)
    (finding,) = (f for f in base.findings if f.severity == Severity.ERROR)
    assert (finding.kind, finding.path) == ("unreadable", f"knowledge-base/{ALIASES}")
    assert [f.status for f in base.files if f.path.endswith(ALIASES)] == [Status.REJECTED]


def test_a_synonym_finds_what_its_term_finds(tmp_path: Path) -> None:
    """A query with a synonym finds the slice of its term."""
    build(Sources(write_base(tmp_path), None), tmp_path / "without.db")
    build(Sources(write_base(tmp_path, **{ALIASES: ALIASES_TEXT}), None), tmp_path / "with.db")
    assert found(tmp_path / "with.db", "呱呱脸怎么发") == [("chat/sticker", "tag")]
    assert found(tmp_path / "without.db", "呱呱脸怎么发") == []


CAPITALS = {
    "an overview": ("slices/live/firework.md", "slices/live/firework.MD", "live/firework"),
    "a page of a platform": ("slices/live/ios/firework.md", "slices/live/ios/firework.MD", "live/firework"),
    "a page that an index lists": ("slices/chat/web/login.md", "slices/chat/web/login.MD", "chat/login"),
}


@pytest.mark.parametrize(("old", "new", "slice_id"), CAPITALS.values(), ids=CAPITALS)
def test_suffix_in_capitals(tmp_path: Path, old: str, new: str, slice_id: str) -> None:
    """A page whose suffix is .MD is a page of its slice, like any other."""
    before = {s.id: s for s in read_trtc(write_base(tmp_path / "a")).slices}[slice_id]
    index = {"chat/web/index.yaml": WEB.replace("chat/web/login.md", "chat/web/login.MD")} if "chat" in new else {}
    folder = write_base(tmp_path / "b", **index)
    (folder / "knowledge-base" / old).rename(folder / "knowledge-base" / new)
    base = read_trtc(folder)
    after = {s.id: s for s in base.slices}[slice_id]
    assert [page.path.lower() for page in after.pages] == [page.path.lower() for page in before.pages]
    assert [page.text for page in after.pages] == [page.text for page in before.pages]
    assert f"knowledge-base/{new}" in {page.path for page in after.pages}
    assert not [f for f in base.findings if f.kind in {"unlisted", "missing-file"}]


def test_scenario_with_a_suffix_in_capitals(tmp_path: Path) -> None:
    """A scenario page whose suffix is .MD is listed by its front matter."""
    folder = write_base(tmp_path)
    page = folder / "knowledge-base/scenarios/live/party.md"
    page.rename(page.with_suffix(".MD"))
    assert [scenario.id for scenario in read_trtc(folder).scenarios] == ["garden-party"]


def test_equal_bytes(tmp_path: Path, sha256: Callable[[Path], str]) -> None:
    """Equal sources give equal bytes, also upon an older file or from the inner folder."""
    folder = write_base(tmp_path)
    first, again, changed = (tmp_path / f"{name}.db" for name in ("first", "again", "changed"))
    build(Sources(folder, None), first)
    build(Sources(folder / "knowledge-base", None), again)
    assert sha256(first) == sha256(again)
    assert build(Sources(folder, None), again).unchanged
    guide = folder / "knowledge-base/slices/live/firework.md"
    guide.write_text(guide.read_text("utf-8") + "改了。\n", "utf-8")
    assert not build(Sources(folder, None), again).unchanged
    build(Sources(folder, None), changed)
    assert sha256(again) == sha256(changed) != sha256(first)


@pytest.fixture(scope="module")
def split(real_split: Path) -> TrtcBase:
    """The real base in this layout, read."""
    return read_trtc(real_split)


def _of(base: TrtcBase, product: str) -> list[str]:
    return [record.id for record in base.slices if record.product == product]


HOLDS: dict[str, Callable[[TrtcBase], object]] = {
    "48 slices: 14 of chat, 15 of live, 19 of conference": lambda base: (
        [len(_of(base, p)) for p in ("chat", "call", "rtc-engine", "live", "conference")] == [14, 0, 0, 15, 19]
    ),
    "each with a page, a name, a description and a tag": lambda base: all(
        s.pages and s.name and s.description and s.tags for s in base.slices
    ),
    "the products that are registered": lambda base: len(base.products) == 5,
    "five scenarios, each with its slices": lambda base: (
        len(base.scenarios) == 5 == sum(bool(s.slices) for s in base.scenarios)
    ),
    "live for ios alone, with overviews": lambda base: (
        {(s.platforms, tuple(p.platform for p in s.pages)) for s in base.slices if s.product == "live"}
        == {(("ios",), ("", "ios"))}
    ),
    "every Markdown and YAML file is seen": lambda base: len(base.files) == 96,
    "no file is rejected": lambda base: {f.status for f in base.files} <= {Status.READ, Status.REPAIRED},
    "two pages are repaired": lambda base: (
        [f.path.removeprefix("knowledge-base/slices/") for f in base.files if f.status == Status.REPAIRED]
        == ["chat/web/at-mention.md", "conference/web/login-auth.md"]
    ),
    "one has two front matters, and so seven keys twice": lambda base: (
        [f.path.rpartition("/")[2] for f in base.findings if f.kind == "duplicate-key"] == ["login-auth.md"] * 7
    ),
    "no page is unlisted, no finding an error": lambda base: (
        not [f for f in base.findings if f.kind == "unlisted" or f.severity == Severity.ERROR]
    ),
}


@pytest.mark.parametrize("holds", HOLDS.values(), ids=HOLDS)
def test_real_base(split: TrtcBase, holds: Callable[[TrtcBase], object]) -> None:
    """The real base has these known properties."""
    assert holds(split)


def test_ids_are_those_of_the_other_layout(split: TrtcBase, real: Sources) -> None:
    """A slice in both layouts has the same platforms and pages; keywords add tags."""
    assert real.trtc is not None
    old = {s.id: s for s in read_trtc(real.trtc).slices if not s.planned}
    new = {s.id: s for s in split.slices}
    assert set(old) <= set(new)
    for slice_id, record in old.items():
        assert new[slice_id].platforms == record.platforms
        assert new[slice_id].file == record.file
        assert [page.path for page in new[slice_id].pages] == [page.path for page in record.pages]
        assert set(record.tags) <= set(new[slice_id].tags)

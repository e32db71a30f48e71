"""The later public layout: what of it becomes which record, what is told, and what becomes of a base that lies."""

from collections.abc import Callable
from pathlib import Path

import pytest
from split_support import FILES, REGISTER, WEB, write_base

from indexer.build import Sources, build, check_sources, source_path
from indexer.errors import SourceRefused
from indexer.reading.trtc.reader import read_trtc
from indexer.records import Product, Severity, Status, TrtcBase


def _told(base: TrtcBase) -> list[str]:
    return [f"{f.severity} {f.kind} {f.path.removeprefix('knowledge-base/')}:{f.line}" for f in base.findings]


#: What of the sample has no counterpart, or is not as it should be.
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
    """Products, relations, slices and scenarios come in the order of the register; everything else is told."""
    base = read_trtc(write_base(tmp_path))
    assert base.products[0] == Product("live", "Live", "d", "u", "knowledge-base/products.yaml")
    assert [product.id for product in base.products] == ["live", "chat", "call"]
    assert [(r.id, r.products, r.slices) for r in base.relations] == [("live-chat", ("live", "chat"), ())]
    assert [record.id for record in base.slices] == ["live/firework", "chat/sticker", "chat/poll", "chat/login"]
    assert [(s.id, s.name, s.description) for s in base.scenarios] == [("garden-party", "游园会", "园游会、party")]
    assert _told(base) == USUAL


def test_ledger(tmp_path: Path) -> None:
    """Every Markdown and YAML file is seen, each once, and is read, repaired or rejected."""
    base = read_trtc(write_base(tmp_path, **{"slices/live/b.md": b"\0\1", "docs/b.md": b"\0\1"}))
    assert [file.path for file in base.files] == sorted(
        f"knowledge-base/{name}" for name in (*FILES, "slices/live/b.md", "docs/b.md")
    )
    units = {file.path.removeprefix("knowledge-base/"): (file.status, file.units) for file in base.files}
    assert units["slices/live/b.md"] == (Status.REJECTED, 0)
    assert units["slices/chat/web/sticker.md"] == (Status.REPAIRED, 1)
    assert (units["docs/chat/faq.md"], units["chat/ios/index.yaml"]) == ((Status.READ, 0), (Status.READ, 2))


def test_unlisted(tmp_path: Path) -> None:
    """A page that neither an index nor its own front matter lists is told, and nothing of it is read (15)."""
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


#: What an index may claim (G16): -> finding kind.
CLAIMS = {
    "a path upwards": ("../../x.md", "path-refused"),
    "an absolute path": ("/etc/passwd", "path-refused"),
    "a URL": ("https://example.com/a.md", "path-refused"),
    "a link that leaves": ("slices/chat/web/out.md", "path-refused"),
    "a NUL": (r'"a\0b.md"', "path-refused"),
    "too long a name": ("x" * 300 + ".md", "path-refused"),
    "nothing": ('""', "path-refused"),
    "a missing page": ("slices/chat/web/gone.md", "missing-file"),
    "a folder": ("slices/chat", "missing-file"),
    "a pattern": ('"slices/chat/web/*.md"', "missing-file"),
    "the page of another": ("slices/chat/web/login.md", "double-file"),
}


@pytest.mark.parametrize(("file", "kind"), CLAIMS.values(), ids=CLAIMS)
def test_claim(tmp_path: Path, file: str, kind: str) -> None:
    """A file that must not or cannot be opened is an error at its entry's line; the build goes on without it."""
    index = WEB + f"  - id: chat/bad\n    name: B\n    tags: [b]\n    file: {file}\n"
    folder = write_base(tmp_path, **{"chat/web/index.yaml": index})
    (folder / "knowledge-base/slices/chat/web/out.md").symlink_to("/etc/hostname")
    base = read_trtc(folder)
    (finding,) = (f for f in base.findings if f.severity == Severity.ERROR)
    assert (finding.kind, finding.path) == (kind, "knowledge-base/chat/web/index.yaml")
    assert index.split("\n")[finding.line - 1] == "  - id: chat/bad"
    assert [record.pages for record in base.slices if record.id == "chat/bad"] == [()]
    assert build(Sources(folder, None), tmp_path / "x.db").counts["trtc.slices"] == 5


BOMB = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)
)
REFUSED = {
    "an alias bomb (C15)": (BOMB + "{key}: [*h]\n", r"YAML aliases that expand to \d+ values, more than 100000"),
    "a list": ("- a\n", r"found a list; wanted a mapping with {key}"),
    "nothing": ("", r"found nothing; wanted a mapping with {key}"),
    "no YAML": ("{key}: [\n", r"wanted a YAML index"),
    "binary": ("\0\1", r"NUL bytes: not a text file; wanted a YAML index"),
}


@pytest.mark.parametrize("name", ["products.yaml", "chat/ios/index.yaml"])
@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_refuses_an_index(tmp_path: Path, name: str, text: str, message: str) -> None:
    """A register or an index that cannot be trusted or read stops the build, in one line that names it."""
    key = "products" if name == "products.yaml" else "slices"
    folder = write_base(tmp_path, **{name: text.replace("{key}", key)})
    with pytest.raises(SourceRefused, match=message.replace("{key}", key)) as caught:
        read_trtc(folder)
    assert str(caught.value).startswith(f"{folder / 'knowledge-base' / name}: ")


SHAPES = {
    "no products": ("cross_product_scenarios: []\n", 0, []),
    "products that are a mapping": ("products: {a: b}\n", 0, ["error index-shape products.yaml:0"]),
    "a product without an id": ("products: [{name: x}, {id: chat}]\n", 1, ["error index-shape products.yaml:0"]),
    "a product with an id alone": ("products: [{id: chat}]\n", 1, []),
    "relations that are text": ("products: []\ncross_product_scenarios: x\n", 0, ["error index-shape products.yaml:0"]),
    "a key of its own": ("products: []\nversion: 5\n", 0, ["note no-counterpart products.yaml:0"]),
}


@pytest.mark.parametrize(("register", "products", "told"), SHAPES.values(), ids=SHAPES)
def test_shape_of_the_register(tmp_path: Path, register: str, products: int, told: list[str]) -> None:
    """What the register lacks or has in another shape is told, and all slices are read still."""
    base = read_trtc(write_base(tmp_path, **{"products.yaml": register}))
    assert (len(base.products), len(base.slices)) == (products, 4)
    assert [line for line in _told(base) if "products.yaml" in line and "no-index" not in line] == told


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
def test_twice(tmp_path: Path, changed: dict[str, str], path: str, what: str) -> None:
    """An id that stands twice in one place is an error that names the second; the base is built with the first."""
    sources = Sources(write_base(tmp_path, **changed), None)
    doubles = [(f.path, f.detail) for f in check_sources(sources) if f.kind == "double-id"]
    assert (f"knowledge-base/{path}", f"{what} stands twice; the first counts") in doubles
    assert build(sources, tmp_path / "x.db").counts["trtc.slices"] == 4


def test_check(tmp_path: Path) -> None:
    """Dangling ids and relations that lead nowhere are told at the file that lists them, and where that lies."""
    sources = Sources(write_base(tmp_path), None)
    found = {f.detail: f for f in check_sources(sources)}
    dangling = found["scenario garden-party names live/gone, which the index does not have"]
    assert dangling.path == "knowledge-base/scenarios/live/party.md"
    assert Path(source_path(sources, dangling)).is_file()
    assert found["relation live-chat names no slice, so it leads to none"].path == "knowledge-base/products.yaml"
    assert not [f for f in found.values() if f.severity == Severity.ERROR]


def test_equal_bytes(tmp_path: Path, sha256: Callable[[Path], str]) -> None:
    """Built again, beside an older file or from the inner folder, equal sources give equal bytes."""
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
    "one page is repaired": lambda base: (
        [f.path for f in base.files if f.status == Status.REPAIRED] == ["knowledge-base/slices/chat/web/at-mention.md"]
    ),
    "no page is unlisted, no finding an error": lambda base: (
        not [f for f in base.findings if f.kind == "unlisted" or f.severity == Severity.ERROR]
    ),
}


@pytest.mark.parametrize("holds", HOLDS.values(), ids=HOLDS)
def test_real_base(split: TrtcBase, holds: Callable[[TrtcBase], object]) -> None:
    """The real base reads as it lies there."""
    assert holds(split)


def test_ids_are_those_of_the_other_layout(split: TrtcBase, real: Sources) -> None:
    """What both layouts have is the same slice of the same platform with the same page; keywords add tags."""
    assert real.trtc is not None
    old = {s.id: s for s in read_trtc(real.trtc).slices if not s.planned}
    new = {s.id: s for s in split.slices}
    assert set(old) <= set(new)
    for slice_id, record in old.items():
        assert new[slice_id].platforms == record.platforms
        assert new[slice_id].file == record.file
        assert [page.path for page in new[slice_id].pages] == [page.path for page in record.pages]
        assert set(record.tags) <= set(new[slice_id].tags)

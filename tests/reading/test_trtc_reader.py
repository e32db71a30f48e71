"""The TRTC reader: the records of index.yaml and its pages, and paths and shapes that it refuses."""

from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.build import Sources, build, check_sources
from indexer.errors import SourceRefused
from indexer.reading.trtc.reader import read_trtc
from indexer.records import Severity, Status, TrtcBase

INDEX = """
products:
  - {id: live, name: Live, description: d, llms_file: llms/live.txt}
slices:
  - {id: live/a, name: A, tags: [x, Y], platforms: [ios], file: slices/live/a.md, description: d, status: active}
"""
PAGE = """---
id: live/a
tags: [x, z]
related: [live/b, live/c]
---
# A
`joinRoom`

## 错误码
| 码 |
|--|
| -1 |
"""


def _base(folder: Path, index: str | bytes = INDEX, **files: str | bytes) -> Path:
    for name, content in {"slices/live/a.md": PAGE, **files, "index.yaml": index}.items():
        path = folder / "base" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / "base"


def _entry(file: str, slice_id: str = "live/b") -> str:
    return f"  - {{id: {slice_id}, name: B, tags: [x], platforms: [ios], file: {file}, description: d}}\n"


def _found(base: TrtcBase) -> list[str]:
    return [f"{f.severity} {f.kind} {f.path.rpartition('/')[2]}:{f.line}" for f in base.findings]


def test_a_slice(tmp_path: Path) -> None:
    """A slice has the fields of its entry, and page tags and related ids of its page's front matter."""
    base = read_trtc(_base(tmp_path, **{"slices/live/ios/a.md": "# iOS\n", "slices/live/android/a.md": "# Android\n"}))
    (found,) = base.slices
    assert (found.id, found.product, found.name, found.tags, found.page_tags) == (
        "live/a",
        "live",
        "A",
        ("x", "Y"),
        ("z",),
    )
    assert (found.related, found.planned, found.platforms) == (("live/b", "live/c"), False, ("ios",))
    assert [(page.platform, page.path) for page in found.pages] == [
        ("", "knowledge-base/slices/live/a.md"),
        ("android", "knowledge-base/slices/live/android/a.md"),
        ("ios", "knowledge-base/slices/live/ios/a.md"),
    ]
    page = found.pages[0]
    assert (page.text, page.api_names) == (PAGE, ("joinRoom",))
    assert [(code.code, code.line) for code in page.codes] == [("-1", 12)]
    assert base.findings == ()


def test_planned(tmp_path: Path) -> None:
    """A planned slice or scenario has no page, and that is not a finding."""
    planned = "  - {id: live/p, file: slices/live/p.md, status: planned}\n"
    planned += "scenarios:\n  - {id: s, file: s.md, status: Planned}\n"
    base = read_trtc(_base(tmp_path, INDEX + planned))
    assert base.slices[1].planned
    assert base.scenarios[0].planned
    assert (base.slices[1].pages, base.scenarios[0].text, base.findings) == ((), "", ())


def test_only_a_platform_page(tmp_path: Path) -> None:
    """A slice whose file is in a platform folder has only that page, with its platform."""
    name = "slices/conference/web/chat.md"
    base = read_trtc(_base(tmp_path, INDEX + _entry(name, "conference/chat"), **{name: "# c"}))
    assert [(page.platform, page.path) for page in base.slices[1].pages] == [("web", f"knowledge-base/{name}")]


def test_suffix_in_capitals(tmp_path: Path) -> None:
    """A page whose suffix is .MD is read like any other: listed, of a platform, or reported as unlisted."""
    pages = {"slices/live/ios/a.MD": "# iOS\n", "slices/live/b.MD": "# b\n", "slices/live/ios/b.md": "# b iOS\n"}
    unlisted = {"slices/live/u.MD": "# u\n", "scenarios/s.Md": "# s\n"}
    base = read_trtc(_base(tmp_path, INDEX + _entry("slices/live/b.MD"), **pages, **unlisted))
    assert [[(page.platform, page.path.rpartition("/")[2]) for page in s.pages] for s in base.slices] == [
        [("", "a.md"), ("ios", "a.MD")],
        [("", "b.MD"), ("ios", "b.md")],
    ]
    assert _found(base) == ["note unlisted s.Md:0", "note unlisted u.MD:0"]


def test_one_page_per_platform(tmp_path: Path) -> None:
    """Of two files of a platform that differ in the case of their suffix, one is read and the other unlisted."""
    folder = _base(tmp_path, **{"slices/live/ios/a.MD": "# 1\n", "slices/live/ios/a.md": "# 2\n"})
    if len(list((folder / "slices/live/ios").iterdir())) == 1:
        pytest.skip("this file system does not distinguish upper and lower case")
    base = read_trtc(folder)
    assert [(page.platform, page.path.rpartition("/")[2]) for page in base.slices[0].pages] == [
        ("", "a.md"),
        ("ios", "a.md"),
    ]
    assert _found(base) == ["note unlisted a.MD:0"]


PAGES = {
    "a BOM": ("\ufeff" + PAGE, ["repaired bom a.md:1"]),
    "GBK": (PAGE.replace("# A", "# 登录失败与错误处理").encode("gbk"), ["repaired encoding a.md:1"]),
    "Windows line ends": (PAGE.replace("\n", "\r\n"), []),
    "front matter that YAML refuses": (PAGE.replace("live/a\n", "live/a: b\n"), ["repaired yaml-refused a.md:2"]),
}


@pytest.mark.parametrize(("content", "findings"), PAGES.values(), ids=PAGES)
def test_repaired_page(tmp_path: Path, content: str | bytes, findings: list[str]) -> None:
    """A page in another encoding or with bad front matter is read, with a finding at its line."""
    base = read_trtc(_base(tmp_path, **{"slices/live/a.md": content}))
    assert _found(base) == findings
    (page,) = base.slices[0].pages
    assert [code.code for code in page.codes] == ["-1"]
    assert "错误码" in page.text
    assert base.slices[0].page_tags == ("z",)
    ledger = {file.path.rpartition("/")[2]: file.status for file in base.files}
    assert ledger["a.md"] == (Status.REPAIRED if findings else Status.READ)


def test_repaired_index(tmp_path: Path) -> None:
    """An index in another encoding is read, with a finding."""
    text = INDEX.replace("name: A", "name: 直播间开播与下播管理")
    base = read_trtc(_base(tmp_path, text.encode("gbk")))
    assert base.slices[0].name == "直播间开播与下播管理"
    assert _found(base) == ["repaired encoding index.yaml:1"]
    assert base.files[0].status == Status.REPAIRED


def _links(folder: Path) -> None:
    (folder.parent / "outside.md").touch()
    (folder / "slices/live/out.md").symlink_to("../../../outside.md")
    (folder / "slices/live/loop.md").symlink_to("loop.md")


#: A path that an index names -> the kind of the finding.
PATHS = {
    "a path upwards": ("../../x.md", "path-refused"),
    "an absolute path": ("/etc/passwd", "path-refused"),
    "a URL": ("https://example.com/a.md", "path-refused"),
    "a link that leaves": ("slices/live/out.md", "path-refused"),
    "links in a circle": ("slices/live/loop.md", "path-refused"),
    "a NUL": (r'"a\0b.md"', "path-refused"),
    "too long a name": ("x" * 300 + ".md", "path-refused"),
    "nothing": ('""', "path-refused"),
    "a missing file": ("slices/live/gone.md", "missing-file"),
    "a folder": ("slices/live", "missing-file"),
    "a pattern": ('"slices/live/**.md"', "missing-file"),
    "the page of another": ("slices/live/a.md", "double-file"),
    "the same in other words": ("slices/./live//a.md", "double-file"),
}


@pytest.mark.parametrize(("file", "kind"), PATHS.values(), ids=PATHS)
def test_refused_path(tmp_path: Path, file: str, kind: str) -> None:
    """A file that must not or cannot be opened is an error about the index; its slice has no page."""
    folder = _base(tmp_path, INDEX + _entry(file))
    _links(folder)
    base = read_trtc(folder)
    (finding,) = base.findings
    assert (finding.kind, finding.severity, finding.path) == (kind, Severity.ERROR, "knowledge-base/index.yaml")
    assert finding.detail.startswith("live/b: ")
    assert [len(record.pages) for record in base.slices] == [1, 0]


def test_build_goes_on(tmp_path: Path) -> None:
    """An index with refused paths and ids listed twice is built from the rest of it."""
    refused = "".join(_entry(file, f"live/c{n}") for n, (file, _) in enumerate(PATHS.values()))
    doubles = _entry("slices/live/a.md", "live/a") + _entry("slices/live/b.md", "live/a") + DOUBLE_SCENARIO
    text = INDEX.replace("slices:", "  - {id: live, name: L}\nslices:") + refused + doubles
    folder = _base(tmp_path, text, **{"slices/live/b.md": "# b", "scenarios/s.md": "# s"})
    _links(folder)
    summary = build(Sources(folder, None), tmp_path / "x.db")
    assert (summary.counts["trtc.slices"], summary.counts["trtc.scenarios"]) == (1 + len(PATHS), 1)
    assert build(Sources(folder, None), tmp_path / "x.db").unchanged


def test_line_of_a_refused_path(tmp_path: Path) -> None:
    """A finding about a path has the line of its entry in index.yaml."""
    text = INDEX + "  - id: live/b\n    file: ../x.md\n"
    (finding,) = read_trtc(_base(tmp_path, text)).findings
    assert text.split("\n")[finding.line - 1] == "  - id: live/b"


DOUBLE_SCENARIO = "scenarios:\n  - {id: s, file: scenarios/s.md}\n  - {id: s, file: scenarios/s.md}\n"
TWICE = {
    "a slice": (_entry("slices/live/a.md", "live/a"), "slice live/a"),
    "a slice with another page": (_entry("slices/live/b.md", "live/a"), "slice live/a"),
    "a scenario": (DOUBLE_SCENARIO, "scenario s"),
}


@pytest.mark.parametrize(("more", "what"), TWICE.values(), ids=TWICE)
def test_listed_twice(tmp_path: Path, more: str, what: str) -> None:
    """An id that is listed twice is an error; the first record is used."""
    pages = {"slices/live/b.md": "# b", "scenarios/s.md": "# s"}
    sources = Sources(_base(tmp_path, INDEX + more, **pages), None)
    (double,) = (finding for finding in check_sources(sources) if finding.kind == "double-id")
    assert double.detail == f"{what} is listed twice; the first one is used"


def test_platform_page_of_another_entry(tmp_path: Path) -> None:
    """A platform page that another entry lists belongs to that entry, in any order."""
    name = "slices/live/ios/a.md"
    base = read_trtc(_base(tmp_path, INDEX + _entry(name), **{name: "# x"}))
    assert [[page.path.removeprefix("knowledge-base/") for page in record.pages] for record in base.slices] == [
        ["slices/live/a.md"],
        [name],
    ]
    assert base.findings == ()


def test_unlisted(tmp_path: Path) -> None:
    """Pages that the index does not list are findings and in the ledger, and no record has their text."""
    base = read_trtc(_base(tmp_path, **{"slices/live/u.md": "秘", "scenarios/x/v.md": "秘"}))
    assert _found(base) == ["note unlisted v.md:0", "note unlisted u.md:0"]
    assert [file.units for file in base.files if file.path.endswith(("u.md", "v.md"))] == [0, 0]
    assert "秘" not in repr(base.slices) + repr(base.scenarios)


def test_unlisted_link_out_of_the_base(tmp_path: Path) -> None:
    """A link to a file outside the base is ignored if no entry names it."""
    folder = _base(tmp_path)
    _links(folder)
    base = read_trtc(folder)
    assert (base.findings, len(base.files)) == ((), 2)


SHAPES: dict[str, tuple[str, list[str]]] = {
    "an entry without an id": ("  - {name: B}\n", ["error index-shape index.yaml:0"]),
    "an entry that is text": ("  - B\n", ["error index-shape index.yaml:0"]),
    "scenarios that are text": ("scenarios: x\n", ["error index-shape index.yaml:0"]),
    "relations that are a mapping": ("cross_product_relations: {a: b}\n", ["error index-shape index.yaml:0"]),
    "no scenarios": ("scenarios:\n", []),
}


@pytest.mark.parametrize(("more", "findings"), SHAPES.values(), ids=SHAPES)
def test_shape(tmp_path: Path, more: str, findings: list[str]) -> None:
    """A part of another shape is left out with a finding; the rest is read."""
    base = read_trtc(_base(tmp_path, INDEX + more))
    assert (_found(base), len(base.slices)) == (findings, 1)


BOMB = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)
)
REFUSED = {
    "an alias bomb": (BOMB + "slices: [*h]\n", r"aliases that repeat more than 100000 values; wanted a YAML index"),
    "an alias of itself": ("slices: &a [*a]\n", r"values nested more than 100 levels deep; wanted a YAML index"),
    "a list": ("- a\n", r"found a list; wanted a mapping with products, slices and scenarios"),
    "a text": ("abc\n", r"found a text; wanted a mapping"),
    "nothing": ("", r"found nothing; wanted a mapping"),
    "no YAML": ("slices: [\n", r":2: did not find expected node content; wanted a YAML index"),
    "a lone surrogate": ('slices: [{id: "\\ud83d"}]\n', r"wanted a YAML index"),
    "binary": (b"\0\1", r"NUL bytes: not a text file; wanted a YAML index"),
}


@pytest.mark.parametrize(("index", "message"), REFUSED.values(), ids=REFUSED)
def test_refuses_the_index(tmp_path: Path, index: str | bytes, message: str) -> None:
    """An index that cannot be read or trusted stops the build with one line that names it."""
    folder = _base(tmp_path, index)
    with pytest.raises(SourceRefused, match=message) as caught:
        read_trtc(folder)
    assert str(caught.value).startswith(f"{folder / 'index.yaml'}:")
    assert "\n" not in str(caught.value)


def test_products_without_slices(tmp_path: Path) -> None:
    """An index without slices is read, for answers with the status ``no_slice``; a wrong shape is a finding."""
    base = read_trtc(_base(tmp_path, "products: [{id: chat}]\nslices: {a: b}\n"))
    assert ([product.id for product in base.products], base.slices) == (["chat"], ())
    assert "error index-shape index.yaml:0" in _found(base)


def test_large_index(tmp_path: Path) -> None:
    """An index of many entries is accepted."""
    many = "".join(_entry(f"slices/live/{n}.md", f"live/n{n}").replace("}", ", status: planned}") for n in range(5000))
    assert len(read_trtc(_base(tmp_path, INDEX + many)).slices) == 5001


def test_text_stays_text(tmp_path: Path) -> None:
    """Tags that YAML would read as numbers, dates or booleans are text."""
    base = read_trtc(_base(tmp_path, INDEX.replace("[x, Y]", "[no, on, 0414, 9.10, 2026-03-15, 12:30, ~]")))
    assert base.slices[0].tags == ("no", "on", "0414", "9.10", "2026-03-15", "12:30", "~")


REAL: dict[str, Callable[[TrtcBase], object]] = {
    "32 slices": lambda base: len(base.slices) == 32,
    "2 planned, of rtc-engine": lambda base: [s.product for s in base.slices if s.planned] == ["rtc-engine"] * 2,
    "6 scenarios, one planned": lambda base: sum(not s.planned for s in base.scenarios) == 5 == len(base.scenarios) - 1,
    "5 products, chat and call without a slice": lambda base: (
        {p.id for p in base.products} - {s.product for s in base.slices} == {"chat", "call"}
    ),
    "conference pages are platform pages": lambda base: (
        {page.platform for s in base.slices if s.product == "conference" for page in s.pages} == {"web"}
    ),
    "error codes in two pages of one slice": lambda base: (
        [page.platform for s in base.slices if s.id == "live/error-codes" for page in s.pages] == ["", "ios"]
    ),
    "every other slice has a page": lambda base: all(s.pages or s.planned for s in base.slices),
    "no file is rejected": lambda base: {f.status for f in base.files} <= {Status.READ, Status.REPAIRED},
}


@pytest.mark.parametrize("holds", REAL.values(), ids=REAL)
def test_real_base(real: Sources, holds: Callable[[TrtcBase], object]) -> None:
    """The real base has these known properties."""
    assert real.trtc is not None
    assert holds(read_trtc(real.trtc))

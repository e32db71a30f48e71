"""The NIM reader: every file becomes units or a named finding; the real base gives its known figures."""

import os
import pickle
import re
import time
from pathlib import Path

import pytest
from conftest import REAL as KNOWLEDGE_BASES

from indexer.errors import SourceNotFound
from indexer.reading import decode as decode_module
from indexer.reading.nim.reader import KNOWN_KEYS, read_decoded, read_file, read_nim
from indexer.records import Base, NimBase, Severity, Status

REAL = KNOWLEDGE_BASES / "nim"
CASE = "---\ntrack_type: 排查类\ntitle: t\n---\n\n## 解决方案\n\ns\n"

FILES = {
    "a case": (CASE.encode(), Status.READ, 1, []),
    "no final newline": (CASE.rstrip().encode(), Status.READ, 1, []),
    "Windows line ends": (CASE.replace("\n", "\r\n").encode(), Status.READ, 1, []),
    "a BOM": (b"\xef\xbb\xbf" + CASE.encode(), Status.REPAIRED, 1, ["bom"]),
    "GBK": (CASE.encode("gbk"), Status.REPAIRED, 1, ["encoding"]),
    "YAML refuses": (CASE.replace(": t", ": t: u").encode(), Status.REPAIRED, 1, ["yaml-refused"]),
    "a heading line that contains its text": (
        CASE.replace("方案\n", "方案\\n").encode(),
        Status.REPAIRED,
        1,
        ["escaped-heading"],
    ),
    "a nested entry": (
        b"---\ntrack_type: a\n---\n<!-- entry: tags=[] -->\n"
        + "## Q: a\n**问题描述**：<!-- entry: tags=[] --> ## Q: a".encode(),
        Status.REPAIRED,
        1,
        ["nested-entry"],
    ),
    "an open comment": (b"<!-- entry: tags=[]\n## Q: a\n", Status.REPAIRED, 1, ["entry-comment"]),
    "other styles of comment are no repair": (
        b"---\ntrack_type: a\n---\n<!-- entry: customers=B & C, tags=['x'] -->\n## Q: a\n",
        Status.READ,
        1,
        [],
    ),
    "entries without front matter": (b"<!-- entry: tags=[] -->\n## Q: a\n" * 2, Status.READ, 2, []),
    "a README": ("# 通用知识库\n\n## 说明\n".encode(), Status.READ, 0, ["no-case"]),
    "foreign front matter": (b"---\nlayout: x\n---\ntext\n", Status.READ, 0, ["no-case"]),
    "fields of entries, and none": (b"---\ntrack_type: a\nfeature: b\n---\n\n", Status.READ, 0, ["no-case"]),
    "a key twice": (b"---\ntitle: a\ntitle: b\n---\nx\n", Status.REPAIRED, 1, ["duplicate-key"]),
    "JSON of 900 levels": (
        b'---\n"title": ' + b"[" * 900 + b"]" * 900 + b"\n---\nx\n",
        Status.REPAIRED,
        1,
        ["yaml-refused"],
    ),
    "empty": (b"", Status.REJECTED, 0, ["empty"]),
    "blank": (b"\xef\xbb\xbf \n\n", Status.REJECTED, 0, ["empty"]),
    "binary": (b"---\n\0\0\0", Status.REJECTED, 0, ["undecodable"]),
}


@pytest.mark.parametrize(("data", "status", "units", "kinds"), FILES.values(), ids=FILES.keys())
def test_every_file_has_a_status(tmp_path: Path, data: bytes, status: Status, units: int, kinds: list[str]) -> None:
    """A file is read, repaired or rejected, and every repair and rejection has a finding."""
    page = tmp_path / "a.md"
    page.write_bytes(data)
    file, found, findings = read_file(page, "knowledge/IM/登录/a.md")
    assert (file.base, file.path, file.status) == (Base.NIM, "knowledge/IM/登录/a.md", status)
    assert file.units == len(found) == units
    assert [finding.kind for finding in findings] == kinds
    severity = {
        Status.READ: Severity.NOTE,
        Status.REPAIRED: Severity.REPAIRED,
        Status.REJECTED: Severity.ERROR,
    }
    assert all(finding.severity is severity[status] and finding.path == file.path for finding in findings)


def test_findings_point_at_the_line(tmp_path: Path) -> None:
    """A repair names the line of the file where it was needed."""
    page = tmp_path / "a.md"
    page.write_text("---\ntitle: t\nsolution: a: b\n---\n\n## 问题原因\\n\\nc\n", "utf-8")
    assert [(finding.line, finding.kind) for finding in read_file(page, "a")[2]] == [
        (3, "yaml-refused"),
        (6, "escaped-heading"),
    ]


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be read is rejected by name, and the rest of the base is read."""
    monkeypatch.setattr(decode_module, "MAX_BYTES", 200)
    folder = tmp_path / "knowledge" / "IM" / "登录"
    folder.mkdir(parents=True)
    for name, text in {"a.md": CASE, "b.md": "", "c.md": CASE + "x" * 200}.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "d.md").symlink_to(tmp_path / "nothing")
    base = read_nim(tmp_path)
    assert [(file.path.rpartition("/")[2], file.status) for file in base.files] == [
        ("a.md", Status.READ),
        ("b.md", Status.REJECTED),
        ("c.md", Status.REJECTED),
        ("d.md", Status.REJECTED),
    ]
    assert [finding.kind for finding in base.findings] == ["empty", "too-large", "unreadable"]
    assert [unit.path for unit in base.units] == ["knowledge/IM/登录/a.md"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_rights_is_rejected(tmp_path: Path) -> None:
    """A file that may not be read is rejected by name."""
    page = tmp_path / "a.md"
    page.write_text(CASE, "utf-8")
    page.chmod(0)
    assert read_file(page, "a")[0].status is Status.REJECTED


def test_a_missing_file_is_rejected(tmp_path: Path) -> None:
    """A file that was removed between listing and reading is rejected by name."""
    assert [finding.kind for finding in read_file(tmp_path / "a.md", "a")[2]] == ["unreadable"]


def test_no_case_base_is_an_error(tmp_path: Path) -> None:
    """A folder without cases stops the build with one line that names it."""
    with pytest.raises(SourceNotFound, match=re.escape(str(tmp_path))):
        read_nim(tmp_path)


def test_results_cross_processes(tmp_path: Path) -> None:
    """The result of a file can be sent from a worker process."""
    page = tmp_path / "a.md"
    page.write_text(CASE, "utf-8")
    result = read_file(page, "a")
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301  # our own bytes
    assert pickle.loads(pickle.dumps(read_file)) is read_file  # noqa: S301


def test_file_names_decide_nothing() -> None:
    """Names with -1, __from_downloads and truncated names are read like any other."""
    for name in (
        "排查-a-1.md",
        "功能实现咨询__from_downloads.md",
        "排查-返回code=-1.md",
        "排查-华为推送证书配置和g.md",
    ):
        _, (unit,), _ = read_decoded(decode_module.decode(CASE.encode()), f"knowledge/IM/推送/{name}")
        assert (unit.title, unit.path) == ("t", f"knowledge/IM/推送/{name}")


@pytest.fixture(scope="module")
def real() -> NimBase:
    """The real base, if it is beside the repository."""
    if not REAL.is_dir():
        pytest.skip("the real case base ../shared/kb/nim is not here")
    return read_nim(REAL)


def test_real_base_figures(real: NimBase) -> None:
    """All 2,934 files are read, none rejected; 3,728 units: 1,854 cases and 1,874 entries."""
    statuses = [file.status for file in real.files]
    assert len(statuses) == 2934
    assert statuses.count(Status.REJECTED) == 0
    assert statuses.count(Status.REPAIRED) >= 152
    assert len(real.units) == sum(file.units for file in real.files) == 3728
    assert sum(unit.entry == 0 for unit in real.units) == 1854
    assert [finding.path for finding in real.findings if finding.kind == "no-case"] == ["knowledge/README.md"]
    repaired = {finding.path for finding in real.findings if finding.severity is Severity.REPAIRED}
    assert repaired == {file.path for file in real.files if file.status is Status.REPAIRED}


def test_real_base_is_in_path_order(real: NimBase) -> None:
    """Files and units are in path order; an entry's number is that of its comment among those at a line start."""
    assert [file.path for file in real.files] == sorted(file.path for file in real.files)
    refs = [(unit.path, unit.entry) for unit in real.units]
    assert refs == sorted(set(refs))
    for path in {path for path, entry in refs if entry}:
        comments = re.findall("^<!-- entry", (REAL / path).read_text("utf-8"), re.MULTILINE)
        assert max(entry for other, entry in refs if other == path) == len(comments)


def test_real_base_recovers_every_field(real: NimBase) -> None:
    """Every field that a simple second reader finds at a line start is in the units."""
    units = {unit.path: unit for unit in real.units if unit.entry == 0}
    for path, unit in units.items():
        text = (REAL / path).read_text("utf-8")
        for key, raw in _read_again(text).items():
            found = getattr(unit, key)
            whole = " ".join(found) if isinstance(found, tuple) else f"{found} {unit.details}"
            assert _letters(raw) in _letters(whole) or _is_replaced(key, raw.strip(), found), (path, key)


def _is_replaced(key: str, raw: str, found: object) -> bool:
    """Placeholders and file names, which another value may replace."""
    if key == "platform":
        return raw == "--" or raw.endswith(".md")
    return bool(found) and _letters(raw) in {"详见正文", "待排查", "待确认", "咨询类问题"}


def _read_again(text: str) -> dict[str, str]:
    """A line that begins with a known key begins a field."""
    block = re.split(r"^(?:---|## .*)$", text, maxsplit=2, flags=re.MULTILINE)[1]
    pattern = rf'^ *"?({"|".join(KNOWN_KEYS)})"?:(?=\s)'
    pieces = re.split(pattern, block, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.replace("|-\n", "").replace("\\n", "\n"))


def test_real_base_has_no_leftovers(real: NimBase) -> None:
    """No field contains a template line or an entry comment, and no platform is a file name."""
    for unit in real.units:
        text = "\n".join((unit.description, unit.root_cause, unit.solution, unit.details))
        assert not re.search(r"从会话提取|合并时在此处追加|（暂无）|<!-- ?entry", text), unit.path
        assert not unit.platform.endswith(".md")
        assert unit.display_title.strip()
        assert unit.platforms


def test_real_base_reads_fast(real: NimBase) -> None:
    """The whole base is read in seconds by one process (it takes about one)."""
    assert real.units
    started = time.perf_counter()
    read_nim(REAL)
    assert time.perf_counter() - started < 10


def test_decoded_pages_need_no_file() -> None:
    """A page can be read from its text alone."""
    file, units, _ = read_decoded(decode_module.decode(CASE.encode()), "knowledge/IM/登录/a.md")
    assert (file.size, len(units), units[0].solution) == (len(CASE.encode()), 1, "s")

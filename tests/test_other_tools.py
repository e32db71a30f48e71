"""Using the file with Datasette and sqlite-utils: both list, show, link and search it as it is."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import urlopen

import pytest
from conftest import ROOT, environment

Get = Callable[[str], tuple[int, str]]

README = (ROOT / "README.md").read_text("utf-8")

#: What is searched -> the text, the table, a column, and how its value begins in one of the first rows found.
SEARCHES = {
    "a Chinese word": ("弹幕", "slice", "slice_id", "live/danmaku-wall"),
    "words apart": ("弹幕 发送", "slice", "slice_id", "live/danmaku-wall"),
    "a code with its sign": ("-4210", "slice", "slice_id", "live/danmaku-wall"),
    "a tag": ("danmu", "slice", "slice_id", "live/danmaku-wall"),
    "an identifier": ("DanmakuWall", "slice", "slice_id", "live/danmaku-wall"),
    "a scenario's words": ("共享 屏幕", "scenario", "scenario_id", "team-standup"),
    "a number behind Han": (
        "42013",
        "nim_unit",
        "path",
        "knowledge/IM-SDK/消息收发/服务端/排查-接口发消息返回42013.md",
    ),
    "Chinese words of a case": ("登录 踢", "nim_unit", "path", "knowledge/IM-SDK/登录连接/Android/"),
}
#: A sentence is one token for both tools: only rtckb itself splits a query into words.
UNCUT = ("弹幕怎么发送", "slice")


@pytest.fixture(scope="module")
def file(sample_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample's index."""
    return Path(shutil.copy(sample_db, tmp_path_factory.mktemp("other") / "rtckb.db"))


@pytest.fixture(scope="module")
def datasette(file: Path) -> Iterator[Get]:
    """Datasette, serving the file on a free loopback port: a path -> status and text."""
    argv = [sys.executable, "-m", "datasette", "serve", "-i", str(file), "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(argv, env=environment(), stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            started = next(line for line in server.stderr if "running on" in line)
            yield lambda path: _get(started.partition("running on ")[2].split()[0] + path)
        finally:
            server.terminate()


def _get(url: str) -> tuple[int, str]:
    try:
        with urlopen(url, timeout=60) as response:  # noqa: S310  # our own loopback server
            return response.status, response.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def _sqlite_utils(*argv: str | Path) -> list[dict[str, object]]:
    """The rows that sqlite-utils prints as JSON."""
    line = [sys.executable, "-m", "sqlite_utils", *map(str, argv)]
    done = subprocess.run(line, env=environment(), capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    rows: list[dict[str, object]] = json.loads(done.stdout)
    return rows


def test_datasette_shows_every_table(datasette: Get, file: Path) -> None:
    """Every table, also a hidden one, has a page with its rows and their number."""
    counts = {row["table"]: row["count"] for row in _sqlite_utils("tables", file, "--counts")}
    tables = json.loads(datasette("/rtckb.json")[1])["tables"]
    assert {table["name"]: table["count"] for table in tables} == counts
    for name, count in counts.items():
        status, page = datasette(f"/rtckb/{name}")
        assert (status, "<tbody>" in page) == (200, count != 0), name


@pytest.mark.parametrize(
    ("table", "link"),
    [
        ("slice_tag?tag=danmu", '<a href="/rtckb/slice/5">弹幕墙</a>'),
        ("slice?slice_id=live/danmaku-wall", '<a href="/rtckb/product/live">Live（直播）</a>'),
        ("nim_tag?tag=42013", '/rtckb/nim_unit/13">服务端接口发自定义消息返回 42013</a>'),
        ("slice/5", '<a href="/rtckb/error_code?slice=5">'),
        ("product/live", '<a href="/rtckb/slice?product_id=live">'),
    ],
)
def test_datasette_links(table: str, link: str, datasette: Get) -> None:
    """A reference is a link with the name of the other row, and a row has links to the rows that refer to it."""
    status, page = datasette(f"/rtckb/{table}")
    assert (status, link in page) == (200, True), page[page.find("<tbody>") :]


@pytest.mark.parametrize(("text", "table", "column", "wanted"), SEARCHES.values(), ids=SEARCHES)
def test_datasette_searches(text: str, table: str, column: str, wanted: str, datasette: Get) -> None:
    """The page of a table has a search field, which finds rows of the table."""
    assert 'name="_search"' in datasette(f"/rtckb/{table}")[1]
    found = json.loads(datasette(f"/rtckb/{table}.json?" + urlencode({"_search": text, "_shape": "array"}))[1])
    assert any(str(row[column]).startswith(wanted) for row in found)
    assert len(found) < json.loads(datasette(f"/rtckb/{table}.json")[1])["filtered_table_rows_count"]


@pytest.mark.parametrize("table", ["slice", "slice_tag", "slice_page", "error_code", "scenario", "nim_unit", "meta"])
def test_sqlite_utils_reads(table: str, file: Path) -> None:
    """A table's rows are printed, and reading leaves the file as it was."""
    before = file.read_bytes()
    assert len(_sqlite_utils("rows", file, table, "--limit", "3")) == 3
    assert file.read_bytes() == before


@pytest.mark.parametrize(("text", "table", "column", "wanted"), SEARCHES.values(), ids=SEARCHES)
def test_sqlite_utils_searches(text: str, table: str, column: str, wanted: str, file: Path) -> None:
    """``sqlite-utils search`` finds the same rows, with the texts of the source."""
    found = _sqlite_utils("search", file, table, "--quote", "--", text)
    assert any(str(row[column]).startswith(wanted) for row in found)


def test_a_sentence_is_no_word(file: Path, datasette: Get) -> None:
    """A known limit: a Chinese query without spaces between its words finds nothing."""
    text, table = UNCUT
    assert _sqlite_utils("search", file, table, "--quote", text) == []
    assert json.loads(datasette(f"/rtckb/{table}.json?_shape=array&_search={quote(text)}")[1]) == []


@pytest.mark.parametrize("line", re.findall(r"^\$ (sqlite-utils .*)", README, re.MULTILINE))
def test_the_readme_lines_find_something(line: str, file: Path) -> None:
    """The commands of the documentation for sqlite-utils work as printed."""
    argv = [sys.executable, "-m", "sqlite_utils", *shlex.split(line, comments=True)[1:]]
    done = subprocess.run(argv, cwd=file.parent, env=environment(), capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert ".md" in done.stdout.decode()


def test_the_readme_address_finds_something(datasette: Get) -> None:
    """The address in the documentation for Datasette finds a row."""
    (path,) = re.findall(r"http://127\.0\.0\.1:8001(\S+)", README)
    status, page = datasette(quote(path, safe="/?=+_"))
    assert (status, "/rtckb/slice/5" in page) == (200, True)

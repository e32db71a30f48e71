"""The command ``rtckb nim``: what it prints, refuses, and exits with."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import SAMPLE
from query_support import ask, document, invoke
from test_hostile_queries import LONG, REFUSED, SEARCHED

from indexer.build import Sources, build

BADGE = ["nim", "桌面角标数字清不掉", "--product", "IM-SDK", "--tag", "推送", "--tag", "角标", "--tag", "未读数"]
NOT_FOUND = "📚 知识库检索结果：未找到相似历史记录，以下为新问题分析。"


def response(db: Path, *argv: str) -> Any:
    """The response of a call that must succeed."""
    return document(db, *argv)["response"]


def text(db: Path, *argv: str) -> list[str]:
    """The lines of a text answer."""
    result = invoke(db, *argv, "--format", "text")
    assert result.exit_code == 0
    return str(result.stdout).split("\n")


def test_json_is_the_default_of_a_pipe(sample_db: Path) -> None:
    """Through a pipe, stdout is one JSON document with the response only, and stderr is empty."""
    got = ask(sample_db, *BADGE)
    assert (got.returncode, got.stderr) == (0, b"")
    assert list(json.loads(got.stdout)) == ["response"]


@pytest.mark.parametrize("argv", [BADGE, ["nim", "zzqqx"]], ids=["found", "not found"])
def test_formats_agree(sample_db: Path, argv: list[str]) -> None:
    """YAML is the same document as JSON, and the text begins with its marker line."""
    wanted = document(sample_db, *argv)
    assert yaml.safe_load(invoke(sample_db, *argv, "--format", "yaml").stdout) == wanted
    assert text(sample_db, *argv)[0] == wanted["response"]["marker"]
    assert text(sample_db, *argv)[0].startswith("[nim-kb-search] 已触发 | 类型=")


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        (["--type", "咨询"], "track_type", "咨询类"),
        (["--product", "rtc"], "product", "RTC"),
        (["--feature", "推送"], "feature", "推送"),
        (["--platform", "安卓"], "platform", "Android"),
        (["--sub-type", "集成类"], "sub_type", "集成类"),
        (["--tag", "b", "--tag", "a"], "tags", ["b", "a"]),
        (["--title", "甲"], "title", "甲"),
        (["--root-cause", "甲"], "root_cause", "甲"),
        (["--solution=甲"], "solution", "甲"),
        (["--description", "甲"], "description", "甲"),
        (["--token-mode", "run"], "token_mode", "run"),
        (["--tag-mode", "whole"], "tag_mode", "whole"),
        (["--literal"], "literal", True),
    ],
)
def test_options(sample_db: Path, options: list[str], name: str, value: object) -> None:
    """Each option is used, before or after the words of the query."""
    assert response(sample_db, "nim", "蓝牙", *options)["request"][name] == value
    assert response(sample_db, "nim", *options, "蓝牙")["request"][name] == value


def test_nearest(sample_db: Path) -> None:
    """JSON always contains the nearest cases; text contains them with ``--nearest``, and calls none a match."""
    argv = ["nim", "蓝牙耳机一戴上就听不见"]
    assert [response(sample_db, *argv)[name] != [] for name in ("matches", "nearest")] == [False, True]
    assert NOT_FOUND in text(sample_db, *argv)
    assert not any("蓝牙" in line for line in text(sample_db, *argv)[1:])
    with_nearest = "\n".join(text(sample_db, *argv, "--nearest"))
    assert "【未达阈值】通话中连上蓝牙耳机后没有声音" in with_nearest
    assert not {"高度匹配", "可能相关"} & set(with_nearest.split("【")[1].split("】"))


def test_explain(sample_db: Path) -> None:
    """``--explain`` adds where each parameter came from, beside the response and in the text."""
    explained = document(sample_db, *BADGE, "--explain")
    assert list(explained) == ["response", "explain"]
    assert explained["response"] == response(sample_db, *BADGE)
    assert explained["explain"]["origins"]["product"] == "option"
    assert "product: option" in text(sample_db, *BADGE, "--explain")


@pytest.mark.parametrize(("argv", "code"), [(BADGE, 0), (["nim", "蓝牙耳机一戴上就听不见"], 4)])
def test_fail_on_no_match(sample_db: Path, argv: list[str], code: int) -> None:
    """With ``--fail-on-no-match`` the exit code is 4 if nothing qualifies, and the answer is printed all the same."""
    result = invoke(sample_db, *argv, "--fail-on-no-match")
    assert result.exit_code == code
    assert json.loads(result.stdout)["response"]["nearest"]


@pytest.mark.parametrize("product", ["im", "IM-SKD", "没有的产品", "直播", "  "])
def test_every_product_is_answered(sample_db: Path, product: str) -> None:
    """A product in another letter case is an alias; one that the base does not have widens the search, with a note."""
    found = response(sample_db, "nim", BADGE[1], *BADGE[4:], "--product", product)
    assert [match["title"] for match in found["matches"]] == ["桌面角标数字清不掉"]
    widened = [note for note in found["notes"] if "the whole base was scanned" in note]
    assert len(widened) == (product != "im")


@pytest.mark.parametrize(
    "argv",
    [
        *REFUSED.values(),
        ["。，！"],
        ["😀"],
        ["...", "--title", "？", "--tag", "#"],
        ["弹幕", "--type", "排错"],
        ["弹幕", "--type"],
        ["弹幕", "--token-mode", "word"],
        ["弹幕", "--tag-mode", "x"],
        ["弹幕", "--limit", "3"],
    ],
    ids=str,
)
def test_refused(sample_db: Path, argv: list[str]) -> None:
    """An empty query and a mistake in the call are refused with exit code 2 and an empty stdout."""
    result = invoke(sample_db, "nim", *argv)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


def test_a_wrong_type_names_the_right_ones(sample_db: Path) -> None:
    """The message about a wrong type names the valid ones."""
    assert "排查类, 咨询类" in invoke(sample_db, "nim", "弹幕", "--type", "排错").stderr


#: The hostile queries that have a letter or a digit; the others are empty queries.
WORDED = {name: words for name, words in SEARCHED.items() if any(map(str.isalnum, "".join(words)))}


@pytest.mark.parametrize("words", [w for name, w in SEARCHED.items() if name not in WORDED], ids=str)
def test_wordless(sample_db: Path, words: list[str]) -> None:
    """Punctuation and emoji alone are refused as an empty query, unless an option has a word."""
    result = invoke(sample_db, "nim", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "holds no letter and no digit; wanted words to search for" in result.stderr
    assert response(sample_db, "nim", *words, "--tag", "角标")["marker"].endswith("关键词=角标")


@pytest.mark.parametrize("words", WORDED.values(), ids=WORDED)
def test_hostile_words(sample_db: Path, words: list[str]) -> None:
    """Any text is answered with a marker of one line, as document and as text; a note names a cut."""
    found = invoke(sample_db, "nim", *words)
    cut = "rtckb: only the first 2000 characters of the description were read\n"
    assert (found.exit_code, found.stderr) == (0, cut if len(" ".join(words)) > 2000 else "")
    marker = json.loads(found.stdout)["response"]["marker"]
    assert marker.splitlines() == [marker]
    assert text(sample_db, "nim", *words, "--nearest", "--explain")[0] == marker


@pytest.mark.parametrize("words", SEARCHED.values(), ids=SEARCHED)
def test_hostile_options(sample_db: Path, words: list[str]) -> None:
    """So is any text in an option, in other modes too."""
    word = " ".join(words)
    fields = [f"--{name}={word}" for name in ("title", "root-cause", "solution", "description", "tag", "feature")]
    for more in (["--product", "IM-SDK"], [f"--product={word}", f"--platform={word}"], ["--literal"]):
        found = invoke(sample_db, "nim", "弹幕", *fields, *more)
        assert (found.exit_code, found.stderr) == (0, "")
        marker = json.loads(found.stdout)["response"]["marker"]
        assert marker.splitlines() == [marker]


@pytest.mark.parametrize("words", LONG.values(), ids=LONG)
def test_long_text_from_a_file(sample_db: Path, tmp_path: Path, words: Any) -> None:
    """A text of any length from a file is answered with a marker of one line."""
    (tmp_path / "query.txt").write_text(words(), "utf-8")
    marker = response(sample_db, "nim", "--query-file", str(tmp_path / "query.txt"))["marker"]
    assert marker.splitlines() == [marker]


@pytest.mark.parametrize("blank", ["", "  ", "\u3000"], ids=repr)
def test_blank_options_are_not_given(sample_db: Path, blank: str) -> None:
    """An option of blanks only counts as not given, whatever option it is."""
    names = ("type", "product", "feature", "platform", "sub-type", "tag", "title", "root-cause", "solution")
    argv = ["nim", "短信签名报备被驳回", "--explain"]
    for name in (*names, "description"):
        assert document(sample_db, *argv, f"--{name}", blank) == document(sample_db, *argv), name


def test_an_index_without_cases(tmp_path: Path) -> None:
    """In an index without a NIM base, a note names the missing base."""
    path = tmp_path / "trtc.db"
    build(Sources(SAMPLE / "trtc", None), path)
    assert response(path, "nim", "弹幕")["notes"] == ["this index holds no NIM case; build it with --nim"]


@pytest.mark.parametrize(
    ("options", "notes"),
    [
        (
            ["--platform", "Symbian"],
            ["the base has no case of platform Symbian; the platform did not affect the order"],
        ),
        (["--feature", "不存在"], ["IM-SDK has no feature folder 不存在; the feature did not narrow the search"]),
        (["--platform", "安卓", "--feature", "推送"], []),
    ],
    ids=str,
)
def test_names_that_no_unit_has(sample_db: Path, options: list[str], notes: list[str]) -> None:
    """A note names a feature or platform without effect, since it may be a typing error."""
    found = response(sample_db, "nim", "桌面角标清不掉", "--product", "IM-SDK", *options)["notes"]
    assert [note for note in found if "did not" in note] == notes


def test_bytes_that_are_no_text(sample_db: Path) -> None:
    """Bytes that are not UTF-8 are replaced, in words and options."""
    got = ask(sample_db, "nim", b"a\xff\xfe \xed\xa0\xbd", b"--title=\xff", b"--tag=\xff", "--format", "yaml")
    assert (got.returncode, got.stderr) == (0, b"")
    assert yaml.safe_load(got.stdout)["response"]["request"]["title"] == "\ufffd"


@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "gbk"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}], ids=str)
def test_locales(sample_db: Path, variables: dict[str, str]) -> None:
    """Text is printed in UTF-8 in any locale."""
    got = ask(sample_db, *BADGE, "--format", "text", env=variables)
    assert (got.returncode, got.stderr) == (0, b"")
    assert "📚 知识库检索结果（排查类，共 1 条）" in got.stdout.decode("utf-8")


def test_failed_synchronisation(sample_db: Path, tmp_path: Path) -> None:
    """If ``--sync`` fails, the answer comes from the present index, and its last line is the warning."""
    shutil.copy(sample_db, tmp_path / "x.db")
    variables = {"RTCKB_NIM": str(tmp_path / "clone"), "RTCKB_NIM_REPO": str(tmp_path / "none"), "HOME": str(tmp_path)}
    got = ask(tmp_path / "x.db", *BADGE, "--sync", "--format", "text", env=variables)
    assert got.returncode == 0
    lines = got.stdout.decode("utf-8").rstrip("\n").split("\n")
    assert lines[:-1] == text(sample_db, *BADGE)[:-1]
    assert lines[-1] == "⚠️ 知识库同步失败，结果基于本地缓存。"
    assert got.stderr.startswith(b"rtckb: sync: ")

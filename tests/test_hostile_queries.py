"""Whatever is typed, a search answers with a typed status, or the call is refused with its usage.

The letters and numbers are those of tests/CASES.md.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from query_support import ask, document, environment, invoke

from query.limits import MAX_CHARACTERS
from query.trtc.contract import Status

STATUSES = {status.value for status in Status}

#: Each reaches the search as words, whatever it means to a shell, an option parser or a query language.
SEARCHED = {
    "A1 signed code": ["-1002"],
    "A1 code glued to a word": ["错误码-1002"],
    "A1 hyphenated": ["a-b", "multi-agent", "nim-web-sdk-ng"],
    "A2 apostrophe": ["it's"],
    "A2 quote": ['"'],
    "A2 opening quote": ['"a'],
    "A2 inner quote": ['a"b'],
    "A2 empty phrase": ['""'],
    "A2 Chinese quotes": ["“引号”"],
    "A3 version": ["9.19.4"],
    "A3 marks": ["C++", "code=191001", "a/b", "a,b", "@所有人", "#KB0039", "100%", "$ORIGIN", "`x`"],
    "A3 brackets": ["[a]"],
    "A3 tilde": ["~"],
    "A3 question mark": ["?"],
    "A3 exclamation mark": ["!"],
    "A4 AND": ["AND"],
    "A4 OR": ["OR"],
    "A4 NOT": ["NOT a"],
    "A4 dangling AND": ["a AND"],
    "A4 NEAR": ["NEAR"],
    "A4 NEAR of two": ["NEAR(a b)"],
    "A4 open parenthesis": ["("],
    "A4 parentheses": ["()"],
    "A4 closing parenthesis": ["a)"],
    "A5 punctuation": ["。，！"],
    "A5 emoji": ["😀"],
    "A6 column filter": ["title:login"],
    "A6 column set": ["{title body}:x"],
    "A6 excluded column": ["-title:login"],
    "A6 rank": ["rank"],
    "A6 double colon": ["grammar::fa"],
    "A6 code filter": ["code:414"],
    "A6 address": ["https://example.com/a?b=c#d"],
    "A10 nested parentheses": ["(" * 100 + "弹幕" + ")" * 100],
    "E1 small negative number": ["-2"],
    "E1 range of codes": ["-1100", "~", "-1109"],
    "E2 short option look-alike": ["-not", "a", "flag"],
    "E2 bundled short options": ["-n", "3"],
    "E15 shell characters": ["$HOME `id` ! \"x\" 'y'\n\t\\"],
    "F3 colon": ["错误码: 191001"],
    "F3 semicolon": ["code:414;"],
    "F3 hexadecimal": ["0x1F"],
    "F3 full-width parentheses": ["（414）"],
    "F3 aexc": ["AEXC404"],
    "F5 full-width": ["ＩＯＳ　推送", "４１４", "：（）～"],
    "F6 traditional": ["離線推送收不到"],
    "F19 mixed": ["iOS端收不到push", "16KB", "V9升级V10", "H5", "5G"],
    "SQL": ["'; DROP TABLE slice; --"],
    "LIKE wildcards": ["%_%"],
    "NUL": ["弹幕\0弹幕"],
    "control characters": ["弹\x1b[31m幕\x07\x7f\x85"],
    "line separators": ["弹\u2028幕\u2029"],
    "byte order mark": ["\ufeff弹幕"],
    "right-to-left mark": ["\u202e弹幕"],
    "zero-width space": ["弹\u200b幕"],
    "combining marks": ["e" + "\u0301" * 500],
    "joined emoji": ["👨‍👩‍👧‍👦🏳️‍🌈"],
    "lone high surrogate": ["弹幕\ud83d"],
    "lone low surrogate": ["\udc00弹幕"],
    "argument bytes that are no UTF-8": ["\udcff\udcfe弹幕"],
    "noncharacter": ["\uffff\ufffe"],
    "astral Han": ["𠀀𠮷"],
    "Thai and Korean": ["สวัสดี 안녕하세요"],
    "huge number": ["9" * 5000],
    "huge hexadecimal": ["0x" + "F" * 1500],
    "other digits": ["٤٠٠١ ４００１ ²"],
    "slash soup": ["a/" * 500],
    "hyphen soup": ["a-" * 500],
    "underscore soup": ["a_" * 500],
    "minus soup": ["-1" * 300],
    "JSON": ['{"query": [null, 1e999]}'],
    "YAML": ["a: &a [*a, *a]"],
    "format string": ["%s %n {0} {x!r}"],
    "path": ["../../../etc/passwd"],
}

#: Refused as a mistake in the call.
REFUSED = {
    "no words": [],
    "empty word": [""],
    "blank": ["   "],
    "full-width blank": ["\u3000"],
    "mistyped option": ["弹幕", "--limt", "3"],
    "option in the wrong case": ["弹幕", "--Limit", "3"],
    "option with an underscore": ["弹幕", "--fail_on_no_match"],
    "option cut short": ["弹幕", "--lim", "3"],
    "option without its value": ["弹幕", "--limit"],
    "flag with a value": ["--content=1", "弹幕"],
    "only a double hyphen": ["--"],
    "words and a file": ["弹幕", "--query-file", "-"],
    "file that is not there": ["--query-file", "no/such/file"],
    "folder as a file": ["--query-file", "."],
}

#: Texts too long for an argument, for --query-file.
LONG = {
    "50,000 terms": lambda: " ".join(f"登录{n}" for n in range(50_000)),
    "50,000 numbers": lambda: "1 " * 50_000,
    "5 MB token": lambda: "x" * 5_000_000,
    "5 MB of capitals": lambda: "A" * 5_000_000,
    "a 20 KB log": lambda: "弹幕发不出去 -4215\n" + "2026-01-02 03:04:05.678 [I] code=0 `x` $Y !\n" * 450,
}


def _stderr(stderr: str) -> str:
    """The text on stderr without the line about a query that was cut."""
    return stderr.replace(f"rtckb: only the first {MAX_CHARACTERS} characters of the query were read\n", "")


@pytest.mark.parametrize("words", SEARCHED.values(), ids=SEARCHED)
def test_searched(words: list[str], sample_db: Path) -> None:
    """The words are answered with a typed status, explained, and with the pages read."""
    result = invoke(sample_db, "trtc", *words, "--explain", "--content")
    assert (result.exit_code, _stderr(result.stderr)) == (0, "")
    assert json.loads(result.stdout)["response"]["status"] in STATUSES


def test_searched_in_other_formats(sample_db: Path) -> None:
    """All the words at once are printed as YAML that gives the same document, and as text."""
    words = [word for words in SEARCHED.values() for word in words if len(word) < 100]
    argv = ["trtc", "弹幕", *words, "--explain", "--content"]
    assert yaml.safe_load(invoke(sample_db, *argv, "--format", "yaml").stdout) == document(sample_db, *argv)
    text = invoke(sample_db, *argv, "--format", "text")
    assert (text.exit_code, _stderr(text.stderr)) == (0, "")
    assert text.stdout.partition("\n")[0].partition(":")[0] in STATUSES


@pytest.mark.parametrize("words", REFUSED.values(), ids=REFUSED)
def test_refused(words: list[str], sample_db: Path) -> None:
    """Exit code 2, a message on stderr and an empty stdout."""
    result = invoke(sample_db, "trtc", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["-2"], id="signed code"),
        pytest.param([b"\xff\xfe", "弹幕".encode()], id="bytes that are no UTF-8"),
        pytest.param([b"\xed\xa0\xbd"], id="encoded surrogate"),
        pytest.param(["📚 ✅ ⚠️ 弹幕"], id="emoji"),
    ],
)
def test_searched_in_a_process(words: list[Any], sample_db: Path) -> None:
    """The words of a real argument list are answered with one document on stdout."""
    got = ask(sample_db, "trtc", *words)
    assert (got.returncode, got.stderr) == (0, b"")
    assert json.loads(got.stdout)["response"]["status"] in STATUSES


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_long_text_from_a_file(text: Any, sample_db: Path, tmp_path: Path) -> None:
    """A long text is cut and answered, and the explanation states that it was cut."""
    (tmp_path / "query").write_text(text(), "utf-8")
    result = invoke(sample_db, "trtc", "--query-file", str(tmp_path / "query"), "--explain")
    assert (result.exit_code, _stderr(result.stderr)) == (0, "")
    assert json.loads(result.stdout)["explain"]["truncated"] is True


def test_query_file_is_searched_unchanged(sample_db: Path, tmp_path: Path) -> None:
    """The text of a file gives the same answer as the same words, including line ends and shell characters."""
    words = '弹幕 $HOME `id` !\n"x"'
    (tmp_path / "query").write_text(words, "utf-8")
    from_file = document(sample_db, "trtc", "--query-file", str(tmp_path / "query"), "--explain")
    assert from_file == document(sample_db, "trtc", words, "--explain")


def test_query_from_standard_input(sample_db: Path) -> None:
    """``--query-file -`` reads 20 KB from a pipe; bytes that are no UTF-8 are replaced."""
    got = ask(sample_db, "trtc", "--query-file", "-", input="弹幕".encode() + b"\xff\0" + "。".encode() * 7_000)
    assert (got.returncode, _stderr(got.stderr.decode())) == (0, "")
    assert json.loads(got.stdout)["response"]["matches"][0]["slice_id"] == "live/danmaku-wall"


def test_closed_standard_input_is_a_usage_error(sample_db: Path) -> None:
    """Without a standard input, ``--query-file -`` is refused with this reason."""
    got = in_shell(sample_db, 'exec "$@" <&-', "trtc", "--query-file", "-")
    assert got.returncode == 2
    assert b"standard input is closed" in got.stderr


def test_silent_standard_input_is_not_read(sample_db: Path) -> None:
    """A search does not wait for an open pipe on stdin that never sends."""
    read_end, write_end = os.pipe()
    try:
        got = ask(sample_db, "trtc", "弹幕", stdin=read_end)
    finally:
        os.close(read_end)
        os.close(write_end)
    assert got.returncode == 0


LOCALES = {
    "GBK pipe": {"PYTHONIOENCODING": "gbk"},
    "ASCII pipe": {"PYTHONIOENCODING": "ascii:strict"},
    "C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "POSIX locale": {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.parametrize("variables", LOCALES.values(), ids=LOCALES)
def test_locales(variables: dict[str, str], sample_db: Path) -> None:
    """In any locale, Chinese and emoji are read and printed as UTF-8, byte for byte as in any other."""
    argv = ["trtc", "弹幕 📚", "--content", "--explain", "--format", "text"]
    got = ask(sample_db, *argv, env=variables)
    assert (got.returncode, got.stderr) == (0, b"")
    assert got.stdout == ask(sample_db, *argv).stdout
    assert "弹幕" in got.stdout.decode("utf-8")


@pytest.mark.parametrize("variables", LOCALES.values(), ids=LOCALES)
def test_locales_of_an_error(variables: dict[str, str], sample_db: Path) -> None:
    """An error about a Chinese value is a usage error, not one of encoding."""
    got = ask(sample_db, "trtc", "弹幕", "--product", "直播📚", env=variables)
    assert (got.returncode, got.stdout) == (2, b"")
    assert b"chat, call, rtc-engine, live, conference" in got.stderr
    assert b"Traceback" not in got.stderr


def in_shell(db: Path, script: str, *argv: str) -> subprocess.CompletedProcess[bytes]:
    """The command as ``"$@"`` of a shell script, since only a shell can close its streams."""
    line = [sys.executable, "-m", "rtckb", argv[0], "--db", str(db), *argv[1:]]
    return subprocess.run(
        ["/bin/bash", "-c", script, "bash", *line], env=environment(), capture_output=True, timeout=60, check=False
    )


def test_reader_that_has_gone(sample_db: Path) -> None:
    """A pipe whose reader has gone is no error: no traceback, exit code 0."""
    script = '"$@" | head -c 0; sleep 0.1; exit ${PIPESTATUS[0]}'
    got = in_shell(sample_db, script, "trtc", "弹幕", "--content")
    assert (got.returncode, got.stderr) == (0, b"")


def test_closed_pipe(sample_db: Path) -> None:
    """A pipe that is closed before the command starts is no error either."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    line = [sys.executable, "-m", "rtckb", "trtc", "--db", str(sample_db), "弹幕", "--content"]
    try:
        got = subprocess.run(line, stdout=write_end, stderr=subprocess.PIPE, env=environment(), timeout=60, check=False)
    finally:
        os.close(write_end)
    assert (got.returncode, got.stderr) == (0, b"")


def test_no_standard_output(sample_db: Path) -> None:
    """Without a standard output, an answer is a failure: one line, exit code 1."""
    for command in ("trtc", "nim"):
        got = in_shell(sample_db, 'exec "$@" >&-', command, "弹幕")
        assert (got.returncode, got.stderr.count(b"\n")) == (1, 1)
        assert got.stderr.startswith(b"rtckb: standard output: is closed")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_disk(sample_db: Path) -> None:
    """An answer that cannot be written is a failure: one line, exit code 1."""
    got = in_shell(sample_db, '"$@" >/dev/full', "trtc", "弹幕", "--content")
    assert got.returncode == 1
    assert got.stderr.startswith(b"rtckb: standard output: cannot be written")
    assert got.stderr.count(b"\n") == 1

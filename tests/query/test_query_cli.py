"""The reading commands: exit codes, formats, siblings, and one document on stdout."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from conftest import SAMPLE
from query_support import ask, document, invoke

from indexer.build import Sources, build
from query.cli import COMMANDS
from rtckb import MODULES, main

SHOWN = [["show", "live/danmaku-wall"], ["show", "voice-duet"], ["info"], ["verify"], ["trtc", "弹幕", "--explain"]]


@pytest.mark.parametrize(
    ("argv", "status", "code"),
    [
        (["弹幕"], "matched", 0),
        (["rtc-engine/media-relay"], "status_planned", 0),
        (["zzqqx"], "no_match", 4),
        (["弹幕", "--product", "chat"], "no_slice", 4),
        (["audio"], "ambiguous_product", 4),
    ],
)
def test_exit_codes(argv: list[str], status: str, code: int, sample_db: Path) -> None:
    """Every status exits with 0; with --fail-on-no-match those without a match exit with 4."""
    plain, strict = invoke(sample_db, "trtc", *argv), invoke(sample_db, "trtc", *argv, "--fail-on-no-match")
    assert (plain.exit_code, strict.exit_code) == (0, code)
    assert plain.stdout == strict.stdout
    assert json.loads(plain.stdout)["response"]["status"] == status


@pytest.mark.parametrize(
    ("argv", "valid"),
    [
        (["--product", "im"], "chat, call, rtc-engine, live, conference"),
        (["--platform", "windows"], "web, android, ios, flutter, electron"),
        (["--intent", "slice-lookup"], "error-code, pattern, feature, troubleshoot"),
        (["--limit", "0"], "a number from 1"),
        (["--limit", "many"], "not a valid integer"),
        (["--format", "xml"], "'json', 'yaml', 'text'"),
    ],
)
def test_invalid_values(argv: list[str], valid: str, sample_db: Path) -> None:
    """An invalid value is exit code 2 with the valid ones on stderr, and an empty stdout."""
    result = invoke(sample_db, "trtc", "弹幕", *argv)
    assert (result.exit_code, result.stdout) == (2, "")
    assert valid in result.stderr


def test_the_four_keys(sample_db: Path) -> None:
    """Without --content and --explain the document has the response only."""
    printed = document(sample_db, "trtc", "弹幕")
    assert list(printed) == ["response"]
    assert list(printed["response"]) == ["status", "matches", "ambiguous_candidates", "reason"]


@pytest.mark.parametrize("query", ["弹幕", "-4002", "team-standup", "zzqqx", "voice-duet"])
@pytest.mark.parametrize("flags", [["--content"], ["--explain"], ["--content", "--explain"]], ids="+".join)
def test_siblings(flags: list[str], query: str, sample_db: Path) -> None:
    """--content and --explain add siblings of the response and change nothing in it."""
    printed = document(sample_db, "trtc", query, *flags)
    assert {*printed} == {"response", *(flag.removeprefix("--") for flag in flags)}
    assert printed["response"] == document(sample_db, "trtc", query)["response"]


@pytest.mark.parametrize("argv", SHOWN, ids=" ".join)
def test_yaml_and_json_agree(argv: list[str], sample_db: Path) -> None:
    """Every reading command prints the same document as JSON and as YAML."""
    assert yaml.safe_load(invoke(sample_db, *argv, "--format", "yaml").stdout) == document(sample_db, *argv)


@pytest.mark.parametrize("argv", SHOWN, ids=" ".join)
def test_one_document_when_piped(argv: list[str], sample_db: Path) -> None:
    """Through a pipe, stdout is exactly one JSON document and stderr is empty."""
    got = ask(sample_db, *argv)
    assert (got.returncode, got.stderr) == (0, b"")
    assert json.loads(got.stdout) == document(sample_db, *argv)
    assert got.stdout.endswith(b"}\n")


@pytest.mark.parametrize("argv", SHOWN, ids=" ".join)
def test_text(argv: list[str], sample_db: Path) -> None:
    """The text format is no JSON, and not empty."""
    shown = invoke(sample_db, *argv, "--format", "text").stdout
    assert shown.strip()
    assert not shown.startswith(("{", "["))


def test_limit_caps_every_answer(sample_db: Path) -> None:
    """--limit caps the matches, whatever found them."""
    for limit in range(1, 7):
        matches = document(sample_db, "trtc", "shopping-live-room", "--limit", str(limit))["response"]["matches"]
        assert len(matches) == limit


def test_the_index_from_the_environment(sample_db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RTCKB_DB names the index where --db does not."""
    monkeypatch.setenv("RTCKB_DB", str(sample_db))
    assert json.loads(CliRunner().invoke(main, ["trtc", "弹幕"]).stdout) == document(sample_db, "trtc", "弹幕")


def test_equal_bytes(sample_db: Path) -> None:
    """The same query gives the same bytes, with any hash seed."""
    argv = ["trtc", "麦克风 授权 静音", "--explain"]
    assert len({ask(sample_db, *argv, env={"PYTHONHASHSEED": seed}).stdout for seed in ("0", "1", "2")}) == 1


def test_commands_of_the_front_door() -> None:
    """rtckb.py finds exactly these commands here."""
    assert {name for name, module in MODULES.items() if module == "query.cli"} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help(name: str) -> None:
    """Every command has a help text, and only long options."""
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert COMMANDS[name].help
    assert all(
        option.startswith("--") for p in COMMANDS[name].params if p.param_type_name == "option" for option in p.opts
    )


def test_usage_without_arguments(sample_db: Path) -> None:
    """Without a query, trtc prints its usage, exit code 2."""
    result = invoke(sample_db, "trtc")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: " in result.stderr


def test_an_index_without_slices(tmp_path: Path) -> None:
    """In an index without a TRTC base, the reason of an empty answer is that base, not the query or the product."""
    build(Sources(None, SAMPLE / "nim"), tmp_path / "nim.db")
    for query in ("弹幕", "-4002", "选哪个产品"):
        found = document(tmp_path / "nim.db", "trtc", query)["response"]
        assert (found["status"], found["reason"]) == (
            "no_match",
            "this index holds no TRTC base; build it with --trtc",
        )
    refused = invoke(tmp_path / "nim.db", "trtc", "弹幕", "--product", "live")
    assert refused.exit_code == 2
    assert "--product 'live': this index holds no TRTC base; build it with --trtc" in refused.stderr

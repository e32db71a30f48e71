"""The schemas accept what the commands print, and refuse documents outside the contract."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from query_support import document

from query.schemas import schemas
from rtckb import main

COMMANDS = [
    ["trtc", "弹幕"],
    ["trtc", "弹幕", "--content", "--explain"],
    ["trtc", "zzqqx"],
    ["show", "live/danmaku-wall"],
    ["show", "rtc-engine/media-relay"],
    ["show", "team-standup"],
    ["show", "voice-duet"],
    ["show", "knowledge/IM-SDK/消息收发/功能实现咨询.md#2"],
    ["show", "knowledge/IM-SDK/推送/iOS/排查-角标数字清不掉.md"],
    ["info"],
    ["verify"],
]


def accepts(command: str, value: Any) -> bool:
    """Whether a document is valid by the schema of a command."""
    return bool(Draft202012Validator(schemas()[command]).is_valid(value))


def test_the_command_prints_them() -> None:
    """``rtckb schema`` prints exactly these schemas."""
    assert json.loads(CliRunner().invoke(main, ["schema"]).stdout) == schemas()


@pytest.mark.parametrize("command", schemas())
def test_valid_schemas(command: str) -> None:
    """Each is a valid schema of its dialect."""
    Draft202012Validator.check_schema(schemas()[command])


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_what_commands_print(argv: list[str], sample_db: Path) -> None:
    """Every document of a command is valid."""
    Draft202012Validator(schemas()[argv[0]]).validate(document(sample_db, *argv))


@pytest.fixture
def good() -> dict[str, Any]:
    """A valid document of ``rtckb trtc``."""
    match = {
        "slice_id": "live/x",
        "confidence": "high",
        "match_strategy": "tag",
        "content_loaded": "full",
        "file_paths_read": ["knowledge-base/slices/live/x.md"],
        "related": [],
    }
    response = {"status": "matched", "matches": [match], "ambiguous_candidates": [], "reason": None}
    return {"response": response}


def test_the_good_document(good: dict[str, Any]) -> None:
    """The document that the next tests change is valid."""
    assert accepts("trtc", good)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("response", "status"), "found"),
        (("response", "matches"), []),
        (("response", "matches"), None),
        (("response", "reason"), ["x"]),
        (("response", "extra"), 1),
        (("response", "matches", 0, "confidence"), "sure"),
        (("response", "matches", 0, "match_strategy"), "guess"),
        (("response", "matches", 0, "content_loaded"), "some"),
        (("response", "matches", 0, "score"), 1.0),
        (("response", "status"), "no_match"),
        (("response", "status"), "no_slice"),
        (("response", "status"), "ambiguous_product"),
        (("explain",), []),
        (("content",), {}),
        (("more",), 1),
    ],
)
def test_broken_documents(where: tuple[Any, ...], value: Any, good: dict[str, Any]) -> None:
    """A value outside the enumerations, a missing match, and an unknown field are refused."""
    broken = copy.deepcopy(good)
    inner: Any = broken
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value
    assert not accepts("trtc", broken)


@pytest.mark.parametrize(("key", "value"), [("redacted", None), ("redacted", 1), ("commits", {}), ("more", "x")])
def test_broken_info(key: str, value: Any, sample_db: Path) -> None:
    """``redacted`` is true or false, and unknown fields are refused."""
    printed = document(sample_db, "info")
    assert accepts("info", printed)
    assert not accepts("info", printed | {key: value})


@pytest.mark.parametrize("key", ["status", "matches", "ambiguous_candidates", "reason"])
def test_no_key_may_be_missing(key: str, good: dict[str, Any]) -> None:
    """A response without one of its four keys is refused."""
    del good["response"][key]
    assert not accepts("trtc", good)

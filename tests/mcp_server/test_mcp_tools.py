"""A tool is its command: the same options, the same schema, and a call is a command line."""

import shlex
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from query.errors import UsageError
from query.mcp.cli import ANSWERED_BY, tools
from query.mcp.tools import LEFT_OUT, Tool
from query.schemas import schemas

TOOLS = tools()


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_schemas(tool: Tool) -> None:
    """The input schema is valid and closed; the output schema is the one that ``rtckb schema`` prints, an object's."""
    Draft202012Validator.check_schema(tool.input_schema)
    assert tool.input_schema["additionalProperties"] is False
    assert tool.input_schema["required"] == [tool.positional]
    assert tool.output_schema == schemas()[tool.command]
    assert tool.output_schema["type"] == "object"


@pytest.mark.parametrize("name", ANSWERED_BY)
def test_the_arguments_are_the_options(name: str) -> None:
    """Each option of the command is an argument, unless it reads or writes a file or is about printing."""
    command, positional = ANSWERED_BY[name]
    spelled = {option for p in command.params if p.param_type_name == "option" for option in p.opts}
    wanted = {option[2:].replace("-", "_") for option in spelled - LEFT_OUT}
    assert set(TOOLS[name].input_schema["properties"]) == wanted | {positional}


def test_types() -> None:
    """A number, a choice, a flag and a repeatable option are told as such, with what holds by default."""
    trtc, nim = (TOOLS[name].input_schema["properties"] for name in ("trtc_search", "nim_search"))
    assert (trtc["limit"]["type"], trtc["limit"]["default"]) == ("integer", 5)
    assert (trtc["content"]["type"], trtc["content"]["default"]) == ("boolean", False)
    assert (nim["tag_mode"]["type"], nim["tag_mode"]["enum"]) == ("string", ["tokens", "whole"])
    assert (nim["tag"]["type"], nim["tag"]["items"]) == ("array", {"type": "string"})
    assert all(found.get("description") for name, found in trtc.items())


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("trtc_search", {"query": "弹幕 -1002"}, "-- '弹幕 -1002'"),
        ("trtc_search", {"query": "--limit", "limit": 3, "content": True}, "--limit=3 --content -- --limit"),
        ("trtc_search", {"query": "x", "product": None, "explain": False}, "-- x"),
        ("trtc_search", {"query": "", "platform": "--content"}, "--platform=--content -- ''"),
        ("trtc_search", {"query": None}, "--"),
        (
            "nim_search",
            {"query": "x", "tag": ["a b", "-c"], "root_cause": "d"},
            "'--tag=a b' --tag=-c --root-cause=d -- x",
        ),
        ("nim_search", {"query": "x", "tag": []}, "-- x"),
        ("nim_search", {"query": "x", "literal": "yes"}, "--literal=yes -- x"),
        ("show", {"id": "live/gift-combo", "platform": "ios"}, "--platform=ios -- live/gift-combo"),
    ],
)
def test_command_line(name: str, arguments: dict[str, Any], line: str) -> None:
    """Arguments become options, values stay with their option, and the question comes last, out of their reach."""
    assert sorted(TOOLS[name].command_line(arguments)) == sorted(shlex.split(line))
    assert TOOLS[name].command_line(arguments)[-1] == shlex.split(line)[-1]


@pytest.mark.parametrize("name", ["db", "sync", "query_file", "format", "--content", "words", ""])
def test_no_other_argument(name: str) -> None:
    """What is no argument of the tool reaches no command."""
    with pytest.raises(UsageError, match="wanted one of query, "):
        TOOLS["nim_search"].command_line({"query": "x", name: "y"})

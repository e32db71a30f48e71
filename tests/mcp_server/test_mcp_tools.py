"""A tool is its command: the same options and the same schema, and its arguments are checked by that schema."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from query.errors import UsageError
from query.mcp.cli import tools
from query.mcp.tools import Tool
from query.schemas import schemas

TOOLS = tools()


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_schemas(tool: Tool) -> None:
    """The input schema is valid and closed; the output schema is the one that ``rtckb schema`` prints, an object's."""
    Draft202012Validator.check_schema(tool.input_schema)
    assert tool.input_schema["additionalProperties"] is False
    assert tool.input_schema["required"] == [tool.positional]
    assert tool.output_schema == schemas()[tool.command.name or ""]
    assert tool.output_schema["type"] == "object"


def test_types() -> None:
    """A number, a choice, a flag and a repeatable option have their types in the schema, and their defaults."""
    trtc, nim = (TOOLS[name].input_schema["properties"] for name in ("trtc_search", "nim_search"))
    assert (trtc["limit"]["type"], trtc["limit"]["default"]) == ("integer", 5)
    assert (trtc["content"]["type"], trtc["content"]["default"]) == ("boolean", False)
    assert (nim["tag_mode"]["type"], nim["tag_mode"]["enum"]) == ("string", ["tokens", "whole"])
    assert (nim["tag"]["type"], nim["tag"]["items"]) == ("array", {"type": "string"})
    assert all(found.get("description") for found in trtc.values())
    assert {*TOOLS["show"].input_schema["properties"]} == {"id", "platform"}


@pytest.mark.parametrize(
    ("name", "arguments", "options"),
    [
        ("trtc_search", {"query": "-1002"}, {}),
        ("trtc_search", {"query": "--limit", "limit": 3, "content": True}, {"limit": 3, "content": True}),
        ("trtc_search", {"query": "", "product": None, "explain": False}, {"with_explanation": False}),
        ("nim_search", {"query": "x", "tag": ["a b"], "type": "咨询类"}, {"tags": ["a b"], "track_type": "咨询类"}),
        ("nim_search", {"query": "x", "tag": [], "tag_mode": "whole"}, {"tags": [], "tag_mode": "whole"}),
        ("show", {"id": "live/gift-combo", "platform": "ios"}, {"platform": "ios"}),
    ],
)
def test_arguments_that_fit(name: str, arguments: dict[str, Any], options: dict[str, Any]) -> None:
    """Arguments become the parameters of the command; null is as good as no argument."""
    assert TOOLS[name].check(arguments) == options
    not_null = {key: value for key, value in arguments.items() if value is not None}
    assert Draft202012Validator(TOOLS[name].input_schema).is_valid(not_null)


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("trtc_search", {}, "argument 'query': found None; wanted a string"),
        ("trtc_search", {"query": ["弹幕"]}, "argument 'query': found ['弹幕']; wanted a string"),
        ("trtc_search", {"query": "x", "limit": "3"}, "argument 'limit': found '3'; wanted an integer"),
        ("trtc_search", {"query": "x", "limit": True}, "argument 'limit': found True; wanted an integer"),
        ("trtc_search", {"query": "x", "content": "yes"}, "argument 'content': found 'yes'; wanted true or false"),
        ("trtc_search", {"query": "x", "content": 1}, "argument 'content': found 1; wanted true or false"),
        ("trtc_search", {"query": "x", "product": 5}, "argument 'product': found 5; wanted a string"),
        ("trtc_search", {"query": "x", "db": "/etc/passwd"}, "argument 'db': wanted one of query, product"),
        ("nim_search", {"query": "x", "sync": True}, "argument 'sync': wanted one of query, type"),
        ("nim_search", {"query": "x", "tag": "y"}, "argument 'tag': found 'y'; wanted a list of strings"),
        ("nim_search", {"query": "x", "tag": [None]}, "argument 'tag': found [None]; wanted a list of strings"),
        ("nim_search", {"query": "x", "tag_mode": "t"}, "argument 'tag_mode': found 't'; wanted one of tokens, whole"),
        ("show", {"id": None}, "argument 'id': found None; wanted a string"),
    ],
)
def test_arguments_that_do_not_fit(name: str, arguments: dict[str, Any], message: str) -> None:
    """What the input schema refuses is refused, with the name of the argument, what was found and wanted."""
    assert not Draft202012Validator(TOOLS[name].input_schema).is_valid(arguments)
    with pytest.raises(UsageError) as caught:
        TOOLS[name].check(arguments)
    assert str(caught.value).startswith(message)

"""The server, asked by the SDK's own client over standard input and output: the answers are the command's."""

import json
import shutil
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import click
import pytest
from conftest import environment
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult
from query_support import ask, document
from test_golden import CASES, read, sentence

from query.mcp.cli import ANSWERED_BY, tools
from query.mcp.tools import LEFT_OUT

TOOL = {command.name: name for name, (command, _) in ANSWERED_BY.items()}


def talk(db: Path, talking: Callable[[Client], Awaitable[Any]], mode: str = "auto") -> Any:
    """What a conversation with a server of its own gives."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "rtckb", "mcp", "--db", str(db)], env=environment()
    )

    async def connect() -> Any:
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await talking(client)

    return anyio.run(connect)


def as_call(argv: list[str]) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments that ask what a command line asks."""
    name = TOOL[argv[0]]
    command, positional = ANSWERED_BY[name]
    context = command.make_context(argv[0], list(argv[1:]))
    arguments: dict[str, Any] = {}
    for parameter in command.params:
        value, option = context.params[parameter.name or ""], parameter.opts[0]
        if isinstance(parameter, click.Argument):
            arguments[positional] = " ".join(value) if isinstance(value, tuple) else value
        elif option not in LEFT_OUT and value != parameter.get_default(context):
            arguments[option[2:].replace("-", "_")] = list(value) if isinstance(value, tuple) else value
    return name, arguments


@pytest.fixture(scope="module")
def answers(sample_db: Path) -> dict[Path, CallToolResult]:
    """Every golden question's answer, all from one server."""

    async def ask_all(client: Client) -> dict[Path, CallToolResult]:
        return {case: await client.call_tool(*as_call(read(case)[0])) for case in CASES}

    found: dict[Path, CallToolResult] = talk(sample_db, ask_all)
    return found


@pytest.mark.parametrize("case", CASES, ids=sentence)
def test_golden(case: Path, answers: dict[Path, CallToolResult]) -> None:
    """The structured content is exactly the recorded document, and the text is the same document."""
    answer = answers[case]
    assert not answer.is_error
    assert answer.structured_content == read(case)[1]
    assert [json.loads(content.text) for content in answer.content] == [read(case)[1]]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_tools(mode: str, sample_db: Path) -> None:
    """Three tools, which say that they only read, with their commands' schemas; by both ways to begin."""

    async def list_tools(client: Client) -> Any:
        return (await client.list_tools()).tools

    offered = talk(sample_db, list_tools, mode)
    assert {tool.name: (tool.input_schema, tool.output_schema) for tool in offered} == {
        name: (tool.input_schema, tool.output_schema) for name, tool in tools().items()
    }
    assert all(tool.annotations.read_only_hint and tool.annotations.idempotent_hint for tool in offered)
    assert all(tool.description for tool in offered)


WRONG = [
    ["trtc", "弹幕", "--product", "im"],
    ["trtc", "弹幕", "--platform", "windows"],
    ["trtc", "弹幕", "--intent", "slice-lookup"],
    ["trtc", "弹幕", "--limit", "0"],
    ["trtc", " "],
    ["nim", "登录", "--type", "别的"],
    ["show", "live/no-such-slice"],
    ["show", "live/gift-combo", "--platform", "windows"],
]


def test_usage_errors(sample_db: Path) -> None:
    """What the command refuses, the tool refuses with the same message, as its own error; and goes on."""

    async def ask_wrongly(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(*as_call(argv)) for argv in [*WRONG, ["show", "live/gift-combo"]]]

    *refused, right = talk(sample_db, ask_wrongly)
    told = [ask(sample_db, *argv) for argv in WRONG]
    assert {done.returncode for done in told} == {2}
    assert [f"Error: {answer.content[0].text}\n" for answer in refused] == [
        done.stderr.decode("utf-8").partition("\n\n")[2] for done in told
    ]
    assert {answer.is_error for answer in refused} == {True}
    assert right.structured_content == document(sample_db, "show", "live/gift-combo")


BADLY_MADE = [
    ("trtc_search", {}, "wanted either query words"),
    ("trtc_search", {"query": "x", "limit": "many"}, "'many' is not a valid integer"),
    ("trtc_search", {"query": "x", "content": "yes"}, "'--content' does not take a value"),
    ("trtc_search", {"query": "x", "db": "/etc/passwd"}, "argument 'db': wanted one of query"),
    ("nim_search", {"query": "x", "sync": True}, "argument 'sync': wanted one of query"),
    ("nim_search", {"query": "x", "token_mode": "word"}, "'word' is not one of"),
    ("show", {}, "Missing argument"),
]


def test_badly_made_calls(sample_db: Path) -> None:
    """A missing, mistyped or unknown argument is the tool's error; an unknown tool is the protocol's."""

    async def ask_badly(client: Client) -> tuple[list[CallToolResult], str]:
        results = [await client.call_tool(name, arguments) for name, arguments, _ in BADLY_MADE]
        with pytest.raises(MCPError) as caught:
            await client.call_tool("sync", {})
        return results, str(caught.value)

    results, unknown = talk(sample_db, ask_badly)
    assert [(r.is_error, wanted in r.content[0].text) for r, (*_, wanted) in zip(results, BADLY_MADE, strict=True)] == [
        (True, True)
    ] * len(BADLY_MADE)
    assert "wanted one of trtc_search, nim_search, show" in unknown


def test_a_long_question_is_told_to_be_cut(sample_db: Path) -> None:
    """What the command says on stderr beside an answer comes as a text of its own."""

    async def ask_long(client: Client) -> CallToolResult:
        return await client.call_tool("trtc_search", {"query": "弹幕" + " " * 3000})

    answer = talk(sample_db, ask_long)
    assert [content.text for content in answer.content[1:]] == [
        "rtckb: only the first 2000 characters of the query were read"
    ]


@pytest.fixture
def replaced(tmp_path: Path, sample_db: Path) -> Path:
    """An index that a test may replace."""
    return Path(shutil.copyfile(sample_db, tmp_path / "index.db"))


def test_the_index_is_replaced_under_the_server(replaced: Path, sample_db: Path, redacted_db: Path) -> None:
    """The next call reads the new index; one that is gone is the call's error, not the server's end."""
    asked = ["show", "knowledge/IM-SDK/推送/iOS/排查-角标数字清不掉.md"]

    async def ask_thrice(client: Client) -> list[CallToolResult]:
        first = await client.call_tool(*as_call(asked))
        replaced.unlink()
        second = await client.call_tool(*as_call(asked))
        shutil.copyfile(redacted_db, replaced.with_suffix(".new")).replace(replaced)
        return [first, second, await client.call_tool(*as_call(asked))]

    first, second, third = talk(replaced, ask_thrice)
    assert first.structured_content == document(sample_db, *asked)
    assert (second.is_error, "no such file" in second.content[0].text) == (True, True)
    assert third.structured_content == document(redacted_db, *asked) != first.structured_content

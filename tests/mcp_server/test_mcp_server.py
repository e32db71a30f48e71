"""The server, called by the SDK's own client over standard input and output: its answers are those of the commands."""

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

from query.mcp.cli import tools

#: A quarter of the golden cases; one with a text snapshot has no document.
QUERIES = [case for case in CASES[::4] if "text" not in read(case)]
#: Command -> its tool.
TOOLS = {tool.command.name: tool for tool in tools().values()}


def talk(db: Path, talking: Callable[[Client], Awaitable[Any]], mode: str = "auto") -> Any:
    """The result of a conversation with a server of its own."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "rtckb", "mcp", "--db", str(db)], env=environment()
    )

    async def connect() -> Any:
        async with Client(server, mode=mode, read_timeout_seconds=60) as client:
            return await talking(client)

    return anyio.run(connect)


def as_call(argv: list[str]) -> tuple[str, dict[str, Any]]:
    """The tool and the arguments that ask for the same as a command line."""
    tool = TOOLS[argv[0]]
    context = tool.command.make_context(argv[0], list(argv[1:]))
    words = next(context.params[p.name or ""] for p in tool.command.params if isinstance(p, click.Argument))
    arguments: dict[str, Any] = {tool.positional: words if isinstance(words, str) else " ".join(words)}
    for name, option in tool.options.items():
        value = context.params[option.name or ""]
        if value != option.get_default(context):
            arguments[name] = list(value) if isinstance(value, tuple) else value
    return tool.name, arguments


@pytest.fixture(scope="module")
def answers(sample_db: Path) -> dict[Path, CallToolResult]:
    """The answer to every query, all from one server."""

    async def ask_all(client: Client) -> dict[Path, CallToolResult]:
        return {case: await client.call_tool(*as_call(read(case)["argv"])) for case in QUERIES}

    found: dict[Path, CallToolResult] = talk(sample_db, ask_all)
    return found


@pytest.mark.parametrize("case", QUERIES, ids=sentence)
def test_golden(case: Path, answers: dict[Path, CallToolResult], sample_db: Path) -> None:
    """The structured content is exactly the document of the command, and the text is the same document."""
    answer, wanted = answers[case], document(sample_db, *read(case)["argv"])
    assert not answer.is_error
    assert answer.structured_content == wanted
    assert [json.loads(content.text) for content in answer.content] == [wanted]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_tools(mode: str, sample_db: Path) -> None:
    """Three tools, marked as read-only, with the schemas of their commands; in both versions of the handshake."""

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
    """A value that the command refuses is refused by the tool with the same message, and the server goes on."""

    async def ask_wrongly(client: Client) -> list[CallToolResult]:
        return [await client.call_tool(*as_call(argv)) for argv in [*WRONG, ["show", "live/gift-combo"]]]

    *refused, right = talk(sample_db, ask_wrongly)
    printed = [ask(sample_db, *argv) for argv in WRONG]
    assert {done.returncode for done in printed} == {2}
    assert [f"Error: {answer.content[0].text}\n" for answer in refused] == [
        done.stderr.decode("utf-8").partition("\n\n")[2] for done in printed
    ]
    assert {answer.is_error for answer in refused} == {True}
    assert right.structured_content == document(sample_db, "show", "live/gift-combo")


def test_badly_made_calls(sample_db: Path) -> None:
    """An argument that does not fit is an error of the tool; an unknown tool is one of the protocol."""

    async def ask_badly(client: Client) -> tuple[CallToolResult, CallToolResult, str]:
        wrong = await client.call_tool("nim_search", {"query": "x", "tag": "y"})
        missing = await client.call_tool("show", {})
        with pytest.raises(MCPError) as caught:
            await client.call_tool("sync", {})
        return wrong, missing, str(caught.value)

    wrong, missing, unknown = talk(sample_db, ask_badly)
    assert (wrong.is_error, wrong.content[0].text) == (True, "argument 'tag': found 'y'; wanted a list of strings")
    assert (missing.is_error, missing.content[0].text) == (True, "argument 'id': found None; wanted a string")
    assert "wanted one of trtc_search, nim_search, show" in unknown


def test_calls_at_once(sample_db: Path) -> None:
    """Calls that arrive together are answered as they would be one after the other, each with its own answer."""
    queries = ["弹幕", "礼物", "美颜", "-4002"] * 5

    async def ask_at_once(client: Client) -> list[CallToolResult]:
        found: dict[int, CallToolResult] = {}

        async def ask_one(number: int) -> None:
            found[number] = await client.call_tool("trtc_search", {"query": queries[number]})

        async with anyio.create_task_group() as group:
            for number in range(len(queries)):
                group.start_soon(ask_one, number)
        return [found[number] for number in range(len(queries))]

    wanted = {query: document(sample_db, "trtc", query) for query in queries}
    assert [answer.structured_content for answer in talk(sample_db, ask_at_once)] == [wanted[q] for q in queries]


def test_a_note_on_a_long_question(sample_db: Path) -> None:
    """What the command prints on stderr beside an answer is a text of its own."""

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
    """The next call reads the new index. If the file is missing, the call fails, and the server goes on."""
    argv = ["show", "knowledge/IM-SDK/推送/iOS/排查-角标数字清不掉.md"]

    async def ask_thrice(client: Client) -> list[CallToolResult]:
        first = await client.call_tool(*as_call(argv))
        replaced.unlink()
        second = await client.call_tool(*as_call(argv))
        shutil.copyfile(redacted_db, replaced.with_suffix(".new")).replace(replaced)
        return [first, second, await client.call_tool(*as_call(argv))]

    first, second, third = talk(replaced, ask_thrice)
    assert first.structured_content == document(sample_db, *argv)
    assert (second.is_error, "no such file" in second.content[0].text) == (True, True)
    assert third.structured_content == document(redacted_db, *argv) != first.structured_content

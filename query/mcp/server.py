"""The server: answers tools/list and tools/call on standard input and output. The only import of the SDK."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ContentBlock,
    ListToolsResult,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as Offered

from query.mcp.tools import Answer, Ask, Tool

#: No tool writes, and the same question to the same index has the same answer.
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False)


def serve(tools: Mapping[str, Tool], ask: Ask) -> None:
    """Answer until standard input ends. Calls are answered one after the other."""

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_offered(tool) for tool in tools.values()])

    async def call_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in tools:
            raise MCPError(INVALID_PARAMS, f"tool {params.name!r}: wanted one of {', '.join(tools)}")
        return _result(ask(tools[params.name], params.arguments or {}))

    server = Server("rtckb", version=version("rtckb"), on_list_tools=list_tools, on_call_tool=call_tool)
    anyio.run(_run, server)


async def _run(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _offered(tool: Tool) -> Offered:
    return Offered(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=_READS,
    )


def _result(answer: Answer) -> CallToolResult:
    texts: list[ContentBlock] = [TextContent(text=text) for text in (answer.text, answer.notes) if text]
    return CallToolResult(content=texts, structured_content=answer.document, is_error=answer.document is None)

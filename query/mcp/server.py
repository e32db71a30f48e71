"""The server: answers tools/list and tools/call on standard input and output. The only import of the SDK."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import anyio
from anyio import CapacityLimiter, to_thread
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
from mcp_types import Tool as ToolDescription

from query.errors import RtckbError
from query.limits import sanitize_text
from query.mcp.session import Session
from query.mcp.tools import Tool
from query.output import render

#: No tool writes, and the same call on the same index gives the same answer.
_ANNOTATIONS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, destructive_hint=False, open_world_hint=False)


def serve(tools: Mapping[str, Tool], session: Session) -> None:
    """Answer until standard input ends. Calls run in a thread beside the event loop, one at a time."""
    one_call = CapacityLimiter(1)

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_description(tool) for tool in tools.values()])

    async def call_tool(_: object, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in tools:
            raise MCPError(INVALID_PARAMS, f"tool {params.name!r}: wanted one of {', '.join(tools)}")
        return await to_thread.run_sync(_call, session, tools[params.name], params.arguments or {}, limiter=one_call)

    server = Server("rtckb", version=version("rtckb"), on_list_tools=list_tools, on_call_tool=call_tool)
    anyio.run(_run, server)


async def _run(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def _description(tool: Tool) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        description=tool.command.help,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=_ANNOTATIONS,
    )


def _call(session: Session, tool: Tool, arguments: Mapping[str, Any]) -> CallToolResult:
    try:
        answer = session.call(tool, arguments)
    except RtckbError as error:
        return CallToolResult(content=[TextContent(text=sanitize_text(str(error)))], is_error=True)
    notes = (f"rtckb: {note}" for note in answer.notes)
    content: list[ContentBlock] = [TextContent(text=text) for text in (render(answer.document, "json", ""), *notes)]
    return CallToolResult(content=content, structured_content=answer.document)

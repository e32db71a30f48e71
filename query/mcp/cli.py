"""The command ``rtckb mcp``. Parses, calls, exits; nothing else."""

from collections.abc import Callable
from contextlib import closing

import click

from query.cli import show_command
from query.command import Command, check_query, db_option, db_path
from query.errors import RtckbError
from query.index import Index
from query.mcp.session import Session
from query.mcp.tools import Tool
from query.nim import cli as nim
from query.output import Answer
from query.schemas import schemas
from query.show import show
from query.trtc import cli as trtc


class SdkMissing(RtckbError):
    """The SDK of the protocol, an extra of this distribution, is not installed."""


@click.command("mcp", cls=Command)
@db_option
def mcp_command(db: str | None) -> None:
    """Offer trtc, nim and show to agents as tools of the Model Context Protocol, on standard input and output."""
    with closing(Session(db_path(db))) as session:
        session.index()  # an index that cannot be used is reported before an agent connects
        try:
            from query.mcp.server import serve  # noqa: PLC0415  # the extra may be missing
        except ModuleNotFoundError as error:
            raise SdkMissing(f"mcp: the SDK is missing (no module {error.name!r}); pip install 'rtckb[mcp]'") from error
        serve(tools(), session)


def tools() -> dict[str, Tool]:
    """Each tool by its name."""
    found = (
        Tool("trtc_search", trtc.trtc, "query", _search_with(trtc.answer), schemas()["trtc"]),
        Tool("nim_search", nim.nim, "query", _search_with(nim.answer), schemas()["nim"]),
        Tool("show", show_command, "id", _show, schemas()["show"]),
    )
    return {tool.name: tool for tool in found}


def _search_with(answer: Callable[..., Answer]) -> Callable[..., Answer]:
    return lambda index, query, **options: answer(index, check_query(query), **options)


def _show(index: Index, wanted: str, platform: str | None = None) -> Answer:
    return Answer(show(index, wanted, platform), str, is_empty=False, notes=())


COMMANDS = {"mcp": mcp_command}

"""The command ``rtckb mcp``. Parses, calls, prints, exits; nothing else."""

import io
import json
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import click

from query.cli import show_command
from query.command import Command, db_option, db_path
from query.errors import RtckbError, UsageError
from query.index import open_index
from query.mcp.tools import Answer, Tool, tool
from query.nim.cli import nim
from query.schemas import schemas
from query.trtc.cli import trtc

#: Tool -> the command that answers it, and its argument that is no option.
ANSWERED_BY = {"trtc_search": (trtc, "query"), "nim_search": (nim, "query"), "show": (show_command, "id")}


class SdkMissing(RtckbError):
    """The protocol's SDK, an extra of this distribution, is not installed."""


@click.command("mcp", cls=Command)
@db_option
def mcp_command(db: str | None) -> None:
    """Offer trtc, nim and show to agents as tools of the Model Context Protocol, on standard input and output."""
    path = db_path(db)
    with open_index(path):
        pass  # an index that cannot be used is told before an agent connects
    try:
        from query.mcp.server import serve  # noqa: PLC0415  # the extra may be missing
    except ModuleNotFoundError as error:
        raise SdkMissing(f"mcp: the SDK is missing (no module {error.name!r}); pip install 'rtckb[mcp]'") from error
    serve(tools(), lambda asked, arguments: ask(asked, arguments, path))


def tools() -> dict[str, Tool]:
    """Each tool by its name, from its command's own options and schema."""
    found = {}
    for name, (command, positional) in ANSWERED_BY.items():
        described = command.to_info_dict(click.Context(command))
        found[name] = tool(name, positional, described, schemas()[command.name or name])
    return found


def ask(asked: Tool, arguments: Mapping[str, Any], db: Path) -> Answer:
    """Run the tool's command as the shell would, and keep what it prints."""
    command = ANSWERED_BY[asked.name][0]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            line = ["--format=json", f"--db={db}", *asked.command_line(arguments)]
            command.main(line, f"rtckb {asked.command}", standalone_mode=False)
        except (click.ClickException, UsageError) as error:
            return Answer(None, error.format_message() if isinstance(error, click.ClickException) else str(error))
        except SystemExit:
            return Answer(None, err.getvalue().strip())
    return Answer(json.loads(out.getvalue()), out.getvalue().strip(), err.getvalue().strip())


COMMANDS = {"mcp": mcp_command}

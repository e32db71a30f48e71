"""The front door: each subcommand's name and the module that answers it. Imports none of them until called."""

from importlib import import_module
from pathlib import Path

import click

from query import ARCHIVE

#: Subcommand -> the module whose ``COMMANDS`` answers it. The two halves never import each other.
ANSWERED_BY = {
    "build": "indexer.cli",
    "check": "indexer.cli",
    "bundle": "indexer.cli",
    "demo": "indexer.cli",
    "sync": "indexer.cli",
    "trtc": "query.trtc.cli",
    "nim": "query.nim.cli",
    "show": "query.cli",
    "info": "query.cli",
    "verify": "query.cli",
    "diff": "query.cli",
    "schema": "query.cli",
    "eval": "query.evaluation.cli",
    "mcp": "query.mcp.cli",
}


class FrontDoor(click.Group):
    """Finds a subcommand by name and only then imports the module that holds it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Every subcommand that is here, in the order of the table."""
        return [name for name in ANSWERED_BY if _is_here(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module that answers ``cmd_name``, if there is one."""
        if cmd_name not in ANSWERED_BY:
            return None
        if not _is_here(cmd_name):
            raise click.UsageError(
                f"{cmd_name}: this copy only answers; wanted an installed rtckb ('pip install rtckb')", ctx
            )
        commands: dict[str, click.Command] = import_module(ANSWERED_BY[cmd_name]).COMMANDS
        return commands[cmd_name]


def _is_here(name: str) -> bool:
    return not (ARCHIVE and ANSWERED_BY[name].startswith("indexer."))


@click.group(cls=FrontDoor, context_settings={"help_option_names": ["--help"], "max_content_width": 110})
@click.version_option(package_name="rtckb", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Two real-time-communication knowledge bases in one SQLite file, answered exactly and offline."""
    context.obj = None if ARCHIVE else synchronize


def synchronize(index: Path) -> str | None:
    """Hand ``nim --sync`` the half that writes; the reason why it failed, or None."""
    reason: str | None = import_module("indexer.sync").synchronize(index)
    return reason


if __name__ == "__main__":
    main()

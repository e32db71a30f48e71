"""The command line: a table of subcommands and the modules that contain them.

A module is imported when its command is called: neither half is loaded for the other one's commands.
"""

from importlib import import_module
from pathlib import Path

import click

from query import ARCHIVE

#: Subcommand -> the module whose ``COMMANDS`` contains it.
MODULES = {
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


class LazyGroup(click.Group):
    """Imports the module of a subcommand when the subcommand is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """Every subcommand of this installation, in the order of the table."""
        return [name for name in MODULES if _is_available(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of ``cmd_name``, if there is one."""
        if cmd_name not in MODULES:
            return None
        if not _is_available(cmd_name):
            found = "found the archive of a plugin, which cannot write an index"
            raise click.UsageError(f"{cmd_name}: {found}; wanted an installed rtckb ('pip install rtckb')", ctx)
        commands: dict[str, click.Command] = import_module(MODULES[cmd_name]).COMMANDS
        return commands[cmd_name]


def _is_available(name: str) -> bool:
    return not (ARCHIVE and MODULES[name].startswith("indexer."))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["--help"], "max_content_width": 110})
@click.version_option(package_name="rtckb", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Two real-time-communication knowledge bases in one SQLite file, answered exactly and offline."""
    context.obj = None if ARCHIVE else synchronize


def synchronize(index: Path) -> str | None:
    """Update ``index`` for ``nim --sync``, since the query half does not import the indexer; why it failed, or None."""
    reason: str | None = import_module("indexer.sync").synchronize(index)
    return reason


if __name__ == "__main__":
    main()

"""The front door: each subcommand's name and the module that answers it. Imports none of them until called."""

from collections import Counter
from importlib import import_module
from pathlib import Path

import click

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
#: Whether this was read from a bundle's archive, as its loader tells: the half that writes stays behind.
IN_A_BUNDLE = hasattr(getattr(__spec__, "loader", None), "archive")


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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Refuse an option of one value that stands twice: click would drop the first in silence."""
        name, command, rest = super().resolve_command(ctx, args)
        for option, times in _times_given(command, rest).items() if command else ():
            if times > 1 and not option.multiple:
                raise click.UsageError(f"Option '{option.opts[0]}' stands {times} times; wanted it once.", ctx)
        return name, command, rest


def _times_given(command: click.Command, args: list[str]) -> Counter[click.Option]:
    """How often each option with a value stands among the arguments; the values themselves are passed over."""
    options = [param for param in command.params if isinstance(param, click.Option) and not param.is_flag]
    named = {name: option for option in options for name in option.opts}
    found: Counter[click.Option] = Counter()
    rest = iter(args[: args.index("--")] if "--" in args else args)
    for token in rest:
        name, glued, _ = token.partition("=")
        if name in named:
            found[named[name]] += 1
            if not glued:
                next(rest, None)
    return found


def _is_here(name: str) -> bool:
    return not (IN_A_BUNDLE and ANSWERED_BY[name].startswith("indexer."))


@click.group(cls=FrontDoor, context_settings={"help_option_names": ["--help"], "max_content_width": 110})
@click.version_option(package_name="rtckb", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Two real-time-communication knowledge bases in one SQLite file, answered exactly and offline."""
    context.obj = None if IN_A_BUNDLE else synchronise


def synchronise(index: Path) -> str | None:
    """Hand ``nim --sync`` the half that writes; the reason why it failed, or None."""
    reason: str | None = import_module("indexer.sync").synchronise(index)
    return reason


if __name__ == "__main__":
    main()

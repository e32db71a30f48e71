"""The rule of all commands that an option of one value is given once."""

from collections import Counter

import click


class OnceCommand(click.Command):
    """A command that refuses a repeated option of one value. click would silently drop all but the last."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; a repeated option is a usage error. Only click's parser lists every occurrence of an option."""
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for param, times in Counter(given).items():
            if times > 1 and isinstance(param, click.Option) and not (param.multiple or param.is_flag or param.count):
                raise click.UsageError(f"Option '{param.opts[0]}' is given {times} times; wanted it once.", ctx)
        return super().parse_args(ctx, args)

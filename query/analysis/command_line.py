"""What the commands of both halves refuse before they look at anything."""

from collections import Counter

import click


class OnceCommand(click.Command):
    """A command that refuses an option of one value given twice: click would drop the first in silence."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse; a repeated option is a usage error. Only click's parser tells each time that one was given."""
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for param, times in Counter(given).items():
            if times > 1 and isinstance(param, click.Option) and not (param.multiple or param.is_flag or param.count):
                raise click.UsageError(f"Option '{param.opts[0]}' stands {times} times; wanted it once.", ctx)
        return super().parse_args(ctx, args)

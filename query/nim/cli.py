"""The command ``rtckb nim``: parses options, searches, prints the answer and exits."""

from collections.abc import Sequence
from typing import Any

import click

from query.analysis.tokens import TokenMode
from query.command import QueryCommand, db_option, db_path, format_option, print_answer, query_text, synchronizer
from query.errors import UsageError
from query.index import Index, open_index
from query.limits import MAX_CHARACTERS, sanitize_text
from query.nim.contract import Modes, TagMode
from query.nim.explain import explain, explanation
from query.nim.request import Given
from query.nim.search import search_nim
from query.nim.text import SYNC_FAILED, as_text
from query.output import Answer, json_values

_TOKEN_MODES, _TAG_MODES = ([mode.value for mode in modes] for modes in (TokenMode, TagMode))


@click.command(cls=QueryCommand)
@click.argument("words", nargs=-1, metavar="QUERY...")
@click.option("--query-file", metavar="FILE", help="Read the description from a file; - is standard input.")
@click.option("--type", "track_type", metavar="TYPE", help="排查类 or 咨询类 [default: recognised].")
@click.option("--product", metavar="NAME", help="A standard product, an alias of one, or a folder.")
@click.option("--feature", metavar="NAME", help="A feature folder, or part of its name.")
@click.option("--platform", metavar="NAME", help="Breaks ties and is shown; never filters.")
@click.option("--sub-type", metavar="NAME", help="Shown only.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="A code, an API name, a feature word; repeatable.")
@click.option("--title", metavar="TEXT", help="The problem in one line [default: the query].")
@click.option("--root-cause", metavar="TEXT", help="The cause, where it is known.")
@click.option("--solution", metavar="TEXT", help="The solution, where it is known.")
@click.option("--description", metavar="TEXT", help="The symptoms [default: the query].")
@click.option("--nearest", is_flag=True, help="Also print the nearest cases that did not qualify, as such.")
@click.option("--token-mode", type=click.Choice(_TOKEN_MODES), default=TokenMode.CHAR.value, show_default=True)
@click.option("--tag-mode", type=click.Choice(_TAG_MODES), default=TagMode.TOKENS.value, show_default=True)
@click.option("--literal", is_flag=True, help="The specification word by word: keep placeholders, all tags, copies.")
@click.option("--sync", is_flag=True, help="Pull the case base and rebuild the index first.")
@click.option("--explain", "with_explanation", is_flag=True, help="Add where each parameter came from, as a sibling.")
@click.option("--fail-on-no-match", is_flag=True, help="Exit 4 when nothing qualifies.")
@format_option
@db_option
def nim(words: tuple[str, ...], query_file: str | None, how: str | None, db: str | None, **options: Any) -> None:
    """Find earlier NIM cases like the problem or question described."""
    fail_on_no_match = options.pop("fail_on_no_match")
    query = query_text(words, query_file)
    failure = synchronizer()(db_path(db)) if options.pop("sync") else None
    if failure:
        click.echo(f"rtckb: sync: {failure}", err=True)
    with open_index(db_path(db)) as index:
        found = answer(index, query, sync_failed=bool(failure), **options)
    print_answer(found, how, fail_on_no_match)


def answer(  # noqa: PLR0913  # one parameter per option that is no field of the request
    index: Index,
    query: str,
    tags: Sequence[str] = (),
    token_mode: str = TokenMode.CHAR,
    tag_mode: str = TagMode.TOKENS,
    literal: bool = False,
    nearest: bool = False,
    with_explanation: bool = False,
    sync_failed: bool = False,
    **texts: str | None,
) -> Answer:
    """Search with the values of the options; ``texts`` are the fields of ``Given`` that are one text each.

    ``nearest`` changes only the text. ``with_explanation`` adds a sibling of the response.

    Raises:
        UsageError: the query has no letter and no digit, or ``track_type`` names no track type.
    """
    modes = Modes(TokenMode(token_mode), TagMode(tag_mode), literal)
    values = {name: None if text is None else sanitize_text(text) for name, text in texts.items()}
    given = Given(**values, tags=tuple(map(sanitize_text, tags)), modes=modes)
    searched = (query, given.title, given.description, given.root_cause, given.solution, *given.tags)
    if not any(character.isalnum() for text in searched if text for character in text):
        raise UsageError("the query holds no letter and no digit; wanted words to search for")
    found = search_nim(index, query, given)
    siblings = {"explain": explain(index, found)} if with_explanation else {}
    if sync_failed:
        found = found._replace(notes=(*found.notes, SYNC_FAILED))
    cut = len(query) > MAX_CHARACTERS
    return Answer(
        json_values({"response": found.as_dict(), **siblings}),
        lambda: as_text(found, nearest, explanation(siblings["explain"]) if siblings else ()),
        is_empty=not found.matches,
        notes=(f"only the first {MAX_CHARACTERS} characters of the description were read",) * cut,
    )


COMMANDS = {"nim": nim}

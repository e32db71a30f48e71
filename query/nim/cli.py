"""The command ``rtckb nim``. Parses, calls, prints, exits; nothing else."""

import sys
from typing import Any

import click

from query.analysis.tokens import TokenMode
from query.command import QueryCommand, db_option, db_path, format_option, query_text, synchronizer
from query.errors import EXIT_NO_MATCH, UsageError
from query.index import open_index
from query.limits import MAX_CHARACTERS, sanitize_text
from query.nim.contract import Modes, TagMode
from query.nim.explain import explain, explanation
from query.nim.request import TEXTS, Given, recognize_request
from query.nim.search import search_nim
from query.nim.text import SYNC_FAILED, as_text
from query.output import default_format, emit, render


def _refuse_wordless(text: str, given: Given) -> None:
    """A question of punctuation or emoji alone is an empty one (cases.md A5)."""
    said = (text, given.title, given.description, given.root_cause, given.solution, *given.tags)
    if not any(character.isalnum() for part in said if part for character in part):
        raise UsageError("the query holds no letter and no digit; wanted words to search for")


def _choice(values: type[TokenMode] | type[TagMode]) -> "click.Choice[str]":  # quoted: a type only from click 8.2 on
    return click.Choice([value.value for value in values])


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
@click.option("--token-mode", type=_choice(TokenMode), default=TokenMode.CHAR.value, show_default=True)
@click.option("--tag-mode", type=_choice(TagMode), default=TagMode.TOKENS.value, show_default=True)
@click.option("--literal", is_flag=True, help="The specification word by word: keep placeholders, all tags, copies.")
@click.option("--sync", is_flag=True, help="Pull the case base and rebuild the index first.")
@click.option("--explain", is_flag=True, help="Add where each parameter came from, as a sibling.")
@click.option("--fail-on-no-match", is_flag=True, help="Exit 4 when nothing qualifies.")
@format_option
@db_option
def nim(words: tuple[str, ...], query_file: str | None, how: str | None, db: str | None, **options: Any) -> None:
    """Find earlier NIM cases like the problem or question described."""
    text = query_text(words, query_file)
    if len(text) > MAX_CHARACTERS:
        click.echo(f"rtckb: only the first {MAX_CHARACTERS} characters of the description were read", err=True)
    failed = synchronizer()(db_path(db)) if options["sync"] else None
    if failed:
        click.echo(f"rtckb: sync: {failed}", err=True)
    modes = Modes(TokenMode(options["token_mode"]), TagMode(options["tag_mode"]), options["literal"])
    texts = {name: None if options[name] is None else sanitize_text(options[name]) for name in TEXTS}
    given = Given(**texts, tags=tuple(map(sanitize_text, options["tags"])), modes=modes)
    _refuse_wordless(text, given)
    with open_index(db_path(db)) as index:
        answer = search_nim(index, recognize_request(index, text, given))
        siblings = {"explain": explain(index, answer)} if options["explain"] else {}
        if failed:
            answer = answer.with_note(SYNC_FAILED)
        lines = explanation(siblings["explain"]) if siblings else ()
        document: dict[str, Any] = {"response": answer.as_dict(), **siblings}
        emit(render(document, how or default_format(), as_text(answer, options["nearest"], lines)))
    if options["fail_on_no_match"] and not answer.matches:
        sys.exit(EXIT_NO_MATCH)


COMMANDS = {"nim": nim}

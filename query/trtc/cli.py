"""The command ``rtckb trtc``. Parses, calls, prints, exits; nothing else."""

import sys
from typing import Any

import click

from query.command import QueryCommand, db_option, db_path, format_option, query_text
from query.errors import EXIT_NO_MATCH
from query.index import open_index
from query.limits import MAX_CHARACTERS
from query.output import default_format, emit, render
from query.trtc.contract import Status
from query.trtc.pipeline import search_trtc
from query.trtc.request import check_request
from query.trtc.text import report


@click.command(cls=QueryCommand)
@click.argument("words", nargs=-1, metavar="QUERY...")
@click.option("--query-file", metavar="FILE", help="Read the query from a file; - is standard input.")
@click.option("--product", metavar="ID", help="chat, call, rtc-engine, live or conference, as the index lists them.")
@click.option("--platform", metavar="NAME", help="web, android, ios, flutter, electron, or a framework's name.")
@click.option("--intent", metavar="NAME", help="error-code, pattern, feature or troubleshoot [default: recognised].")
@click.option("--limit", type=int, default=5, show_default=True, help="At most so many matches.")
@click.option("--content", is_flag=True, help="Add the text of every file read, as a sibling of the response.")
@click.option("--explain", "with_explanation", is_flag=True, help="Add which words matched what, as a sibling.")
@click.option("--fail-on-no-match", is_flag=True, help="Exit 4 when the answer has no match.")
@format_option
@db_option
def trtc(  # noqa: PLR0913  # one parameter per option
    words: tuple[str, ...],
    query_file: str | None,
    product: str | None,
    platform: str | None,
    intent: str | None,
    limit: int,
    content: bool,
    with_explanation: bool,
    fail_on_no_match: bool,
    how: str | None,
    db: str | None,
) -> None:
    """Find TRTC slices for a question, an error code, a slice id or a scenario id."""
    text = query_text(words, query_file)
    with open_index(db_path(db)) as index:
        request = check_request(index, text, product, platform, intent, limit)
        response, search = search_trtc(index, request)
        if search.question.truncated:
            click.echo(f"rtckb: only the first {MAX_CHARACTERS} characters of the query were read", err=True)
        siblings: dict[str, Any] = {}
        if with_explanation or content:
            from query.trtc.explain import explain, pages_read  # noqa: PLC0415  # few searches ask for it
        if with_explanation:
            siblings["explain"] = explain(search, response)
        if content:
            siblings["content"] = pages_read(search, response)
        document = {"response": response.as_dict(), **siblings}
        emit(render(document, how or default_format(), report(search, response, siblings)))
    if fail_on_no_match and response.status not in {Status.MATCHED, Status.STATUS_PLANNED}:
        sys.exit(EXIT_NO_MATCH)


COMMANDS = {"trtc": trtc}

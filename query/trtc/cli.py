"""The command ``rtckb trtc``. Parses, calls, prints, exits; nothing else."""

from typing import Any

import click

from query.command import QueryCommand, db_option, db_path, format_option, print_answer, query_text
from query.index import Index, open_index
from query.limits import MAX_CHARACTERS
from query.output import Answer, json_values
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
def trtc(words: tuple[str, ...], query_file: str | None, how: str | None, db: str | None, **options: Any) -> None:
    """Find TRTC slices for a question, an error code, a slice id or a scenario id."""
    fail_on_no_match = options.pop("fail_on_no_match")
    query = query_text(words, query_file)
    with open_index(db_path(db)) as index:
        found = answer(index, query, **options)
    print_answer(found, how, fail_on_no_match)


def answer(  # noqa: PLR0913  # one parameter per option
    index: Index,
    query: str,
    product: str | None = None,
    platform: str | None = None,
    intent: str | None = None,
    limit: int = 5,
    content: bool = False,
    with_explanation: bool = False,
) -> Answer:
    """Search with the values of the options; ``content`` and ``with_explanation`` add siblings of the response.

    Raises:
        UsageError: names the option, what was given and what is valid.
    """
    response, search = search_trtc(index, check_request(index, query, product, platform, intent, limit))
    document: dict[str, Any] = {"response": response.as_dict()}
    if with_explanation or content:
        from query.trtc.explain import explain, pages_read  # noqa: PLC0415  # few searches need it
    if with_explanation:
        document["explain"] = explain(search, response)
    if content:
        document["content"] = pages_read(search, response)
    return Answer(
        json_values(document),
        lambda: report(search, response, document),
        is_empty=response.status not in {Status.MATCHED, Status.STATUS_PLANNED},
        notes=(f"only the first {MAX_CHARACTERS} characters of the query were read",) * search.parsed.truncated,
    )


COMMANDS = {"trtc": trtc}

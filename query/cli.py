"""The reading commands: trtc, show, info, verify, schema, eval. Parses, calls, prints, exits; nothing else."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from query.contract import Intent, Request, Status
from query.errors import EXIT_NO_MATCH
from query.evaluate import evaluate, figures, judged_text, read_labelled
from query.index import Index, open_index
from query.inspect import info, show, verify
from query.options import Command, QueryCommand, db_option, db_path, format_option, query_text
from query.output import default_format, emit, render
from query.request import check_request
from query.schemas import schemas
from query.trtc.chain import search_trtc
from query.trtc.explain import explain, pages_read
from query.trtc.report import report, table


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
        siblings: dict[str, Any] = {}
        if with_explanation:
            siblings["explain"] = explain(search, response)
        if content:
            siblings["content"] = pages_read(search, response)
        document = {"response": response.as_dict(), **siblings}
        emit(render(document, how or default_format(), report(search, response, siblings)))
    if fail_on_no_match and response.status not in {Status.MATCHED, Status.STATUS_PLANNED}:
        sys.exit(EXIT_NO_MATCH)


@click.command("show", cls=Command)
@click.argument("wanted", metavar="ID")
@click.option("--platform", metavar="NAME", help="Only the overview and this platform's page.")
@format_option
@db_option
def show_command(wanted: str, platform: str | None, how: str | None, db: str | None) -> None:
    """Print one slice, scenario or case whole."""
    with open_index(db_path(db)) as index:
        found = show(index, wanted, platform)
    texts = [page["text"] for page in found.get("pages", ())] or [found.get("text", "")]
    head = table([(key, _inline(value)) for key, value in found.items() if key not in {"pages", "text"} and value])
    emit(render(found, how or default_format(), "\n\n".join((head, *filter(None, texts)))))


def _inline(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(item["code"] if isinstance(item, dict) else str(item) for item in value)
    return str(value)


@click.command("info", cls=Command)
@format_option
@db_option
def info_command(how: str | None, db: str | None) -> None:
    """Say what an index was built from, and how much it holds."""
    with open_index(db_path(db)) as index:
        document = info(index)
    rows = [(key, str(value)) for key, value in document.items() if key != "sources"]
    rows += [(f"{base}.{name}", str(n)) for base, counts in document["sources"].items() for name, n in counts.items()]
    emit(render(document, how or default_format(), table(rows)))


@click.command("verify", cls=Command)
@format_option
@db_option
def verify_command(how: str | None, db: str | None) -> None:
    """Check an index's structure and recompute its digest; exit 3 if either does not hold."""
    with open_index(db_path(db)) as index:
        document = verify(index)
    emit(render(document, how or default_format(), f"ok  {document['digest']}"))


@click.command("schema", cls=Command)
def schema_command() -> None:
    """Print the JSON Schema of each command's document."""
    emit(json.dumps(schemas(), ensure_ascii=False, indent=2))


@click.command("eval", cls=Command)
@click.argument("labelled", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.jsonl")
@click.option("--misses", is_flag=True, help="Also print every row that pulls a figure down.")
@format_option
@db_option
def eval_command(labelled: Path, misses: bool, how: str | None, db: str | None) -> None:
    """Answer a file of labelled questions and print how often the answers are right."""
    rows = read_labelled(labelled)
    with open_index(db_path(db)) as index:
        plain, contested = evaluate(rows, lambda row: _answer(index, row))
    document = {
        "rows": len(plain),
        "figures": {name: round(share, 4) for name, share in figures(plain).items()},
        "contested": {"rows": len(contested), "figures": {n: round(s, 4) for n, s in figures(contested).items()}},
    }
    missed = [verdict for verdict in (*plain, *contested) if verdict.missed]
    if misses:
        document["misses"] = [{"id": v.row.get("id", ""), "missed": list(v.missed), "got": v.got} for v in missed]
    text = table([(name, f"{share:.3f}") for name, share in figures(plain).items()])
    text += f"\n{len(plain)} rows, {len(contested)} contested ones apart"
    text += "".join("\n" + judged_text(verdict) for verdict in missed) if misses else ""
    emit(render(document, how or default_format(), text))


def _answer(index: Index, row: Any) -> Any:
    request = Request(row["query"], row.get("product"), row.get("platform"), Intent(row.get("intent") or "feature"))
    return search_trtc(index, request)[0].as_dict()


COMMANDS = {
    "trtc": trtc,
    "show": show_command,
    "info": info_command,
    "verify": verify_command,
    "schema": schema_command,
    "eval": eval_command,
}

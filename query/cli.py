"""The commands about an index: show, info, verify, schema, eval. Parses, calls, prints, exits; nothing else."""

import json
from pathlib import Path
from typing import Any

import click

from query.evaluate import Labelled, Verdict, apart, by_kind, figures, judge, judged_text, read_labelled
from query.index import Index, open_index
from query.inspect import info, show, verify
from query.nim.judge import is_nim
from query.nim.judge import judge as judge_nim
from query.options import Command, db_option, db_path, format_option
from query.output import default_format, emit, render
from query.request import check_request
from query.schemas import schemas
from query.trtc.chain import search_trtc
from query.trtc.report import table


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
        plain, contested = apart(_judge(index, row) for row in rows)
    document = {
        "rows": len(plain),
        "figures": _rounded(figures(plain)),
        "by_kind": {kind: _rounded(found) for kind, found in by_kind(plain).items()},
        "contested": {"rows": len(contested), "figures": _rounded(figures(contested))},
    }
    missed = [verdict for verdict in (*plain, *contested) if verdict.missed]
    if misses:
        document["misses"] = [{"id": v.row.get("id", ""), "missed": list(v.missed), "got": v.got} for v in missed]
    text = table([(name, f"{share:.3f}") for name, share in figures(plain).items()])
    text += f"\n{len(plain)} rows, {len(contested)} contested ones apart"
    text += "".join("\n" + judged_text(verdict) for verdict in missed) if misses else ""
    emit(render(document, how or default_format(), text))


def _rounded(found: dict[str, float]) -> dict[str, float]:
    return {name: round(share, 4) for name, share in found.items()}


def _judge(index: Index, row: Labelled) -> Verdict:
    if is_nim(row):
        return judge_nim(index, row)
    asked = row.get("product"), row.get("platform"), row.get("intent")
    request = check_request(index, row["query"], *asked)
    return judge(row, search_trtc(index, request)[0].as_dict())


COMMANDS = {
    "show": show_command,
    "info": info_command,
    "verify": verify_command,
    "schema": schema_command,
    "eval": eval_command,
}

"""The commands about an index: show, info, verify, diff, schema. Parses, calls, prints, exits; nothing else."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from query.command import Command, db_option, db_path, format_of, format_option
from query.diff.compare import diff
from query.diff.text import as_markdown, as_text
from query.errors import EXIT_DIFFERENT
from query.index import open_index
from query.output import default_format, emit, json_values, render, table
from query.schemas import schemas
from query.show import info, show, verify


@click.command("show", cls=Command)
@click.argument("wanted", metavar="ID")
@click.option("--platform", metavar="NAME", help="Only the overview and this platform's page.")
@format_option
@db_option
def show_command(wanted: str, platform: str | None, how: str | None, db: str | None) -> None:
    """Print one slice, scenario or case whole."""
    with open_index(db_path(db)) as index:
        document = show(index, wanted, platform)
    texts = [page["text"] for page in document.get("pages", ())] or [document.get("text", "")]
    head = table([(key, _inline(value)) for key, value in document.items() if key not in {"pages", "text"} and value])
    emit(render(document, how or default_format(), "\n\n".join((head, *filter(None, texts)))))


def _inline(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(item["code"] if isinstance(item, dict) else str(item) for item in value)
    return str(value)


@click.command("info", cls=Command)
@format_option
@db_option
def info_command(how: str | None, db: str | None) -> None:
    """Print what an index was built from, and how much it holds."""
    with open_index(db_path(db)) as index:
        document = json_values(info(index))
    rows = [(key, str(value)) for key, value in document.items() if key != "sources"]
    for base, counts in document["sources"].items():
        rows += [(f"{base}.{name}", str(n)) for name, n in counts.items()]
    emit(render(document, how or default_format(), table(rows)))


@click.command("verify", cls=Command)
@format_option
@db_option
def verify_command(how: str | None, db: str | None) -> None:
    """Check an index's structure and recompute its hashes; exit 3 if either does not hold."""
    with open_index(db_path(db)) as index:
        document = verify(index)
    emit(render(document, how or default_format(), f"ok  {document['digest']}"))


@click.command("diff", cls=Command)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option("--exit-code", "by_exit_code", is_flag=True, help="Exit 1 if the two differ.")
@format_of("json", "yaml", "text", "markdown")
def diff_command(old: Path, new: Path, by_exit_code: bool, how: str | None) -> None:
    """Print what was added, removed, moved or changed between two indexes; markdown is for a pull request."""
    with open_index(old) as before, open_index(new) as after:
        document = json_values(diff(before, after))
    how = how or default_format()
    emit(render(document, how, as_markdown(document) if how == "markdown" else as_text(document)))
    if by_exit_code and not document["equal"]:
        sys.exit(EXIT_DIFFERENT)


@click.command("schema", cls=Command)
def schema_command() -> None:
    """Print the JSON Schema of each command's document."""
    emit(json.dumps(schemas(), ensure_ascii=False, indent=2))


COMMANDS = {
    "show": show_command,
    "info": info_command,
    "verify": verify_command,
    "diff": diff_command,
    "schema": schema_command,
}

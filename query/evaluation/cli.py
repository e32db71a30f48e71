"""The command ``rtckb eval``. Parses, calls, prints, exits; nothing else."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from query.command import Command, db_option, db_path, format_option
from query.errors import UsageError
from query.evaluation import nim, trtc
from query.evaluation.against import change_text, compared, read_run
from query.evaluation.figures import Verdict, calibration, figures, grouped, missed_text, split_contested
from query.evaluation.labelled import Labelled, is_nim, read_labelled
from query.index import NIM_SIGNALS, Index, SignalSource, open_index
from query.output import default_format, emit, render, table

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("eval", cls=Command)
@click.argument("labelled", type=_FILE, metavar="FILE.jsonl")
@click.option("--misses", is_flag=True, help="Also print every row that lowers a figure.")
@click.option("--calibrate", is_flag=True, help="Also print how often the first answer of each grade is right.")
@click.option("--against", type=_FILE, metavar="OLD.json", help="Print which rows changed since an older run's JSON.")
@click.option(
    "--without",
    type=click.Choice([source.value for source in SignalSource]),
    multiple=True,
    help="Disable a source of evidence, to see what it is worth; repeatable.",
)
@format_option
@db_option
def eval_command(  # noqa: PLR0913  # one parameter per option
    labelled: Path,
    misses: bool,
    calibrate: bool,
    against: Path | None,
    without: tuple[str, ...],
    how: str | None,
    db: str | None,
) -> None:
    """Answer a file of labelled queries and print how often the answers are right."""
    rows = read_labelled(labelled)
    old = read_run(against) if against else None
    with open_index(db_path(db), _disabled_signals(without, rows)) as index:
        counted, contested = split_contested(_judge(index, row) for row in rows)
    document = _document(counted, contested)
    shares = table([(name, f"{share:.3f}") for name, share in document["figures"].items()])
    parts = [shares, f"{len(counted)} rows, {len(contested)} contested ones apart"]
    missed = [verdict for verdict in (*counted, *contested) if verdict.missed]
    if misses:
        document["misses"] = [{"id": v.row["id"], "missed": list(v.missed), "got": v.summary} for v in missed]
        parts += map(missed_text, missed)
    if calibrate:
        document["calibration"] = calibration(counted)
        parts.append(_calibration_text(document["calibration"]))
    if old is not None:
        document["against"] = compared(old, document["verdicts"])
        parts.append(change_text(document["against"]))
    emit(render(document, how or default_format(), "\n".join(parts)))


def _disabled_signals(names: Sequence[str], rows: Sequence[Labelled]) -> frozenset[SignalSource]:
    disabled = frozenset(map(SignalSource, names))
    if disabled - NIM_SIGNALS and all(map(is_nim, rows)):
        unused, used = (", ".join(sorted(sources)) for sources in (disabled - NIM_SIGNALS, NIM_SIGNALS))
        raise UsageError(f"--without: found {unused}, which no NIM search uses; wanted {used}")
    return disabled


def _judge(index: Index, row: Labelled) -> Verdict:
    return nim.judge(index, row) if is_nim(row) else trtc.judge(row, trtc.answer(index, row))


def _document(counted: Sequence[Verdict], contested: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "rows": len(counted),
        "figures": figures(counted),
        "by_kind": grouped(counted, "kind"),
        "by_lang": grouped(counted, "lang"),
        "contested": {"rows": len(contested), "figures": figures(contested)},
        "verdicts": {verdict.row["id"]: list(verdict.missed) for verdict in (*counted, *contested)},
    }


def _calibration_text(found: Sequence[dict[str, Any]]) -> str:
    counts = ((c, f"{c['correct']} of {c['answers']} first answers correct") for c in found)
    return table([(f"{c['command']} {c['found_by']} {c['grade']}", text) for c, text in counts])


COMMANDS = {"eval": eval_command}

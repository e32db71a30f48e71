"""The command ``rtckb eval``. Parses, calls, prints, exits; nothing else."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from query.command import Command, db_option, db_path, format_option
from query.errors import UsageError
from query.evaluation import nim, trtc
from query.evaluation.against import change_text, compared, read_run
from query.evaluation.figures import Verdict, apart, calibration, figures, grouped, judged_text, rounded
from query.evaluation.labelled import Labelled, is_nim, read_labelled
from query.index import NIM_SIGNALS, Index, SignalSource, open_index
from query.output import default_format, emit, render, table

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("eval", cls=Command)
@click.argument("labelled", type=_FILE, metavar="FILE.jsonl")
@click.option("--misses", is_flag=True, help="Also print every row that pulls a figure down.")
@click.option("--calibrate", is_flag=True, help="Also print how often the first answer of each grade is right.")
@click.option("--against", type=_FILE, metavar="OLD.json", help="Say which rows an older run's JSON had otherwise.")
@click.option(
    "--without",
    type=click.Choice([bridge.value for bridge in SignalSource]),
    multiple=True,
    help="Leave a bridge out, to see what it is worth; repeatable.",
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
    """Answer a file of labelled questions and print how often the answers are right."""
    rows = read_labelled(labelled)
    old = read_run(against) if against else None
    left_out = frozenset(map(SignalSource, without))
    if left_out - NIM_SIGNALS and all(map(is_nim, rows)):
        unused = ", ".join(sorted(left_out - NIM_SIGNALS))
        raise UsageError(
            f"--without: found {unused}, over which no NIM question goes; wanted {', '.join(sorted(NIM_SIGNALS))}"
        )
    with open_index(db_path(db), left_out) as index:
        plain, contested = apart(_judge(index, row) for row in rows)
    document = _document(plain, contested)
    parts = [_figures_text(plain, contested)]
    missed = [verdict for verdict in (*plain, *contested) if verdict.missed]
    if misses:
        document["misses"] = [{"id": v.row["id"], "missed": list(v.missed), "got": v.got} for v in missed]
        parts += map(judged_text, missed)
    if calibrate:
        document["calibration"] = calibration(plain)
        parts.append(_calibration_text(document["calibration"]))
    if old is not None:
        document["against"] = compared(old, document["verdicts"])
        parts.append(change_text(document["against"]))
    emit(render(document, how or default_format(), "\n".join(parts)))


def _judge(index: Index, row: Labelled) -> Verdict:
    return nim.judge(index, row) if is_nim(row) else trtc.judge(row, trtc.answer(index, row))


def _document(plain: Sequence[Verdict], contested: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "rows": len(plain),
        "figures": rounded(figures(plain)),
        "by_kind": {kind: rounded(found) for kind, found in grouped(plain, "kind").items()},
        "by_lang": {lang: rounded(found) for lang, found in grouped(plain, "lang").items()},
        "contested": {"rows": len(contested), "figures": rounded(figures(contested))},
        "verdicts": {verdict.row["id"]: list(verdict.missed) for verdict in (*plain, *contested)},
    }


def _figures_text(plain: Sequence[Verdict], contested: Sequence[Verdict]) -> str:
    shares = table([(name, f"{share:.3f}") for name, share in figures(plain).items()])
    return f"{shares}\n{len(plain)} rows, {len(contested)} contested ones apart"


def _calibration_text(found: Sequence[dict[str, Any]]) -> str:
    return table(
        [
            (f"{c['command']} {c['found_by']} {c['grade']}", f"{c['correct']} of {c['answers']} first answers correct")
            for c in found
        ]
    )


COMMANDS = {"eval": eval_command}

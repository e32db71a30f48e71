"""The writing commands: build, check, bundle, demo, sync. They parse, call, print and exit."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import click

from indexer.build import Sources, build, check_sources
from indexer.command import DEFAULT_INDEX, EXIT_FAILED, PATH, Command, build_options, sources_options
from indexer.demo import run_demo
from indexer.errors import SourceNotFound
from indexer.output import FORMATS, summary_text
from indexer.package.bundle import bundle
from indexer.reading.sources import source_path
from indexer.records import Severity
from indexer.store.previous import holds_other_sources
from indexer.sync import DEFAULT_FOLDER, NIM, REPO, SECONDS, TIME_LIMIT, TRTC, Plan, update_and_rebuild


@click.command("build", cls=Command)
@sources_options
@build_options
@click.option("--strict", is_flag=True, help="Fail, and publish nothing, if any file had to be repaired or rejected.")
@click.option("--redact", is_flag=True, help="Mask phone numbers, e-mail addresses, keys, @names and customers.")
@click.option(
    "--calibration",
    "calibrations",
    type=PATH,
    multiple=True,
    metavar="FILE",
    help="The output of 'rtckb eval --calibrate --format json', to be printed by --explain; repeatable.",
)
def build_command(  # noqa: PLR0913  # one parameter per option
    trtc: Path | None,
    nim: Path | None,
    output: Path,
    jobs: int,
    strict: bool,
    redact: bool,
    calibrations: tuple[Path, ...],
) -> None:
    """Compile the knowledge bases into one index file; without --trtc and --nim, the embedded sample."""
    if not (trtc or nim) and holds_other_sources(output):
        wanted = "its sources with --trtc and --nim, or another file with -o"
        raise SourceNotFound(f"{output}: is an index of other sources than the sample; wanted {wanted}")
    with _given_or_sample(trtc, nim) as folders:
        sources = replace(folders, redact=redact, calibrations=calibrations)
        summary = build(sources, output, jobs, strict, _show_step)
    click.echo(summary_text(summary, output, redact), err=True)


@contextmanager
def _given_or_sample(trtc: Path | None, nim: Path | None) -> Iterator[Sources]:
    """The bases given, or the embedded sample if none is."""
    with as_file(files("indexer").joinpath("data", "sample")) as sample:
        yield Sources(trtc, nim) if trtc or nim else Sources(sample / "trtc", sample / "nim")


def _show_step(name: str) -> None:
    """Show on a terminal which step of a build begins."""
    if sys.stderr is not None and sys.stderr.isatty():
        click.echo(f"build: {name}", err=True)


def _print(text: str) -> None:
    """Print to stdout. If stdout was closed before the start, click would print nothing and succeed."""
    if sys.stdout is None:
        raise OSError("standard output: is closed; wanted an open one")
    click.echo(text)


@click.command("check", cls=Command)
@sources_options
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="github: workflow commands, which show each finding at its line of a pull request.",
)
def check_command(trtc: Path | None, nim: Path | None, format_name: str) -> None:
    """List repaired and rejected files, missing references, unlisted pages and duplicates; exit 1 on errors."""
    with _given_or_sample(trtc, nim) as sources:
        findings = check_sources(sources)
        if format_name == "github":
            findings = tuple(replace(f, path=source_path(f, sources.trtc, sources.nim)) for f in findings)
    _print(FORMATS[format_name](findings))
    if any(finding.severity == Severity.ERROR for finding in findings):
        sys.exit(EXIT_FAILED)


@click.command("bundle", cls=Command)
@click.option("-o", "--output", type=PATH, required=True, metavar="DIR", help="A new folder, or an earlier bundle.")
@click.option(
    "--db",
    "index",
    type=PATH,
    default=DEFAULT_INDEX,
    envvar="RTCKB_DB",
    metavar="FILE",
    help=f"The index [default: $RTCKB_DB, else {DEFAULT_INDEX}].",
)
@click.option("--allow-personal", is_flag=True, help="Accept an index that was built without --redact.")
def bundle_command(output: Path, index: Path, allow_personal: bool) -> None:
    """Write a plugin folder: the index, a program that answers from it, two skills, a manifest and checksums."""
    click.echo(f"{output}: bundled, version {bundle(index, output, allow_personal)}", err=True)


@click.command("demo", cls=Command)
def demo_command() -> None:
    """Build the embedded sample in a temporary folder, and run and print six example queries."""
    run_demo(_print)


@click.command("sync", cls=Command)
@click.option(
    "--dir", "folder", type=PATH, metavar="DIR", help=f"The git clone [default: ${NIM}, else {DEFAULT_FOLDER}]."
)
@click.option(
    "--repo", "repository", metavar="URL", help=f"Its repository [default: ${REPO}, else the specification's]."
)
@click.option("--trtc", type=PATH, metavar="DIR", help=f"The TRTC base, if the index contains one [default: ${TRTC}].")
@build_options
@click.option(
    "--timeout",
    "time_limit",
    type=click.IntRange(1),
    metavar="SECONDS",
    help=f"The time limit for git [default: ${SECONDS}, else {TIME_LIMIT}].",
)
def sync_command(output: Path, jobs: int, **given: Any) -> None:
    """Clone or pull the NIM case base with git, without a prompt, and rebuild the index from it."""
    plan = replace(Plan.from_environment(), **{name: value for name, value in given.items() if value is not None})
    click.echo(f"{plan.folder}: {update_and_rebuild(plan, output, jobs)}", err=True)


COMMANDS = {
    "build": build_command,
    "check": check_command,
    "bundle": bundle_command,
    "demo": demo_command,
    "sync": sync_command,
}

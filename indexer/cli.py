"""The writing commands: build, check, bundle, demo, sync. They parse, call, print and exit."""

import sys
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

import click

from indexer.build import STEPS, Sources, build, check_sources
from indexer.command import EXIT_FAILED, Command, PathArgument, jobs_option, output_option, sources_options
from indexer.demo import run_demo
from indexer.errors import SourceNotFound
from indexer.output import FORMATS, summary_text
from indexer.package.bundle import bundle
from indexer.reading.sources import source_path
from indexer.records import Severity
from indexer.store.previous import holds_other_sources
from indexer.sync import TIME_LIMIT, Plan, update_and_rebuild


@click.command("build", cls=Command)
@sources_options
@output_option
@jobs_option
@click.option("--strict", is_flag=True, help="Fail, and publish nothing, if any file had to be repaired or rejected.")
@click.option(
    "--calibration",
    "calibrations",
    type=PathArgument(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="The output of 'rtckb eval --calibrate --format json', to be printed by --explain; repeatable.",
)
@click.option(
    "--redact", is_flag=True, help="Mask phone numbers, e-mail addresses, keys and @names; print customers as a count."
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
    with as_file(files("indexer").joinpath("data", "sample")) as sample, _Bar() as bar:
        if not (trtc or nim) and holds_other_sources(output):
            wanted = "its sources with --trtc and --nim, or another file with -o"
            raise SourceNotFound(f"{output}: is an index of other sources than the sample; wanted {wanted}")
        folders = (trtc, nim) if trtc or nim else (sample / "trtc", sample / "nim")
        summary = build(Sources(*folders, redact, calibrations), output, jobs, strict, bar.step)
    click.echo(summary_text(summary, output, redact), err=True)


def _print(text: str) -> None:
    """Print to stdout. If stdout was closed before the start, click would print nothing and succeed."""
    if sys.stdout is None:
        raise OSError("standard output: is closed; wanted an open one")
    click.echo(text)


class _Bar:
    """A progress bar on a terminal; in a pipe, nothing."""

    def __init__(self) -> None:
        self._bar = click.progressbar(length=len(STEPS), label="build", file=sys.stderr, item_show_func=str)
        self._hidden = sys.stderr is None or not sys.stderr.isatty()

    def __enter__(self) -> "_Bar":
        if not self._hidden:
            self._bar.__enter__()
        return self

    def step(self, name: str) -> None:
        """Show that the step ``name`` begins."""
        if not self._hidden:
            self._bar.update(1, name)

    def __exit__(self, *exception: object) -> None:
        if not self._hidden:
            self._bar.__exit__(*exception)  # type: ignore[arg-type]  # what the interpreter passes


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
    with as_file(files("indexer").joinpath("data", "sample")) as sample:
        sources = Sources(trtc, nim) if trtc or nim else Sources(sample / "trtc", sample / "nim")
        findings = check_sources(sources)
        if format_name == "github":
            findings = tuple(replace(f, path=source_path(f, sources.trtc, sources.nim)) for f in findings)
    _print(FORMATS[format_name](findings))
    if any(finding.severity == Severity.ERROR for finding in findings):
        sys.exit(EXIT_FAILED)


@click.command("bundle", cls=Command)
@click.option(
    "-o",
    "--output",
    type=PathArgument(path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder to write: a new one, or an earlier bundle, which is replaced.",
)
@click.option(
    "--db",
    "index",
    type=PathArgument(path_type=Path),
    default=Path("build/rtckb.db"),
    envvar="RTCKB_DB",
    metavar="FILE",
    help="The index [default: $RTCKB_DB, else build/rtckb.db].",
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
    "--dir",
    "folder",
    type=PathArgument(path_type=Path),
    metavar="DIR",
    help="The git clone [default: $RTCKB_NIM, else ~/nim-knowledge-base/rags/knowledge].",
)
@click.option(
    "--repo",
    "repository",
    metavar="URL",
    help="The repository to clone [default: $RTCKB_NIM_REPO, else the specification's].",
)
@click.option(
    "--trtc",
    type=PathArgument(path_type=Path),
    metavar="DIR",
    help="The TRTC base, if the index also contains one [default: $RTCKB_TRTC].",
)
@output_option
@jobs_option
@click.option(
    "--timeout",
    "time_limit",
    type=click.IntRange(1),
    metavar="SECONDS",
    help=f"The time limit for git [default: $RTCKB_SYNC_SECONDS, else {TIME_LIMIT}].",
)
def sync_command(  # noqa: PLR0913  # one parameter per option
    folder: Path | None, repository: str | None, trtc: Path | None, output: Path, jobs: int, time_limit: int | None
) -> None:
    """Clone or pull the NIM case base with git, without a prompt, and rebuild the index from it."""
    default = Plan.from_environment()
    plan = Plan(
        folder=folder or default.folder,
        repository=repository or default.repository,
        trtc=trtc or default.trtc,
        time_limit=time_limit or default.time_limit,
    )
    click.echo(f"{plan.folder}: {update_and_rebuild(plan, output, jobs)}", err=True)


COMMANDS = {
    "build": build_command,
    "check": check_command,
    "bundle": bundle_command,
    "demo": demo_command,
    "sync": sync_command,
}

"""The writing commands: build, check, bundle, demo, sync. Parses, calls, prints, exits; nothing else."""

import sys
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

import click

from indexer.build import STEPS, Sources, build, check_sources, source_path
from indexer.command import EXIT_FAILED, Command, Folder, sources_options
from indexer.demo import run_demo
from indexer.errors import SourceNotFound
from indexer.output import FORMATS, summary_text
from indexer.package.bundle import bundle
from indexer.records import Severity
from indexer.store.previous import holds_other_sources
from indexer.sync import TIME_LIMIT, Plan, update_and_rebuild


@click.command("build", cls=Command)
@sources_options
@click.option("-o", "--output", type=Folder(path_type=Path), default=Path("build/rtckb.db"), show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to use.")
@click.option("--strict", is_flag=True, help="Fail, and publish nothing, if any file had to be repaired or rejected.")
@click.option(
    "--calibration",
    "calibrations",
    type=Folder(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="What 'rtckb eval --calibrate --format json' printed, for --explain; repeatable.",
)
@click.option("--redact", is_flag=True, help="Customers as a count; phone numbers, e-mail, keys and @names masked.")
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
            raise SourceNotFound(
                f"{output}: holds an index that is not the sample's; name its sources, or another file with -o"
            )
        places = (trtc, nim) if trtc or nim else (sample / "trtc", sample / "nim")
        summary = build(Sources(*places, redact, calibrations), output, jobs, strict, bar.step)
    click.echo(summary_text(summary, output, redact), err=True)


def _print(text: str) -> None:
    """To stdout; one that was closed before the start is a failure and no silence."""
    if sys.stdout is None:
        raise OSError("standard output: is closed; wanted somewhere to write to")
    click.echo(text)


class _Bar:
    """A progress bar on a terminal, nothing in a pipe."""

    def __init__(self) -> None:
        self._bar = click.progressbar(length=len(STEPS), label="build", file=sys.stderr, item_show_func=str)
        self._hidden = sys.stderr is None or not sys.stderr.isatty()

    def __enter__(self) -> "_Bar":
        if not self._hidden:
            self._bar.__enter__()
        return self

    def step(self, name: str) -> None:
        """Show that ``name`` begins."""
        if not self._hidden:
            self._bar.update(1, name)

    def __exit__(self, *exception: object) -> None:
        if not self._hidden:
            self._bar.__exit__(*exception)  # type: ignore[arg-type]  # what the interpreter passes


@click.command("check", cls=Command)
@sources_options
@click.option("--format", "how", type=click.Choice(list(FORMATS)), default="text", show_default=True)
def check_command(trtc: Path | None, nim: Path | None, how: str) -> None:
    """Report what is repaired, rejected, dangling, unlisted or double in the sources; exit 1 on errors."""
    with as_file(files("indexer").joinpath("data", "sample")) as sample:
        sources = Sources(trtc, nim) if trtc or nim else Sources(sample / "trtc", sample / "nim")
        findings = check_sources(sources)
        if how == "github":
            findings = tuple(replace(finding, path=source_path(sources, finding)) for finding in findings)
    _print(FORMATS[how](findings))
    if any(finding.severity == Severity.ERROR for finding in findings):
        sys.exit(EXIT_FAILED)


@click.command("bundle", cls=Command)
@click.option(
    "-o", "--output", type=Folder(path_type=Path), required=True, metavar="DIR", help="A new folder, or a bundle."
)
@click.option(
    "--db",
    "index",
    type=Folder(path_type=Path),
    default=Path("build/rtckb.db"),
    envvar="RTCKB_DB",
    metavar="FILE",
    help="The index [default: $RTCKB_DB, else build/rtckb.db].",
)
@click.option("--allow-personal", is_flag=True, help="Ship an index that was built without --redact.")
def bundle_command(output: Path, index: Path, allow_personal: bool) -> None:
    """Write the plugin folder: the index, a program that answers from it, two skills, a manifest, checksums."""
    click.echo(f"{output}: bundled, version {bundle(index, output, allow_personal)}", err=True)


@click.command("demo", cls=Command)
def demo_command() -> None:
    """Build the embedded sample in a temporary folder and ask it six questions, command and answer shown."""
    run_demo(_print)


@click.command("sync", cls=Command)
@click.option(
    "--dir",
    "folder",
    type=Folder(path_type=Path),
    help="The clone [default: $RTCKB_NIM, else the specification's].",
)
@click.option("--repo", "repository", metavar="URL", help="Where to clone from [default: $RTCKB_NIM_REPO].")
@click.option("--trtc", type=Folder(path_type=Path), metavar="DIR", help="The TRTC base that the index also holds.")
@click.option("-o", "--output", type=Folder(path_type=Path), default=Path("build/rtckb.db"), show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to use.")
@click.option(
    "--timeout",
    "time_limit",
    type=click.IntRange(1),
    metavar="SECONDS",
    help=f"For git as a whole [default: $RTCKB_SYNC_SECONDS, else {TIME_LIMIT}].",
)
def sync_command(  # noqa: PLR0913  # one parameter per option
    folder: Path | None, repository: str | None, trtc: Path | None, output: Path, jobs: int, time_limit: int | None
) -> None:
    """Clone or pull the NIM case base, without a prompt, and rebuild the index from it."""
    usual = Plan.from_environment()
    plan = Plan(
        folder or usual.folder, repository or usual.repository, trtc or usual.trtc, time_limit or usual.time_limit
    )
    click.echo(f"{plan.folder}: {update_and_rebuild(plan, output, jobs)}", err=True)


COMMANDS = {
    "build": build_command,
    "check": check_command,
    "bundle": bundle_command,
    "demo": demo_command,
    "sync": sync_command,
}

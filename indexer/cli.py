"""The writing commands: build, check, bundle, demo, sync. Parses, calls, prints, exits; nothing else."""

import io
import json
import signal
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import click

from fileformat.command import OnceCommand
from indexer.build import STEPS, Sources, Summary, build, check_sources, where_it_lies
from indexer.bundle import bundle
from indexer.demo import run_demo
from indexer.earlier import holds_other_sources
from indexer.errors import RtckbBuildError, SourceNotFound
from indexer.records import Finding, Severity
from indexer.sync import TIME_LIMIT, Plan, update_and_rebuild

EXIT_FAILED = 1
#: What a shell reports of a process that SIGTERM ended.
EXIT_TERMINATED = 128 + signal.SIGTERM


class Folder(click.Path):
    """The path of a folder or file; an empty one, as an unset variable gives, is not the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse an empty text."""
        if value == "":
            self.fail("found an empty text; wanted a path", param, ctx)
        return super().convert(value, param, ctx)


class Command(OnceCommand):
    """Prints UTF-8 whatever the locale; turns our errors into one line on stderr and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run; an interrupted build says so and leaves the old file."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="replace")
        if sys.getfilesystemencoding() != "utf-8":
            found = sys.getfilesystemencoding()
            click.echo(f"rtckb: file names are read as {found} here; wanted UTF-8: set PYTHONUTF8=1", err=True)
            raise SystemExit(EXIT_FAILED)
        previous = signal.signal(signal.SIGTERM, _terminate)
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise SystemExit(0) from error
        except (RtckbBuildError, OSError) as error:
            click.echo(f"rtckb: {error}", err=True)
            raise SystemExit(EXIT_FAILED) from error
        finally:
            signal.signal(signal.SIGTERM, previous)


def _terminate(*_: object) -> None:
    """Leave by the way of exceptions, so that the temporary file goes."""
    raise SystemExit(EXIT_TERMINATED)


def _sources_options(function: Callable[..., Any]) -> Callable[..., Any]:
    folder = Folder(path_type=Path)
    for name, base in (("--nim", "NIM case base"), ("--trtc", "TRTC knowledge base")):
        function = click.option(name, type=folder, metavar="DIR", help=f"The {base}.")(function)
    return function


@click.command("build", cls=Command)
@_sources_options
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
    with as_file(files("indexer").joinpath("sample")) as sample, _Bar() as bar:
        if not (trtc or nim) and holds_other_sources(output):
            raise SourceNotFound(
                f"{output}: holds an index that is not the sample's; name its sources, or another file with -o"
            )
        places = (trtc, nim) if trtc or nim else (sample / "trtc", sample / "nim")
        summary = build(Sources(*places, redact, calibrations), output, jobs, strict, bar.step)
    click.echo(_summary_text(summary, output, redact), err=True)


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


def _summary_text(summary: Summary, output: Path, redacted: bool) -> str:
    n = summary.counts
    found = ", ".join(f"{number} {severity}" for severity, number in summary.findings.items())
    files = f"{n['nim.files_seen']} files ({n['nim.files_repaired']} repaired, {n['nim.files_rejected']} rejected)"
    return "\n".join(
        (
            f"{output}: {'up to date' if summary.unchanged else 'built'}, digest {summary.digest[:16]}",
            f"  TRTC: {n['trtc.slices']} slices ({n['trtc.planned']} planned), {n['trtc.scenarios']} scenarios",
            f"  NIM: {n['nim.units']} units ({n['nim.cases']} cases, {n['nim.entries']} entries) from {files}",
            f"  findings: {found or 'none'}; rtckb check lists them",
            f"  personal details in {n['nim.files_personal']} files ({_kinds_text(n)}): {_PERSONAL[redacted]}",
        )
    )


#: Whether they were masked -> what the summary says of the details.
_PERSONAL = {True: "masked", False: "kept; --redact masks them"}


def _kinds_text(n: Mapping[str, int]) -> str:
    kinds = ("customers", "mobiles", "emails", "keys", "mentions")
    names = ("customers", "mobile numbers", "e-mail addresses", "keys", "@names")
    return ", ".join(f"{n[f'nim.files_{kind}']} with {name}" for kind, name in zip(kinds, names, strict=True))


@click.command("check", cls=Command)
@_sources_options
@click.option("--format", "how", type=click.Choice(["text", "json", "github"]), default="text", show_default=True)
def check_command(trtc: Path | None, nim: Path | None, how: str) -> None:
    """Report what is repaired, rejected, dangling, unlisted or double in the sources; exit 1 on errors."""
    with as_file(files("indexer").joinpath("sample")) as sample:
        sources = Sources(trtc, nim) if trtc or nim else Sources(sample / "trtc", sample / "nim")
        findings = check_sources(sources)
        if how == "github":
            findings = tuple(replace(finding, path=where_it_lies(sources, finding)) for finding in findings)
    _print(_FORMATS[how](findings))
    if any(finding.severity == Severity.ERROR for finding in findings):
        sys.exit(EXIT_FAILED)


def _as_text(findings: Iterable[Finding]) -> str:
    lines = [f"{f.path}:{f.line}: {f.severity}: {f.kind}: {f.detail}" for f in findings]
    return "\n".join([*lines, f"{len(lines)} findings"])


def _as_json(findings: Iterable[Finding]) -> str:
    names = ("base", "path", "line", "severity", "kind", "detail")
    return json.dumps([{name: getattr(f, name) for name in names} for f in findings], ensure_ascii=False, indent=2)


def _as_github(findings: Iterable[Finding]) -> str:
    """Workflow commands, so that a pull request shows each finding at its line."""
    level = {Severity.ERROR: "error", Severity.REPAIRED: "warning", Severity.NOTE: "notice"}
    return "\n".join(
        f"::{level[f.severity]} file={_as_property(f.path)},line={max(f.line, 1)},title={f.kind}::{_escaped(f.detail)}"
        for f in findings
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _as_property(text: str) -> str:
    return _escaped(text).replace(",", "%2C").replace(":", "%3A")


_FORMATS = {"text": _as_text, "json": _as_json, "github": _as_github}


@click.command("bundle", cls=Command)
@click.option(
    "-o", "--output", type=Folder(path_type=Path), required=True, metavar="DIR", help="A new folder, or a bundle."
)
@click.option("--db", "index", type=Folder(path_type=Path), default=Path("build/rtckb.db"), show_default=True)
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

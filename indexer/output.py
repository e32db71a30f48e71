"""Output of the writing commands: the summary of a build, and findings as text, JSON or GitHub workflow commands."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from indexer.build import Summary
from indexer.records import Finding, Severity

#: Categories of personal details, as the build counts them, where the summary has another name for them.
_NAMES = {"mobiles": "mobile numbers", "emails": "e-mail addresses", "mentions": "@names"}


def summary_text(summary: Summary, output: Path, redacted: bool) -> str:
    """The result of a build of ``output``, in five lines."""
    n = summary.counts
    found = ", ".join(f"{number} {severity}" for severity, number in summary.findings.items())
    files = f"{n['nim.files_seen']} files ({n['nim.files_repaired']} repaired, {n['nim.files_rejected']} rejected)"
    treated = "masked" if redacted else "kept; --redact masks them"
    return "\n".join(
        (
            f"{output}: {'up to date' if summary.unchanged else 'built'}, digest {summary.digest[:16]}",
            f"  TRTC: {n['trtc.slices']} slices ({n['trtc.planned']} planned), {n['trtc.scenarios']} scenarios",
            f"  NIM: {n['nim.units']} units ({n['nim.cases']} cases, {n['nim.entries']} entries) from {files}",
            f"  findings: {found or 'none'}; rtckb check lists them",
            f"  personal details in {n['nim.files_personal']} files ({_personal_text(n)}): {treated}",
        )
    )


def _personal_text(counts: Mapping[str, int]) -> str:
    categories = ("customers", "mobiles", "emails", "keys", "mentions")
    return ", ".join(f"{counts[f'nim.files_{name}']} with {_NAMES.get(name, name)}" for name in categories)


def _as_text(findings: Iterable[Finding]) -> str:
    lines = [f"{f.path}:{f.line}: {f.severity}: {f.kind}: {f.detail}" for f in findings]
    return "\n".join([*lines, f"{len(lines)} findings"])


def _as_json(findings: Iterable[Finding]) -> str:
    names = ("base", "path", "line", "severity", "kind", "detail")
    return json.dumps([{name: getattr(f, name) for name in names} for f in findings], ensure_ascii=False, indent=2)


def _as_github(findings: Iterable[Finding]) -> str:
    """Workflow commands: a pull request shows each finding at its line."""
    level = {Severity.ERROR: "error", Severity.REPAIRED: "warning", Severity.NOTE: "notice"}
    return "\n".join(
        f"::{level[f.severity]} file={_as_property(f.path)},line={max(f.line, 1)},title={f.kind}::{_escaped(f.detail)}"
        for f in findings
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _as_property(text: str) -> str:
    return _escaped(text).replace(",", "%2C").replace(":", "%3A")


#: Name of a format -> the function that prints findings in it.
FORMATS = {"text": _as_text, "json": _as_json, "github": _as_github}

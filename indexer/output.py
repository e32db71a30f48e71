"""Texts of the writing commands: what a build did, and findings for people, programs and GitHub."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from indexer.build import Summary
from indexer.records import Finding, Severity

#: Whether they were masked -> what the summary says of the details.
_PERSONAL = {True: "masked", False: "kept; --redact masks them"}


def summary_text(summary: Summary, output: Path, redacted: bool) -> str:
    """What a build of ``output`` did, in five lines."""
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


def _kinds_text(n: Mapping[str, int]) -> str:
    kinds = ("customers", "mobiles", "emails", "keys", "mentions")
    names = ("customers", "mobile numbers", "e-mail addresses", "keys", "@names")
    return ", ".join(f"{n[f'nim.files_{kind}']} with {name}" for kind, name in zip(kinds, names, strict=True))


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


#: Name -> findings as one text.
FORMATS = {"text": _as_text, "json": _as_json, "github": _as_github}

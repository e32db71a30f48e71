"""Findings and summaries as the writing commands print them."""

import json
from pathlib import Path

import pytest

from indexer.build import Summary
from indexer.output import FORMATS, summary_text
from indexer.records import Base, Finding, Severity

FINDINGS = (
    Finding(Base.TRTC, "knowledge-base/index.yaml", 0, Severity.ERROR, "double-id", "slice live/a: 100%\nagain"),
    Finding(Base.NIM, "knowledge/登录,1:2.md", 7, Severity.REPAIRED, "yaml-refused", "字段, 一行: 一行"),
)
TEXTS = {
    "text": "knowledge-base/index.yaml:0: error: double-id: slice live/a: 100%\nagain\n"
    "knowledge/登录,1:2.md:7: repaired: yaml-refused: 字段, 一行: 一行\n2 findings",
    "github": "::error file=knowledge-base/index.yaml,line=1,title=double-id::slice live/a: 100%25%0Aagain\n"
    "::warning file=knowledge/登录%2C1%3A2.md,line=7,title=yaml-refused::字段, 一行: 一行",
}


@pytest.mark.parametrize("name", TEXTS)
def test_findings(name: str) -> None:
    """Each finding is one line; for GitHub, line 0 becomes line 1, and separators are escaped."""
    assert FORMATS[name](FINDINGS) == TEXTS[name]


def test_findings_as_json() -> None:
    """Every field of every finding is printed, Chinese unescaped."""
    found = FORMATS["json"](FINDINGS)
    assert [tuple(item.values()) for item in json.loads(found)] == [
        (f.base, f.path, f.line, f.severity, f.kind, f.detail) for f in FINDINGS
    ]
    assert "字段, 一行" in found


@pytest.mark.parametrize(("name", "text"), [("text", "0 findings"), ("json", "[]"), ("github", "")])
def test_no_findings(name: str, text: str) -> None:
    """Each format has an output for no findings."""
    assert FORMATS[name](()) == text


NAMES = (
    *("trtc.slices", "trtc.planned", "trtc.scenarios", "nim.units", "nim.cases", "nim.entries"),
    *("nim.files_seen", "nim.files_repaired", "nim.files_rejected", "nim.files_personal"),
    *(f"nim.files_{kind}" for kind in ("customers", "mobiles", "emails", "keys", "mentions")),
)


@pytest.mark.parametrize("redacted", [False, True])
def test_summary(redacted: bool) -> None:
    """The summary prints every count behind its label."""
    summary = Summary("0123456789abcdef0", {name: n for n, name in enumerate(NAMES)}, {"error": 1, "note": 2}, redacted)
    assert summary_text(summary, Path("x.db"), redacted).splitlines() == [
        f"x.db: {'up to date' if redacted else 'built'}, digest 0123456789abcdef",
        "  TRTC: 0 slices (1 planned), 2 scenarios",
        "  NIM: 3 units (4 cases, 5 entries) from 6 files (7 repaired, 8 rejected)",
        "  findings: 1 error, 2 note; rtckb check lists them",
        "  personal details in 9 files (10 with customers, 11 with mobile numbers, 12 with e-mail addresses, "
        f"13 with keys, 14 with @names): {'masked' if redacted else 'kept; --redact masks them'}",
    ]

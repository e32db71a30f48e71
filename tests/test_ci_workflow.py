"""The workflow of the README: it is valid YAML, and its steps work in their order on the embedded sample."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, SAMPLE, environment

LABELLED = {"query": "live/gift-combo", "expect": {"status": "matched", "top1": ["live/gift-combo"], "relevant": []}}
README = (ROOT / "README.md").read_text("utf-8")
WORKFLOW: dict[Any, Any] = yaml.safe_load(re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[0])
STEPS: list[dict[str, Any]] = WORKFLOW["jobs"]["index"]["steps"]

#: GitHub's command, as far as the workflow uses it: one release with one file, in the folder $RELEASE.
GH = """#!/bin/bash
set -euo pipefail
case "$1 $2" in
  "release download") cp "$RELEASE/$5" . ;;
  "release upload") [ -d "$RELEASE" ]; cp "$4" "$RELEASE" ;;
  "release create") mkdir "$RELEASE"; cp "$4" "$RELEASE" ;;
  "pr comment") [ "$3" = 7 ]; cp "$5" "$COMMENT" ;;
  *) exit 9 ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with both bases and labelled questions, and the two commands that the steps call."""
    place = tmp_path / "checkout"
    shutil.copytree(SAMPLE / "trtc", place / "knowledge")
    shutil.copytree(SAMPLE / "nim", place / "cases")
    (place / "questions.jsonl").write_text(json.dumps(LABELLED), "utf-8")
    commands = {"gh": GH, "rtckb": f'#!/bin/bash\nexec {sys.executable} -m rtckb "$@"\n'}
    (tmp_path / "bin").mkdir()
    for name, script in commands.items():
        (tmp_path / "bin" / name).write_text(script, "utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    return place


def _run(checkout: Path, event: str) -> list[str]:
    """Run the steps as GitHub would for an event, from a clean checkout; what was run."""
    for left in ("rtckb.db", "published.db", "diff.md"):
        (checkout / left).unlink(missing_ok=True)
    done = []
    for step in STEPS:
        script = step.get("run", "")
        if script and not script.startswith("pip install ") and _applies(step.get("if", ""), event, checkout):
            _shell(script, checkout)
            done.append(script)
    return done


def _applies(condition: str, event: str, checkout: Path) -> bool:
    """The two kinds of condition that the workflow uses, all of which must hold."""
    holds = {
        "": True,
        f"github.event_name == '{event}'": True,
        "hashFiles('published.db') != ''": (checkout / "published.db").exists(),
    }
    return all(holds.get(part, False) for part in condition.split(" && "))


def _shell(script: str, checkout: Path) -> None:
    """As GitHub runs a step: bash -e."""
    places = {"RELEASE": str(checkout.parent / "release"), "COMMENT": str(checkout.parent / "comment.md")}
    path = f"{checkout.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = environment({"PATH": path, "PULL_REQUEST": "7", **places})
    done = subprocess.run(["bash", "-e", "-c", script], cwd=checkout, env=env, capture_output=True, check=False)
    assert done.returncode == 0, (script, done.stdout.decode(), done.stderr.decode())
    assert b"Traceback" not in done.stderr


def test_the_workflow_rebuilds_and_publishes(checkout: Path) -> None:
    """First nothing is published; then a pull request gets its comment, and its merge replaces the file."""
    published, comment = checkout.parent / "release" / "rtckb.db", checkout.parent / "comment.md"
    _run(checkout, "pull_request")
    assert not published.exists()
    assert not comment.exists()
    _run(checkout, "push")
    first = published.read_bytes()
    index = checkout / "knowledge" / "knowledge-base" / "index.yaml"
    index.write_text(index.read_text("utf-8").replace("GiftComboStore]", "GiftComboStore, streak]"), "utf-8")
    assert any("rtckb diff" in script for script in _run(checkout, "pull_request"))
    assert "- `live/gift-combo streak`" in comment.read_text("utf-8")
    assert published.read_bytes() == first
    _run(checkout, "push")
    assert published.read_bytes() == (checkout / "rtckb.db").read_bytes() != first


def test_a_published_file_of_another_version(checkout: Path) -> None:
    """After an upgrade that changes the format, pull requests still pass, and the next push publishes it anew."""
    _run(checkout, "push")
    published = checkout.parent / "release" / "rtckb.db"
    new = published.read_bytes()
    with closing(sqlite3.connect(published)) as db:
        db.execute("PRAGMA user_version = 0")
        db.execute("UPDATE meta SET value = 'older' WHERE key = 'builder'")
        db.commit()
    _run(checkout, "pull_request")
    assert (checkout.parent / "comment.md").read_text("utf-8") == "Published by another version.\n"
    _run(checkout, "push")
    assert published.read_bytes() == new


def test_every_condition_is_one_that_this_test_knows() -> None:
    """A condition that the test could not judge would silently skip its step."""
    known = {"github.event_name == 'pull_request'", "github.event_name == 'push'", "hashFiles('published.db') != ''"}
    used = {part for step in STEPS if "if" in step for part in step["if"].split(" && ")}
    assert used == known


def test_the_workflow_is_complete() -> None:
    """It checks, builds, verifies, evaluates and compares, on pull requests and pushes, with the rights it needs."""
    called = {word for step in STEPS for word in re.findall(r"^rtckb (\w+)", step.get("run", ""), re.MULTILINE)}
    assert called == {"check", "build", "verify", "eval", "diff"}
    assert set(WORKFLOW[True]) == {"pull_request", "push"}  # YAML 1.1 reads the key "on" as true
    assert WORKFLOW["permissions"] == {"contents": "write", "pull-requests": "write"}
    assert all(("uses" in step) != ("run" in step) for step in STEPS)

"""The workflow that the README shows works on the embedded sample, and the project's own files for GitHub are valid."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tomllib
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

#: A substitute for GitHub's command with the subcommands that the workflow uses: its release is the folder $RELEASE.
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
    """A repository with both bases and labelled questions, beside a folder with the commands ``gh`` and ``rtckb``."""
    repository = tmp_path / "checkout"
    shutil.copytree(SAMPLE / "trtc", repository / "knowledge")
    shutil.copytree(SAMPLE / "nim", repository / "cases")
    (repository / "questions.jsonl").write_text(json.dumps(LABELLED), "utf-8")
    commands = {"gh": GH, "rtckb": f'#!/bin/bash\nexec {sys.executable} -m rtckb "$@"\n'}
    (tmp_path / "bin").mkdir()
    for name, script in commands.items():
        (tmp_path / "bin" / name).write_text(script, "utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    return repository


def _run(checkout: Path, event: str) -> list[str]:
    """Run the steps as GitHub would for an event, from a clean checkout; return the scripts that ran."""
    for output in ("rtckb.db", "published.db", "diff.md"):
        (checkout / output).unlink(missing_ok=True)
    scripts = []
    for step in STEPS:
        script = step.get("run", "")
        if script and not script.startswith("pip install ") and _applies(step.get("if", ""), event, checkout):
            _shell(script, checkout)
            scripts.append(script)
    return scripts


def _applies(condition: str, event: str, checkout: Path) -> bool:
    """Whether a step runs: every part of its condition holds. Parts that this test does not know do not hold."""
    holds = {
        "": True,
        f"github.event_name == '{event}'": True,
        "hashFiles('published.db') != ''": (checkout / "published.db").exists(),
    }
    return all(holds.get(part, False) for part in condition.split(" && "))


def _shell(script: str, checkout: Path) -> None:
    """Run a step as GitHub does, with bash -e."""
    files = {"RELEASE": str(checkout.parent / "release"), "COMMENT": str(checkout.parent / "comment.md")}
    path = f"{checkout.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = environment({"PATH": path, "PULL_REQUEST": "7", **files})
    done = subprocess.run(["bash", "-e", "-c", script], cwd=checkout, env=env, capture_output=True, check=False)
    assert done.returncode == 0, (script, done.stdout.decode(), done.stderr.decode())
    assert b"Traceback" not in done.stderr


def test_the_workflow_rebuilds_and_publishes(checkout: Path) -> None:
    """A first push publishes the file, a later pull request gets a comment, and its merge replaces the file."""
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
    """After a change of the file format, pull requests still pass, and the next push publishes a new file."""
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


def test_every_condition_is_known() -> None:
    """The steps use only conditions that this test can evaluate; any other would silently skip its step."""
    known = {"github.event_name == 'pull_request'", "github.event_name == 'push'", "hashFiles('published.db') != ''"}
    used = {part for step in STEPS if "if" in step for part in step["if"].split(" && ")}
    assert used == known


def test_the_workflow_is_complete() -> None:
    """It checks, builds, verifies, evaluates and compares, on pull requests and pushes, with its permissions."""
    called = {word for step in STEPS for word in re.findall(r"^rtckb (\w+)", step.get("run", ""), re.MULTILINE)}
    assert called == {"check", "build", "verify", "eval", "diff"}
    assert set(WORKFLOW[True]) == {"pull_request", "push"}  # YAML 1.1 reads the key "on" as true
    assert WORKFLOW["permissions"] == {"contents": "write", "pull-requests": "write"}
    assert all(("uses" in step) != ("run" in step) for step in STEPS)


def test_the_project_checks_itself() -> None:
    """The project's workflow runs .ci/run, and nothing else, on pushes and pull requests under the oldest Python."""
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    (job,) = workflow["jobs"].values()
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["requires-python"]
    assert set(workflow[True]) == {"pull_request", "push"}
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert [f">={step['with']['python-version']}" for step in job["steps"] if "with" in step] == [oldest]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_hooks_run_what_ci_runs() -> None:
    """Each pre-commit hook is a command of .ci/run, apart from options that only concern lists of files."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
    commands = [hook["entry"].removesuffix(" --force-exclude") for hook in hooks]
    ci = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert [command for command in commands if not any(line.startswith(command) for line in ci)] == []


@pytest.mark.parametrize("form", ["bug", "wrong-answer"])
def test_issue_forms_ask_for_what_is_needed(form: str) -> None:
    """Each form requires the command and the versions or the index, and its fields have unique ids."""
    fields = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / f"{form}.yml").read_text("utf-8"))["body"]
    required = [field["id"] for field in fields if field.get("validations") == {"required": True}]
    assert {"command", "expected"} <= set(required)
    assert len(required) == len(set(required)) == 4 - (form == "bug")

"""The installed plugin: valid skills, whose printed commands work for another user, from a read-only folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import frontmatter
import pytest
import yaml
from conftest import ROOT
from jsonschema import Draft202012Validator
from query_support import document, environment

from indexer.package.bundle import bundle
from indexer.package.folder_swap import exchange
from query.nim.contract import Grade
from query.schemas import schemas
from query.trtc.contract import Intent, Status

SKILLS = ROOT / "indexer" / "package" / "plugin" / "skills"
NAMES = ("trtc-search", "nim-kb-search")
#: The fields that the Agent Skills specification allows in the front matter.
FIELDS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
#: Runs a command as another user, who is in none of this user's groups.
NOBODY = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups")


def read(name: str) -> tuple[dict[str, Any], str]:
    """A skill's front matter and body."""
    page = frontmatter.load(str(SKILLS / name / "SKILL.md"))
    return page.metadata, page.content


def commands(name: str) -> list[str]:
    """The command lines of a skill, as printed."""
    blocks = re.findall(r"^```sh\n(.*?)^```", read(name)[1], re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


COMMANDS = [(name, line) for name in NAMES for line in commands(name)]


def test_the_skills() -> None:
    """There are these two skills, each a folder."""
    assert {path.name for path in SKILLS.iterdir()} == set(NAMES)
    assert all(len(commands(name)) >= 3 for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_front_matter(name: str) -> None:
    """It keeps the limits of the Agent Skills specification, and a YAML parser that converts types reads the same."""
    found, _ = read(name)
    assert found.keys() <= FIELDS
    assert found["name"] == name
    assert re.fullmatch(r"(?!.*--)[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?", name)
    assert 1 <= len(found["description"]) <= 1024
    assert 1 <= len(found["compatibility"]) <= 500
    head = (SKILLS / name / "SKILL.md").read_text("utf-8").split("---\n")[1]
    assert yaml.safe_load(head) == found


@pytest.mark.parametrize("name", NAMES)
def test_body(name: str) -> None:
    """It is short, and every path in it is relative to the skill's folder."""
    _, body = read(name)
    assert len(body.splitlines()) < 60
    assert set(re.findall(r"\S*rtckb\.pyz", body)) == {"../../rtckb.pyz"}
    assert not re.search(r"(?<![\w.])/[a-z]|~/|\$\{", body)


def test_every_status_is_explained() -> None:
    """The skills explain each status and grade of the contract, and name each intent."""
    body = read("trtc-search")[1]
    assert re.findall(r"^\| `(\w+)` \|", body, re.MULTILINE) == [
        "matched",
        "status_planned",
        "no_slice",
        "no_match",
        "ambiguous_product",
    ]
    assert {f"`{status}`" for status in Status} <= set(re.findall(r"`\w+`", body))
    assert [intent for intent in Intent if f"`{intent}`" not in body] == []
    assert [grade for grade in Grade if f"| 【{grade}】 |" not in read("nim-kb-search")[1]] == []


@pytest.fixture(scope="module")
def installed(sample_db: Path) -> Iterator[Path]:
    """A bundle that every user may read and none may write. pytest's own folders are closed to other users."""
    folder = Path(tempfile.mkdtemp(prefix="rtckb-plugin-"))
    folder.chmod(0o755)
    bundle(sample_db, folder / "rtckb", allow_personal=True)
    for path in (folder / "rtckb", *(folder / "rtckb").rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder / "rtckb"
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def nobody() -> list[str]:
    """The prefix that makes another user run a command, with the python3 of the system."""
    prefix = [*NOBODY, "env", "-i", f"PATH={os.defpath}"]
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root with setpriv can run a command as another user")
    new_enough = "import sys; sys.exit(sys.version_info < (3, 11))"
    if subprocess.run([*prefix, "python3", "-c", new_enough], capture_output=True, check=False).returncode:
        pytest.skip(f"another user has no python3 of 3.11 or newer in {os.defpath}")
    return prefix


def check_answer(done: subprocess.CompletedProcess[bytes], line: str) -> None:
    """stdout is a valid document or a text with the marker line, stderr is empty."""
    assert (done.returncode, done.stderr) == (0, b"")
    command = line.split()[2]
    if line.endswith("--format json"):
        Draft202012Validator(schemas()[command]).validate(json.loads(done.stdout))
    else:
        assert done.stdout.decode("utf-8").startswith("[nim-kb-search] 已触发 | ")


@pytest.mark.parametrize(("name", "line"), COMMANDS, ids=[line for _, line in COMMANDS])
def test_another_user_asks(name: str, line: str, installed: Path, nobody: list[str]) -> None:
    """Each command of a skill works as printed, in the skill's folder, for a user who owns nothing there."""
    before = {path: path.stat().st_mtime_ns for path in installed.rglob("*")}
    argv = [*nobody, "sh", "-c", line]
    folder = installed / "skills" / name
    check_answer(subprocess.run(argv, cwd=folder, capture_output=True, timeout=60, check=False), line)
    assert {path: path.stat().st_mtime_ns for path in installed.rglob("*")} == before


@pytest.mark.parametrize(("name", "line"), COMMANDS, ids=[line for _, line in COMMANDS])
def test_this_user_asks(name: str, line: str, installed: Path) -> None:
    """The same for this user, with this interpreter and no installed package."""
    python, archive, *rest = line.partition(" trtc ") if " trtc " in line else line.partition(" nim ")
    assert python == "python3 ../../rtckb.pyz"
    plain = f"{sys.executable} -I -S ../../rtckb.pyz{archive}{''.join(rest)}"
    done = subprocess.run(
        ["sh", "-c", plain],
        cwd=installed / "skills" / name,
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    check_answer(done, line)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two folders in one step")
def test_the_folder_is_replaced_during_queries(tmp_path: Path, sample_db: Path, redacted_db: Path) -> None:
    """While the bundles of two indexes are exchanged again and again, each answer is completely from one of them."""
    indexes = {"one": sample_db, "other": redacted_db}
    for name, db in indexes.items():
        bundle(db, tmp_path / name, allow_personal=True)
    stop = threading.Event()

    def keep_exchanging() -> None:
        while not stop.wait(0.0005):
            exchange(tmp_path / "one", tmp_path / "other")

    thread = threading.Thread(target=keep_exchanging)
    thread.start()
    try:
        argv = [sys.executable, "-I", "-S", tmp_path / "one" / "rtckb.pyz", "info"]
        runs = [subprocess.run(argv, capture_output=True, timeout=60, check=False) for _ in range(16)]
    finally:
        stop.set()
        thread.join()
    assert {(run.returncode, run.stderr) for run in runs} == {(0, b"")}
    wanted = [document(db, "info") for db in indexes.values()]
    assert [found for run in runs if (found := json.loads(run.stdout)) not in wanted] == []

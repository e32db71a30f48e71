"""Whole questions and whole answers over the sample: one file each, whose name is the sentence that must hold."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from query_support import ask, document, invoke

from rtckb import main

CASES = sorted((Path(__file__).parent / "golden").rglob("*.json"))
#: Every so many cases, one is also asked through a process of its own.
IN_A_PROCESS = CASES[::16]
FEWEST_CASES = 45


def sentence(case: Path) -> str:
    """A case's name, as pytest shows it."""
    return case.stem


def read(case: Path) -> tuple[list[str], Any]:
    """The arguments and the whole document."""
    held = json.loads(case.read_text("utf-8"))
    return held["argv"], held["document"]


@pytest.fixture(scope="module")
def schemas() -> Any:
    """What ``rtckb schema`` prints."""
    return json.loads(CliRunner().invoke(main, ["schema"]).stdout)


@pytest.mark.parametrize("case", CASES, ids=sentence)
def test_answer(case: Path, sample_db: Path, request: pytest.FixtureRequest) -> None:
    """The command answers with exactly the recorded document."""
    argv, wanted = read(case)
    got = document(sample_db, *argv)
    if request.config.getoption("update_golden", default=False):
        case.write_text(json.dumps({"argv": argv, "document": got}, ensure_ascii=False, indent=2) + "\n", "utf-8")
        return
    assert got == wanted


@pytest.mark.parametrize("case", IN_A_PROCESS, ids=sentence)
def test_answer_in_a_process(case: Path, sample_db: Path) -> None:
    """Through a pipe, stdout is the recorded document and nothing else, and stderr is empty."""
    argv, wanted = read(case)
    got = ask(sample_db, *argv)
    assert (got.returncode, got.stderr) == (0, b"")
    assert json.loads(got.stdout.decode("utf-8")) == wanted


@pytest.mark.parametrize("case", CASES, ids=sentence)
def test_schema(case: Path, schemas: Any) -> None:
    """Every recorded document is valid under the schema that the command prints."""
    argv, wanted = read(case)
    Draft202012Validator(schemas[argv[0]]).validate(wanted)


@pytest.mark.parametrize("case", CASES, ids=sentence)
def test_yaml(case: Path, sample_db: Path) -> None:
    """PyYAML reads from --format yaml the same document as from JSON."""
    argv, wanted = read(case)
    assert yaml.safe_load(invoke(sample_db, *argv, "--format", "yaml").stdout) == wanted


@pytest.mark.parametrize("case", CASES, ids=sentence)
def test_text(case: Path, sample_db: Path) -> None:
    """--format text shows the status and every slice of the document."""
    argv, wanted = read(case)
    shown = invoke(sample_db, *argv, "--format", "text").stdout
    assert shown.startswith(wanted["response"]["status"])
    assert [line for match in wanted["response"]["matches"] if (line := match["slice_id"]) not in shown] == []


def test_names() -> None:
    """There are enough cases, each named by a sentence in kebab case."""
    assert len(CASES) >= FEWEST_CASES
    assert [case.name for case in CASES if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){3,}\.json", case.name)] == []


def test_every_value_of_the_contract_is_shown(schemas: Any) -> None:
    """Each status, strategy, confidence and level of the schema stands in at least one case."""
    response = schemas["trtc"]["properties"]["response"]["properties"]
    fields = response["matches"]["items"]["properties"]
    answers = [read(case)[1]["response"] for case in CASES]
    assert {answer["status"] for answer in answers} == set(response["status"]["enum"])
    for field in ("confidence", "match_strategy", "content_loaded"):
        shown = {match[field] for answer in answers for match in answer["matches"]}
        assert shown == set(fields[field]["enum"])

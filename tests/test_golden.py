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

GOLDEN = Path(__file__).parent / "golden"
#: Whole documents by command; ``argv`` and ``document``.
CASES = sorted(p for p in GOLDEN.rglob("*.json") if "document" in json.loads(p.read_text("utf-8")))
TRTC, NIM = ([case for case in CASES if case.parent.name == base] for base in ("trtc", "nim"))
#: Whole texts: ``argv`` with ``--format text``, and ``text``.
TEXTS = sorted(set(GOLDEN.rglob("*.json")) - set(CASES))
#: Every so many cases, one is also asked through a process of its own.
IN_A_PROCESS = CASES[::16]
FEWEST_CASES = {"trtc": 45, "nim": 40}


def sentence(case: Path) -> str:
    """A case's name, as pytest shows it."""
    return case.stem


def read(case: Path) -> tuple[list[str], Any]:
    """The arguments, and the whole document or text."""
    held = json.loads(case.read_text("utf-8"))
    return held["argv"], held["text"] if "text" in held else held["document"]


def record(case: Path, argv: list[str], kind: str, got: Any) -> None:
    """Write what is answered now in place of what was recorded."""
    case.write_text(json.dumps({"argv": argv, kind: got}, ensure_ascii=False, indent=2) + "\n", "utf-8")


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
        record(case, argv, "document", got)
        return
    assert got == wanted


@pytest.mark.parametrize("case", TEXTS, ids=sentence)
def test_whole_text(case: Path, sample_db: Path, request: pytest.FixtureRequest) -> None:
    """The command prints exactly the recorded text, to the letter."""
    argv, wanted = read(case)
    result = invoke(sample_db, *argv)
    assert (result.exit_code, result.stderr) == (0, "")
    if request.config.getoption("update_golden", default=False):
        record(case, argv, "text", result.stdout)
        return
    assert result.stdout == wanted


@pytest.mark.parametrize("case", TEXTS[:1], ids=sentence)
def test_whole_text_in_a_process(case: Path, sample_db: Path) -> None:
    """Through a pipe, stdout is the recorded text in UTF-8, and stderr is empty."""
    argv, wanted = read(case)
    got = ask(sample_db, *argv)
    assert (got.returncode, got.stderr, got.stdout.decode("utf-8")) == (0, b"", wanted)


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


@pytest.mark.parametrize("case", TRTC, ids=sentence)
def test_text(case: Path, sample_db: Path) -> None:
    """--format text shows the status and every slice of the document."""
    argv, wanted = read(case)
    shown = invoke(sample_db, *argv, "--format", "text").stdout
    assert shown.startswith(wanted["response"]["status"])
    assert [line for match in wanted["response"]["matches"] if (line := match["slice_id"]) not in shown] == []


@pytest.mark.parametrize("case", NIM, ids=sentence)
def test_text_of_cases(case: Path, sample_db: Path) -> None:
    """--format text of a case search shows the marker, every match with its grade, and the level."""
    argv, wanted = read(case)
    shown = invoke(sample_db, *argv, "--format", "text").stdout.split("\n")
    response = wanted["response"]
    headings = [line for line in shown if line.startswith("【")]
    assert shown[0] == response["marker"]
    assert f"（扫描范围：{response['scan']['level']}）" in shown
    assert len(headings) == len(response["matches"])
    assert [
        m["title"] for m in response["matches"] if not any(m["grade"] + "】" + m["title"] in h for h in headings)
    ] == []


def test_names() -> None:
    """There are enough cases, each named by a sentence in kebab case."""
    cases = [*CASES, *TEXTS]
    counts = {base: sum(case.parent.name == base for case in cases) for base in FEWEST_CASES}
    assert [base for base, fewest in FEWEST_CASES.items() if counts[base] < fewest] == []
    assert [case.name for case in cases if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){3,}\.json", case.name)] == []


def test_every_value_of_the_contract_is_shown(schemas: Any) -> None:
    """Each status, strategy, confidence and level of the schema stands in at least one case."""
    response = schemas["trtc"]["properties"]["response"]["properties"]
    fields = response["matches"]["items"]["properties"]
    answers = [read(case)[1]["response"] for case in TRTC]
    assert {answer["status"] for answer in answers} == set(response["status"]["enum"])
    for field in ("confidence", "match_strategy", "content_loaded"):
        shown = {match[field] for answer in answers for match in answer["matches"]}
        assert shown == set(fields[field]["enum"])


def test_every_value_of_the_case_contract_is_shown(schemas: Any) -> None:
    """Each level, grade, track type and mode of the case search stands in at least one case."""
    response = schemas["nim"]["properties"]["response"]["properties"]
    answers = [read(case)[1]["response"] for case in NIM]
    request = response["request"]["properties"]
    for field in ("track_type", "token_mode", "tag_mode"):
        assert {answer["request"][field] for answer in answers} == set(request[field]["enum"])
    assert {answer["request"]["literal"] for answer in answers} == {True, False}
    assert {answer["scan"]["level"] for answer in answers} == set(response["scan"]["properties"]["level"]["enum"])
    shown = {match["grade"] for answer in answers for match in answer["matches"]}
    assert shown == set(response["matches"]["items"]["properties"]["grade"]["enum"])
    assert {near["grade"] for answer in answers for near in answer["nearest"]} == {None}

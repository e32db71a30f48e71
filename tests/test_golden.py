"""Golden cases over the sample: one YAML file each, and its name is the sentence that must hold.

``command`` is the command line, ``why`` the reason. ``expect`` is a part of the JSON document: of a mapping the listed
keys must match, a list must have the same length and match element by element. A few cases are snapshots instead, with
the whole ``document`` or the whole ``text``.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from query_support import ask, document, invoke

from rtckb import main

GOLDEN = Path(__file__).parent / "golden"
CASES = sorted(GOLDEN.rglob("*.yaml"))
FEWEST_CASES = {"trtc": 80, "nim": 25}
#: The number of snapshots of each base.
SNAPSHOTS = 3


def sentence(case: Path) -> str:
    """The name of a case, as pytest prints it."""
    return case.stem


@cache
def read(case: Path) -> dict[str, Any]:
    """A case with its command line split into ``argv``."""
    content: dict[str, Any] = yaml.safe_load(case.read_text("utf-8"))
    return content | {"argv": shlex.split(content["command"])}


def command_line(argv: list[str]) -> str:
    """The inverse of ``shlex.split``; unlike ``shlex.join``, it leaves Chinese words without quotes."""
    return " ".join(arg if re.fullmatch(r"[\w@%+=:,./-]+", arg) else shlex.quote(arg) for arg in argv)


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines as a block."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text[:-1] else None)


_Dumper.add_representer(str, _text)


def as_yaml(content: Mapping[str, Any]) -> str:
    """A case as it is stored: a line for each of ``why`` and ``command``, then what is expected."""
    return yaml.dump(content, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100_000)


def differences(wanted: Any, got: Any, path: str = "") -> Iterator[str]:
    """Where a document does not have the expected part."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key, value in wanted.items():
            yield from differences(value, got.get(key, f"no key {key}"), f"{path}/{key}")
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        for number, (value, other) in enumerate(zip(wanted, got, strict=True)):
            yield from differences(value, other, f"{path}/{number}")
    elif wanted != got:
        yield f"{path}: wanted {wanted!r}, got {got!r}"


def restricted(wanted: Any, got: Any) -> Any:
    """The part of a document that has the keys of an expected part."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        return {key: restricted(value, got[key]) for key, value in wanted.items()}
    if isinstance(wanted, list) and isinstance(got, list) and wanted:
        return [restricted(wanted[min(number, len(wanted) - 1)], value) for number, value in enumerate(got)]
    return got


@pytest.fixture(scope="module")
def schemas() -> Any:
    """The document of ``rtckb schema``."""
    return json.loads(CliRunner().invoke(main, ["schema"]).stdout)


@pytest.mark.parametrize("case", CASES, ids=sentence)
def test_answer(case: Path, sample_db: Path, schemas: Any, request: pytest.FixtureRequest) -> None:
    """The answer has everything that is expected, and its document is valid under the printed schema."""
    content = read(case)
    argv = content["argv"]
    if "text" in content:
        got = {"text": invoke(sample_db, *argv).stdout}
    else:
        whole = document(sample_db, *argv)
        Draft202012Validator(schemas[argv[0]]).validate(whole)
        got = {"document": whole} if "document" in content else {"expect": restricted(content["expect"], whole)}
    if request.config.getoption("update_golden", default=False):
        case.write_text(as_yaml({"why": content["why"], "command": content["command"]} | got), "utf-8")
        return
    if "expect" in content:
        assert list(differences(content["expect"], whole)) == []
    else:
        assert got.items() <= content.items()


@pytest.mark.parametrize("case", CASES[::16], ids=sentence)
def test_formats(case: Path, sample_db: Path) -> None:
    """YAML is the same document as JSON, and a process prints it as UTF-8 and nothing else."""
    argv = read(case)["argv"]
    wanted = document(sample_db, *argv)
    assert yaml.safe_load(invoke(sample_db, *argv, "--format", "yaml").stdout) == wanted
    got = ask(sample_db, *argv)
    assert (got.returncode, got.stderr, json.loads(got.stdout.decode("utf-8"))) == (0, b"", wanted)


@pytest.mark.parametrize("case", [case for case in CASES if "text" in read(case)], ids=sentence)
def test_text_in_a_process(case: Path, sample_db: Path) -> None:
    """A process prints a text snapshot as UTF-8 and nothing else."""
    got = ask(sample_db, *read(case)["argv"])
    assert (got.returncode, got.stderr, got.stdout.decode("utf-8")) == (0, b"", read(case)["text"])


def test_cases() -> None:
    """There are enough cases, each named by a sentence in kebab case, with a reason and a command of one line each."""
    by_base = {base: [case for case in CASES if case.parent.name == base] for base in FEWEST_CASES}
    assert {base: len(cases) >= FEWEST_CASES[base] for base, cases in by_base.items()} == {"trtc": True, "nim": True}
    assert [case.name for case in CASES if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){3,}\.yaml", case.name)] == []
    keys = (r"why: .+\.[\"']?\ncommand: .+\n", "expect:\n", "document:\n", r"text: \|")
    form = re.compile(rf"{keys[0]}(?:{'|'.join(keys[1:])})")
    assert [case.name for case in CASES if not form.match(case.read_text("utf-8"))] == []
    for cases in by_base.values():
        assert sum("expect" not in read(case) for case in cases) == SNAPSHOTS


def _values(documents: list[Any], *path: str) -> set[Any]:
    """The values at a path of keys in documents, in every element of a list."""
    for key in path:
        found = [document[key] for document in documents]
        documents = [value for item in found for value in (item if isinstance(item, list) else [item])]
    return set(documents)


def test_every_value_of_the_contracts_is_shown(sample_db: Path, schemas: Any) -> None:
    """Each status, strategy, confidence, grade, level and mode of the schemas is in the answer to at least one case."""
    answers: dict[str, list[Any]] = {"trtc": [], "nim": []}
    for case in CASES:
        if "text" not in read(case):
            answers[case.parent.name].append(document(sample_db, *read(case)["argv"])["response"])
    trtc, nim = (schemas[base]["properties"]["response"]["properties"] for base in answers)
    match, request = trtc["matches"]["items"]["properties"], nim["request"]["properties"]
    assert _values(answers["trtc"], "status") == set(trtc["status"]["enum"])
    for field in ("confidence", "match_strategy", "content_loaded"):
        assert _values(answers["trtc"], "matches", field) == set(match[field]["enum"])
    for field in ("track_type", "token_mode", "tag_mode"):
        assert _values(answers["nim"], "request", field) == set(request[field]["enum"])
    assert _values(answers["nim"], "request", "literal") == {True, False}
    assert _values(answers["nim"], "scan", "level") == set(nim["scan"]["properties"]["level"]["enum"])
    assert _values(answers["nim"], "matches", "grade") == set(nim["matches"]["items"]["properties"]["grade"]["enum"])
    assert _values(answers["nim"], "nearest", "grade") == {None}


def test_a_part_is_found_and_a_difference_is_named() -> None:
    """A part matches with fewer keys; a different value, a longer list and a missing key are named by their path."""
    got = {"a": [{"b": 1, "c": 2}, {"b": 3}]}
    assert list(differences({"a": [{"b": 1}, {}]}, got)) == []
    for wanted, path in (({"a": [{"b": 2}, {}]}, "/a/0/b"), ({"a": [{}]}, "/a"), ({"d": 1}, "/d"), ({"a": {}}, "/a")):
        assert [line.partition(":")[0] for line in differences(wanted, got)] == [path]
    assert restricted({"a": [{"b": 0}]}, got) == {"a": [{"b": 1}, {"b": 3}]}


def test_command_lines() -> None:
    """A command line is read back as it was written."""
    for argv in (["trtc", "弹幕 怎么", "-4001", "--product", "live"], ["nim", "a\nb", "'", '"', "\\", ""]):
        assert shlex.split(command_line(argv)) == argv

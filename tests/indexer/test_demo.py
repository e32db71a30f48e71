"""The demonstration asks the sample its questions through the command itself."""

import shlex
import tempfile
from pathlib import Path

import pytest
from conftest import SAMPLE

from indexer.demo import run_demo
from indexer.yaml_text import load_strings
from rtckb import ANSWERED_BY


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What one demonstration says; its last line is what it leaves in the temp folder."""
    found: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("demo")))
        run_demo(found.append)
        return [*found, repr(list(Path(tempfile.gettempdir()).iterdir()))]


def test_demo(said: list[str]) -> None:
    """Every question of questions.yaml is said with its reason, its command and an answer that is no error."""
    said = said[:-1]
    questions = load_strings((SAMPLE / "questions.yaml").read_text("utf-8"))
    assert isinstance(questions, list)
    assert said[0] == "built the sample: 12 slices, 34 NIM units"
    assert said[1::2] == [f"\n# {q['why']}\n$ rtckb {shlex.join(q['command'])}" for q in questions]
    assert len(questions) == 6
    answered = [(q, a) for q, a in zip(questions, said[2::2], strict=True) if q["command"][0] in ANSWERED_BY]
    assert answered
    for question, answer in answered:
        assert answer.strip(), question["command"]
        assert "Traceback" not in answer
        assert not answer.startswith(("Usage:", "rtckb:", "Error")), answer


def test_demo_leaves_nothing(said: list[str]) -> None:
    """The index of the demonstration is gone afterwards."""
    assert said[-1] == "[]"

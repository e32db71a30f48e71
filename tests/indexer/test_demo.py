"""The demonstration runs its questions on the sample through the command line."""

import shlex
import tempfile
from pathlib import Path

import pytest
from conftest import SAMPLE

from indexer.demo import run_demo
from indexer.yaml_text import load_strings
from rtckb import MODULES


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[Path]]:
    """The texts that one demonstration writes, and the files that it leaves in the temporary folder."""
    texts: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("demo")))
        run_demo(texts.append)
        return texts, list(Path(tempfile.gettempdir()).iterdir())


def test_demo(demo: tuple[list[str], list[Path]]) -> None:
    """Every question of questions.yaml is written with its reason, its command and an answer that is no error."""
    texts = demo[0]
    questions = load_strings((SAMPLE / "questions.yaml").read_text("utf-8"))
    assert texts[0] == "built the sample: 12 slices, 34 NIM units"
    assert texts[1::2] == [f"\n# {q['why']}\n$ rtckb {shlex.join(q['command'])}" for q in questions]
    assert len(questions) == 6
    answered = [(q, a) for q, a in zip(questions, texts[2::2], strict=True) if q["command"][0] in MODULES]
    assert answered
    for question, answer in answered:
        assert answer.strip(), question["command"]
        assert "Traceback" not in answer
        assert not answer.startswith(("Usage:", "rtckb:", "Error")), answer


def test_demo_leaves_nothing(demo: tuple[list[str], list[Path]]) -> None:
    """The demonstration removes its index."""
    assert demo[1] == []

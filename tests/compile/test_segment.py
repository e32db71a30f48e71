"""Han runs are segmented by jieba, each once, without files in the temporary folder."""

import marshal
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from indexer.build import Sources
from indexer.compile import segment
from indexer.compile.segment import Segmenter, cut_runs, identity
from indexer.compile.workers import Workers

Run = Callable[..., subprocess.CompletedProcess[bytes]]

#: Long words, and their parts that a search must find too.
PARTS = {"视频通话": {"视频", "通话"}, "历史记录": {"历史", "记录"}, "兼容性问题": {"兼容", "兼容性"}}


@pytest.mark.parametrize(("run", "words"), PARTS.items(), ids=PARTS)
def test_parts_of_long_words(run: str, words: set[str]) -> None:
    """The parts of a long word are words too."""
    assert words <= set(cut_runs([run])[run].split())


def test_invents_no_words() -> None:
    """Without the hidden Markov model, no word is found that is not in the dictionary."""
    assert "跨房" not in cut_runs(["跨房连线"])["跨房连线"].split()
    assert "HMM=False" in identity()


def test_parts_are_marked() -> None:
    """A tab follows a part of the next word, a space follows a word."""
    assert cut_runs(["有兼容性问题"]) == {"有兼容性问题": "有 兼容\t容性\t问题\t兼容性\t兼容性问题"}


@pytest.mark.parametrize("jobs", [1, 2])
def test_segmenter(jobs: int) -> None:
    """Known runs come from memory, new ones from jieba, and known runs that were not added are dropped."""
    with closing(Workers(jobs)) as workers:
        segmenter = Segmenter({"弹幕": "known", "礼物": "dropped"}, workers)
        segmenter.add(["弹幕", "视频通话"])
        segmenter.add(["视频通话", "耳返"])
        words = dict(segmenter.words())
    assert words.pop("弹幕") == "known"
    assert words == cut_runs(["视频通话", "耳返"])


def test_full_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """With workers a full batch is submitted at once, and its words are returned with the rest."""
    monkeypatch.setattr(segment, "_BATCH", 2)
    runs = ["弹幕", "礼物", "连麦", "耳返", "美颜"]
    with closing(Workers(2)) as workers:
        segmenter = Segmenter({}, workers)
        segmenter.add(runs)
        segmenter.add(runs)
        assert segmenter.words() == cut_runs(runs)


CUT = "from indexer.compile.segment import cut_runs; print(ascii(cut_runs(['云信即时通讯', '主播申请连麦'])))"


def test_leaves_nothing_behind(python: Run, tmp_path: Path) -> None:
    """jieba leaves no cache, no temporary file and no message or warning, even if the folder does not exist."""
    for folder in (tmp_path, tmp_path / "missing"):
        done = python("-W", "default", "-c", CUT, env={"TMPDIR": str(folder)})
        assert (done.returncode, done.stderr) == (0, b"")
    assert list(tmp_path.iterdir()) == []


def test_the_first_import_warns_of_nothing(python: Run, tmp_path: Path) -> None:
    """Warnings that Python prints when it first compiles jieba's sources are not shown."""
    done = python("-W", "default", "-c", CUT, env={"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""})
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(tmp_path.rglob("jieba/*.pyc"))


def test_trusts_no_cache(python: Run, tmp_path: Path) -> None:
    """A valid jieba.cache that somebody else put into the temporary folder changes no word."""
    clean = python("-c", CUT)
    frequencies = {"云信即时通讯": 10**9, "云": 0, "主播申请连麦": 10**9}
    (tmp_path / "jieba.cache").write_bytes(marshal.dumps((frequencies, 10**9)))
    planted = python("-c", CUT, env={"TMPDIR": str(tmp_path)})
    assert (clean.returncode, planted.returncode, planted.stdout) == (0, 0, clean.stdout)


LAZY = """
import sys
from indexer.build import Sources, build
from pathlib import Path
assert "jieba" not in sys.modules, "imported with indexer.build"
summary = build(Sources(Path(sys.argv[1]), Path(sys.argv[2])), Path(sys.argv[3]))
print("jieba" in sys.modules, summary.unchanged)
"""


def test_jieba_is_imported_only_for_new_runs(python: Run, tree: Sources, sample_db: Path, tmp_path: Path) -> None:
    """A build in which every run is known does not import jieba; one with a new run does."""
    assert tree.nim is not None
    argv = (tree.trtc, tree.nim, Path(shutil.copy(sample_db, tmp_path / "x.db")))
    page = next((tree.nim / "knowledge").rglob("排查-*.md"))
    text = page.read_text("utf-8")
    assert python("-c", LAZY, *argv).stdout.split()[0] == b"False"
    assert python("-c", LAZY, *argv).stdout.split() == [b"False", b"True"]
    page.write_text(text + "\nABC 123\n", "utf-8")
    assert python("-c", LAZY, *argv).stdout.split() == [b"False", b"False"]
    page.write_text(text + "\n魑魅魍魉\n", "utf-8")
    assert python("-c", LAZY, *argv).stdout.split() == [b"True", b"False"]

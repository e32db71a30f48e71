"""Han runs -> words: by jieba, once each, without a trace in the temp folder."""

import bz2
import marshal
import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.build import Sources
from indexer.compile import segment
from indexer.compile.segment import Segmenter, cut_runs, identity, pack, unpack
from indexer.compile.workers import Workers

HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1, max_size=6)
Run = Callable[..., subprocess.CompletedProcess[bytes]]

#: Words that ``cut`` swallows in longer ones, and that must stand apart for a search to find them (cases.md B10).
FINE = {"视频通话": {"视频", "通话"}, "历史记录": {"历史", "记录"}, "兼容性问题": {"兼容", "兼容性"}}


@pytest.mark.parametrize(("run", "words"), FINE.items(), ids=FINE)
def test_cuts_finely(run: str, words: set[str]) -> None:
    """Long words are cut into their parts as well."""
    assert words <= set(cut_runs([run])[run].split())


def test_invents_no_words() -> None:
    """Without the hidden Markov model nothing is a word that the dictionary lacks (B9)."""
    assert "跨房" not in cut_runs(["跨房连线"])["跨房连线"].split()
    assert "HMM=False" in identity()


@given(st.lists(st.one_of(HAN, st.sampled_from(["中国中国人", "兼容性问题兼容性", *FINE])), max_size=8))
def test_pack_round_trip(runs: list[str]) -> None:
    """What is packed is unpacked, runs told by their words, and the order of asking leaves no trace."""
    words = cut_runs(runs)
    assert unpack(pack(words)) == words
    assert pack(dict(reversed(words.items()))) == pack(words)


def test_parts_are_marked() -> None:
    """A tab follows a part of the word to come, and a space a word."""
    assert cut_runs(["有兼容性问题"]) == {"有兼容性问题": "有 兼容\t容性\t问题\t兼容性\t兼容性问题"}


BROKEN = {
    "not compressed": b"x",
    "empty": b"",
    "no text": bz2.compress(b"\xff\xfe"),
    "cut short": bz2.compress("弹幕 礼物".encode())[:-4],
}


@pytest.mark.parametrize("blob", BROKEN.values(), ids=BROKEN)
def test_unpack_refuses(blob: bytes) -> None:
    """Anything else is a ValueError, not half a memory."""
    with pytest.raises(ValueError, match="packed segmentation"):
        unpack(blob)


@pytest.mark.parametrize("jobs", [1, 2])
def test_segmenter(jobs: int) -> None:
    """Known runs come from memory, new ones from jieba, those never wanted are forgotten."""
    with closing(Workers(jobs)) as workers:
        segmenter = Segmenter({"弹幕": "remembered", "礼物": "forgotten"}, workers)
        segmenter.want(["弹幕", "视频通话"])
        segmenter.want(["视频通话", "耳返"])
        words = dict(segmenter.words())
    assert words.pop("弹幕") == "remembered"
    assert words == cut_runs(["视频通话", "耳返"])


def test_full_batches_are_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """With other processes a full batch goes out at once, and comes back with the rest."""
    monkeypatch.setattr(segment, "_BATCH", 2)
    runs = ["弹幕", "礼物", "连麦", "耳返", "美颜"]
    with closing(Workers(2)) as workers:
        segmenter = Segmenter({}, workers)
        segmenter.want(runs)
        segmenter.want(runs)
        assert segmenter.words() == cut_runs(runs)


CUT = "from indexer.compile.segment import cut_runs; print(ascii(cut_runs(['云信即时通讯', '主播申请连麦'])))"


def test_leaves_nothing_in_the_temp_folder(python: Run, tmp_path: Path) -> None:
    """Neither jieba's cache nor a leaked temporary file, nor a word on stderr, warnings shown (B1, B4, B5)."""
    done = python("-W", "default", "-c", CUT, env={"TMPDIR": str(tmp_path)})
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(tmp_path.iterdir()) == []


def test_the_first_import_warns_of_nothing(python: Run, tmp_path: Path) -> None:
    """jieba's own sources make a newer Python warn when it compiles them; our users do not see it (B6)."""
    done = python("-W", "default", "-c", CUT, env={"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""})
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(tmp_path.rglob("jieba/*.pyc"))


def test_trusts_no_cache(python: Run, tmp_path: Path) -> None:
    """A foreign but valid jieba.cache in the temp folder changes no word (B2)."""
    clean = python("-c", CUT)
    frequencies = {"云信即时通讯": 10**9, "云": 0, "主播申请连麦": 10**9}
    (tmp_path / "jieba.cache").write_bytes(marshal.dumps((frequencies, 10**9)))
    planted = python("-c", CUT, env={"TMPDIR": str(tmp_path)})
    assert (clean.returncode, planted.returncode, planted.stdout) == (0, 0, clean.stdout)


def test_read_only_temp_folder(python: Run, tmp_path: Path) -> None:
    """A temp folder that does not exist is no matter (B3)."""
    done = python("-c", CUT, env={"TMPDIR": str(tmp_path / "missing")})
    assert (done.returncode, done.stderr) == (0, b"")


LAZY = """
import sys
from indexer.build import Sources, build
from pathlib import Path
assert "jieba" not in sys.modules, "imported with indexer.build"
summary = build(Sources(Path(sys.argv[1]), Path(sys.argv[2])), Path(sys.argv[3]))
print("jieba" in sys.modules, summary.unchanged)
"""


def test_jieba_is_imported_only_to_cut(python: Run, tree: Sources, sample_db: Path, tmp_path: Path) -> None:
    """A build that remembers every run imports no jieba, up to date or not; a new run does import it."""
    assert tree.nim is not None
    places = (tree.trtc, tree.nim, Path(shutil.copy(sample_db, tmp_path / "x.db")))
    page = next((tree.nim / "knowledge").rglob("排查-*.md"))
    text = page.read_text("utf-8")
    assert python("-c", LAZY, *places).stdout.split()[0] == b"False"
    assert python("-c", LAZY, *places).stdout.split() == [b"False", b"True"]
    page.write_text(text + "\nABC 123\n", "utf-8")
    assert python("-c", LAZY, *places).stdout.split() == [b"False", b"False"]
    page.write_text(text + "\n魑魅魍魉\n", "utf-8")
    assert python("-c", LAZY, *places).stdout.split() == [b"True", b"False"]

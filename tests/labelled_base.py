"""The base of the labelled questions: the embedded sample and more invented pages, so that answers have rivals.

``python tests/labelled_base.py FOLDER`` writes it; ``rtckb build --trtc FOLDER/trtc --nim FOLDER/nim`` compiles it, and
``rtckb eval`` asks it the sets under ``tests/evaluation``.
"""

import shutil
import sys
from pathlib import Path

import yaml

from indexer.build import Sources

SAMPLE = Path(__file__).parents[1] / "indexer" / "data" / "sample"
#: More pages in the layout of the sample. The ``index.yaml`` among them lists only what they add.
MORE = Path(__file__).parent / "evaluation" / "base"
_INDEX = Path("trtc", "knowledge-base", "index.yaml")


def labelled_sources(folder: Path) -> Sources:
    """Write both bases into a folder."""
    for tree in (SAMPLE, MORE):
        shutil.copytree(tree, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("index.yaml"))
    index, more = (yaml.safe_load((tree / _INDEX).read_text("utf-8")) for tree in (SAMPLE, MORE))
    merged = index | {name: [*index[name], *more[name]] for name in more}
    (folder / _INDEX).write_text(yaml.safe_dump(merged, allow_unicode=True, sort_keys=False), "utf-8")
    return Sources(folder / "trtc", folder / "nim")


if __name__ == "__main__":
    labelled_sources(Path(sys.argv[1]))

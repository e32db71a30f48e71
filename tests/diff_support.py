"""A copy of the sample that differs from it in known ways."""

import shutil
from pathlib import Path

from conftest import SAMPLE

from indexer.build import Sources, build

ENTRIES = "knowledge/IM-SDK/消息收发/功能实现咨询.md"
EDITED = "knowledge/IM-SDK/推送/iOS/排查-角标数字清不掉.md"
GONE = "knowledge/短信/签名报备/--/排查-签名审核被驳回.md"
RENAMED = "knowledge/IM-SDK/集成编译/Android/排查-打包后重复类冲突.md"
NEW_NAME = RENAMED.replace("排查-打包后", "排查-打包时`")
_KB = "knowledge-base"
_NEW_ENTRY = """<!-- entry: platform=Web, created=2026-05-01, customers=[], frequency=1, tags=["全新标签"] -->
## Q: 全新的问题

**答案**：全新的答案。

---

"""


def changed_copy(folder: Path, sample_db: Path) -> Path:
    """The index of the changed sample; ``sample_db`` lends it the segmentation."""
    for base in ("trtc", "nim"):
        shutil.copytree(SAMPLE / base, folder / base)
    _change_trtc(folder / "trtc" / _KB)
    _change_nim(folder / "nim")
    target = Path(shutil.copy(sample_db, folder / "new.db"))
    build(Sources(folder / "trtc", folder / "nim"), target)
    return target


def _change_trtc(base: Path) -> None:
    _edit(base / "index.yaml", "animation, GiftComboStore", "animation, GiftComboStore, streak")
    _edit(base / "index.yaml", "- id: rtc-engine/media-relay", "- id: rtc-engine/relay")
    _edit(base / "slices/live/ios/danmaku-wall.md", "-4213", "-4299")
    pages = base / "slices" / "live"
    (pages / "ios/gift-combo.md").rename(pages / "android/gift-combo.md")
    _edit(base / "scenarios/conference/team-standup.md", "room_type: standard", "room_type: large")


def _change_nim(base: Path) -> None:
    entries = base / ENTRIES
    head, mark, rest = entries.read_text("utf-8").partition("<!-- entry")
    entries.write_text(head + _NEW_ENTRY + mark + rest, "utf-8")
    case = base / EDITED
    case.write_text(case.read_text("utf-8").replace("root_cause: ", "root_cause: 其实"), "utf-8")
    (base / GONE).unlink()
    (base / RENAMED).rename(base / NEW_NAME)


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text, old
    path.write_text(text.replace(old, new), "utf-8")

"""The entries and the pages that list a slice become one record."""

from pathlib import Path

import pytest
from split_support import IOS, WEB, write_base

from indexer.reading.front_matter import Value
from indexer.reading.trtc.catalogue import Listing
from indexer.reading.trtc.listed import by_id, is_planned, product_of, relation_of, tags_of
from indexer.reading.trtc.reader import read_trtc
from indexer.records import Product, Relation, Slice, TrtcBase


def _slice(base: TrtcBase, slice_id: str) -> Slice:
    (found,) = (record for record in base.slices if record.id == slice_id)
    return found


def _listing(slice_id: str, platform: str) -> Listing:
    return Listing(slice_id, platform, (platform,), "f.md", {}, f"{platform}/index.yaml")


def test_by_id() -> None:
    """An id of two platforms is one slice; an id twice on one platform is two, which the checks report."""
    web, ios, again, other = (_listing(i, p) for i, p in (("a", "web"), ("a", "ios"), ("a", "web"), ("b", "web")))
    assert by_id([web, ios, again, other]) == [[web, ios], [again], [other]]


def test_two_platforms(tmp_path: Path) -> None:
    """A slice of two indexes has the platforms, tags and pages of both; tags of a page alone are page tags."""
    found = _slice(read_trtc(write_base(tmp_path)), "chat/sticker")
    assert found.platforms == ("ios", "web")
    assert (found.name, found.description, found.planned) == ("贴纸", "发送贴纸", False)
    assert found.tags == ("sticker", "表情包", "贴纸包", "动态贴纸")
    assert found.page_tags == ("StickerStore", "@")
    assert found.related == ("live/firework", "chat/login")
    assert found.listed_in == "knowledge-base/chat/ios/index.yaml"
    assert [(page.platform, page.path) for page in found.pages] == [
        ("ios", "knowledge-base/slices/chat/ios/sticker.md"),
        ("web", "knowledge-base/slices/chat/web/sticker.md"),
    ]


def test_codes_among_keywords(tmp_path: Path) -> None:
    """A keyword that is an error code is a code of the slice and a tag."""
    text = WEB.replace("[贴纸包, sticker]", "[70031, 贴纸包, ERR_NO_STICKER, 1.2]")
    found = _slice(read_trtc(write_base(tmp_path, **{"chat/web/index.yaml": text})), "chat/sticker")
    assert found.codes == ("70031", "ERR_NO_STICKER")
    assert {"70031", "贴纸包", "1.2"} <= set(found.tags)


def test_listed_by_its_pages(tmp_path: Path) -> None:
    """Without an index the overview and the platform's page are one slice, of the platforms that have a page."""
    found = _slice(read_trtc(write_base(tmp_path)), "live/firework")
    assert (found.name, found.description, found.tags) == ("烟花", "在直播间放烟花。", ("firework",))
    assert (found.platforms, found.file) == (("ios",), "slices/live/firework.md")
    assert [page.platform for page in found.pages] == ["", "ios"]
    assert [code.code for code in found.pages[0].codes] == ["-8101"]


def test_planned(tmp_path: Path) -> None:
    """A slice that every index plans is planned, has its platforms, and has no page."""
    base = read_trtc(write_base(tmp_path))
    found = _slice(base, "chat/poll")
    assert (found.planned, found.pages, found.platforms) == (True, (), ("ios",))
    assert not [f for f in base.findings if "poll" in f.detail]


def test_planned_for_one_platform(tmp_path: Path) -> None:
    """A slice that one platform plans and another has is of the other only; the plan is a finding."""
    planned = IOS.replace("description: 发送贴纸}", "status: planned}")
    base = read_trtc(write_base(tmp_path, **{"chat/ios/index.yaml": planned}))
    found = _slice(base, "chat/sticker")
    assert (found.planned, found.platforms, [page.platform for page in found.pages]) == (False, ("web",), ["web"])
    (finding,) = (f for f in base.findings if f.kind == "planned-here")
    assert finding.path == "knowledge-base/chat/ios/index.yaml"


@pytest.mark.parametrize("key", ["name", "description"])
def test_differences(tmp_path: Path, key: str) -> None:
    """If two platforms name or describe a slice differently, the first is used, with a finding."""
    changed = IOS.replace({"name": "name: 贴纸", "description": "发送贴纸"}[key], f"{key}: x" if key == "name" else "x")
    base = read_trtc(write_base(tmp_path, **{"chat/ios/index.yaml": changed}))
    assert getattr(_slice(base, "chat/sticker"), key) == "x"
    (finding,) = (f for f in base.findings if f.kind == "differs")
    assert finding.detail == f"chat/sticker has another {key} for another platform; 'x' is used"


OVERVIEW = "slices/chat/sticker.md"


def test_overview_beside_the_listed_page(tmp_path: Path) -> None:
    """An overview on disk is a page of the slice, once, and is the slice's file."""
    base = read_trtc(write_base(tmp_path, **{OVERVIEW: "---\nrelated: [chat/poll]\n---\n# 总览\n"}))
    found = _slice(base, "chat/sticker")
    assert [page.platform for page in found.pages] == ["", "ios", "web"]
    assert (found.file, found.related[0]) == (OVERVIEW, "chat/poll")
    assert not [f for f in base.findings if f.kind in {"unlisted", "double-file"}]


def test_platforms_that_an_entry_adds(tmp_path: Path) -> None:
    """An entry may list the overview and platforms; the pages of the platforms are found by name."""
    entry = (
        "slices:\n  - {id: chat/sticker, name: 贴纸, tags: [t], platforms: [web, ios], file: slices/chat/sticker.md}\n"
    )
    changed = {"chat/web/index.yaml": entry, OVERVIEW: "# 总览\n", "chat/ios/index.yaml": "slices: []\n"}
    found = _slice(read_trtc(write_base(tmp_path, **changed)), "chat/sticker")
    assert found.platforms == ("web", "ios")
    assert [page.platform for page in found.pages] == ["", "ios", "web"]


def test_page_of_another_id(tmp_path: Path) -> None:
    """A page that another entry names belongs to that entry, whatever its name."""
    more = IOS + "  - {id: chat/other, name: O, tags: [o], file: slices/chat/sticker.md}\n"
    base = read_trtc(write_base(tmp_path, **{"chat/ios/index.yaml": more, OVERVIEW: "# 别的\n"}))
    assert [page.path for page in _slice(base, "chat/other").pages] == [f"knowledge-base/{OVERVIEW}"]
    assert "" not in [page.platform for page in _slice(base, "chat/sticker").pages]
    assert not [f for f in base.findings if f.kind == "double-file"]


def test_page_elsewhere(tmp_path: Path) -> None:
    """A page outside ``slices/`` has the platform of the index that lists it."""
    entry = "slices:\n  - {id: chat/login, name: 登录, tags: [t], file: pages/x.md}\n"
    found = _slice(read_trtc(write_base(tmp_path, **{"chat/web/index.yaml": entry, "pages/x.md": "# x"})), "chat/login")
    assert [(page.platform, page.path) for page in found.pages] == [("web", "knowledge-base/pages/x.md")]


def test_scenario_of_an_index(tmp_path: Path) -> None:
    """The fields that an index gives for a scenario take precedence over those of its page."""
    text = IOS + "scenarios:\n  - {id: garden-party, name: 派对, description: d, file: scenarios/live/party.md}\n"
    base = read_trtc(write_base(tmp_path, **{"chat/ios/index.yaml": text}))
    (found,) = base.scenarios
    assert (found.name, found.description, found.listed_in) == ("派对", "d", "knowledge-base/chat/ios/index.yaml")
    assert found.slices == ("live/firework", "chat/sticker", "live/gone")
    assert found.text.endswith("# 游园会\n")


def test_planned_scenario(tmp_path: Path) -> None:
    """A planned scenario has no text, and its missing page is not a finding."""
    text = IOS + "scenarios:\n  - {id: s, name: S, slices: [chat/poll], status: planned, file: scenarios/s.md}\n"
    base = read_trtc(write_base(tmp_path, **{"chat/ios/index.yaml": text}))
    assert [(s.id, s.planned, bool(s.text)) for s in base.scenarios] == [
        ("s", True, False),
        ("garden-party", False, True),
    ]


TAGS: dict[str, tuple["Value | None", tuple[str, ...]]] = {
    "a list": (["x", "Y", "x"], ("x", "Y")),
    "one text with commas": ("x, y，z、w; v；u", ("x", "y", "z", "w", "v", "u")),
    "one word": ("x", ("x",)),
    "a number in a list": (["6206"], ("6206",)),
    "nothing": (None, ()),
    "empty items": (["", " ", "x"], ("x",)),
}


@pytest.mark.parametrize(("written", "tags"), TAGS.values(), ids=TAGS)
def test_tags(written: "Value | None", tags: tuple[str, ...]) -> None:
    """Tags are a list or a text, in order, each once."""
    assert tags_of(written) == tags


@pytest.mark.parametrize(
    ("status", "planned"), [("planned", True), (" Planned ", True), ("active", False), ("", False)]
)
def test_is_planned(status: str, planned: bool) -> None:
    """Only the status ``planned`` plans an entry."""
    assert is_planned({"status": status}) is planned


def test_no_status() -> None:
    """An entry without a status is not planned."""
    assert not is_planned({})


def test_product() -> None:
    """A product has four fields; a missing one is empty."""
    entry = {"id": "live", "name": "L", "description": "d", "llms_file": "u", "public_release": {}}
    assert product_of(entry, "p.yaml") == Product("live", "L", "d", "u", "p.yaml")
    assert product_of({"id": "live"}, "p.yaml") == Product("live", "", "", "", "p.yaml")


def test_relation() -> None:
    """A relation has its products and slices as they are written, known or not."""
    entry = {"id": "r", "products": ["live", "chat"], "slices": "chat/x", "description": "d"}
    assert relation_of(entry, "p.yaml") == Relation("r", ("live", "chat"), ("chat/x",), "d", "p.yaml")

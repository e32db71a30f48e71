"""The slices and scenarios that a base of the later layout lists."""

from pathlib import Path

import pytest
from split_support import WEB, write_base

from indexer.reading.trtc.catalogue import Catalogue, note_unused_keys, platform_of
from indexer.reading.trtc.pages import FileReader


def _catalogue(folder: Path, *products: str) -> tuple[Catalogue, FileReader]:
    files = FileReader(folder / "knowledge-base")
    return Catalogue(files, products), files


def _listed(catalogue: Catalogue) -> list[tuple[str, str]]:
    return [(listing.id, listing.platform) for listing in catalogue.slices()]


LIVE = [("live/firework", ""), ("live/firework", "ios")]
CHAT = [("chat/sticker", "ios"), ("chat/poll", "ios"), ("chat/login", "web"), ("chat/sticker", "web")]


def test_order(tmp_path: Path) -> None:
    """Registered products come first, then others; within a product platforms in order, overviews before pages."""
    folder = write_base(tmp_path)
    assert _listed(_catalogue(folder, "live", "chat")[0]) == LIVE + CHAT
    assert _listed(_catalogue(folder, "live", "live")[0]) == LIVE + CHAT
    assert _listed(_catalogue(folder)[0]) == CHAT + LIVE


def test_fields_of_a_listing(tmp_path: Path) -> None:
    """A listing has the file that lists it, an index or the page itself; an entry may add platforms."""
    text = WEB.replace("tags: [login]", "tags: [login]\n    platforms: [flutter, web]")
    catalogue, _ = _catalogue(write_base(tmp_path, **{"chat/web/index.yaml": text}), "live", "chat")
    found = {(listing.id, listing.platform): listing for listing in catalogue.slices()}
    login, overview = found["chat/login", "web"], found["live/firework", ""]
    assert (login.listed_in, login.platforms) == ("chat/web/index.yaml", ("web", "flutter"))
    assert (overview.listed_in, overview.platforms) == ("slices/live/firework.md", ())


def test_no_index(tmp_path: Path) -> None:
    """A product without an index is a finding at its line in the register; one without pages is not."""
    register = "products:\n  - id: live\n  - id: call\n"
    catalogue, files = _catalogue(write_base(tmp_path, **{"products.yaml": register}), "live", "call")
    files.read_index("products.yaml", "", ())
    catalogue.slices()
    (finding,) = (f for f in files.findings if f.kind == "no-index")
    assert (finding.path, finding.line) == ("knowledge-base/products.yaml", 2)
    assert finding.detail == "live has no live/*/index.yaml: the front matter of its 2 pages lists them"


def test_an_index_ends_listing_by_pages(tmp_path: Path) -> None:
    """If one platform of a product has an index, the product's pages list nothing."""
    folder = write_base(tmp_path, **{"live/ios/index.yaml": "slices: []\n"})
    assert _listed(_catalogue(folder, "live", "chat")[0]) == CHAT


def test_other_files_named_index(tmp_path: Path) -> None:
    """An index.yaml elsewhere, or among pages and documents, lists nothing."""
    names = (
        "docs/chat/index.yaml",
        "slices/chat/index.yaml",
        "chat/index.yaml",
        "chat/web/x/index.yaml",
        ".x/y/index.yaml",
    )
    folder = write_base(tmp_path, **dict.fromkeys(names, "slices: [{id: chat/x, file: x.md}]\n"))
    assert _listed(_catalogue(folder, "live", "chat")[0]) == LIVE + CHAT


def test_scenarios(tmp_path: Path) -> None:
    """Scenarios are listed by their pages that have an id; those that an index names come first."""
    text = WEB + "scenarios:\n  - {id: x, file: scenarios/live/party.md}\n"
    pages = {
        "scenarios/a.md": "---\nid: a\n---\n",
        "scenarios/no-id.md": "# x\n",
        "scenarios/b.yaml": "---\nid: b\n---\n",
    }
    catalogue, _ = _catalogue(write_base(tmp_path, **pages, **{"chat/web/index.yaml": text}))
    assert [(listing.id, listing.listed_in) for listing in catalogue.scenarios()] == [
        ("x", "chat/web/index.yaml"),
        ("a", "scenarios/a.md"),
    ]


PLATFORMS = {
    "slices/live/a.md": "",
    "slices/live/ios/a.md": "ios",
    "slices/a.md": None,
    "slices/live/ios/deep/a.md": None,
    "slices/live/ios/a.MD": "ios",
    "slices/live/a.yaml": None,
    "scenarios/live/a.md": None,
    "": None,
}


@pytest.mark.parametrize(("file", "platform"), PLATFORMS.items(), ids=repr)
def test_platform_of(file: str, platform: str | None) -> None:
    """An overview is in its product's folder, the page of a platform one level below."""
    assert platform_of(file) == platform


def test_unused_keys(tmp_path: Path) -> None:
    """The keys that no record uses are one finding per file."""
    files = FileReader(tmp_path)
    note_unused_keys(files, "x.yaml", "slices", [{"id": "1", "b": ""}, {"a": "", "b": ""}], frozenset({"id"}))
    note_unused_keys(files, "y.yaml", "slices", [{"id": "1"}], frozenset({"id"}))
    assert [(f.path, f.detail) for f in files.findings] == [("knowledge-base/x.yaml", "a, b of slices: not used")]

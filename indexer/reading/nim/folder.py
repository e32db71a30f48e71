"""Finds a NIM case base and its pages."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.errors import SourceNotFound
from indexer.reading.decode import nfc, scrub

#: The first folder of every printed path, whatever the real name of the root.
PREFIX = "knowledge"

_INNER_ROOTS = ("knowledge", "rags")
#: Files by which a TRTC base is recognised, in either layout, given itself or with its parent folder.
_TRTC_MARKS = ("index.yaml", "knowledge-base/index.yaml", "products.yaml", "knowledge-base/products.yaml")
#: Folders that are never read, at any depth: internal documents must not leak.
_NEVER = {"docs", "internaldocs"}
_MAX_DEPTH = 3


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page and its printed path. ``problem`` is empty, or the kind of a finding: the page must not be read."""

    path: Path
    relative: str
    problem: str = ""
    detail: str = ""


def find_root(folder: Path) -> Path:
    """The folder of the product folders: ``knowledge/`` or ``rags/`` below ``folder``, else ``folder`` itself.

    See docs/decisions/nim.md#root-folder.

    Raises:
        SourceNotFound: no folder with pages is found; the message names what ``folder`` contains.
    """
    root = _root_in(folder, _MAX_DEPTH)
    if root is None:
        raise SourceNotFound(f"--nim {folder}: {_contents(folder)}; wanted product folders with .md files in them")
    return root


def _root_in(folder: Path, depth: int) -> Path | None:
    for name in _INNER_ROOTS if depth else ():
        root = _root_in(folder / name, depth - 1)
        if root is not None:
            return root
    return folder if _holds_products(folder) else None


def _holds_products(folder: Path) -> bool:
    """Whether a folder in ``folder`` contains a page, at any depth, and ``folder`` is not a TRTC base."""
    if not folder.is_dir() or _trtc_mark(folder):
        return False
    return any(_holds_page(product) for product in _folders(folder))


def _trtc_mark(folder: Path) -> str:
    return next((mark for mark in _TRTC_MARKS if (folder / mark).exists()), "")


def _holds_page(product: Path) -> bool:
    for _, folders, names in os.walk(product):
        _prune(folders)
        if any(name.lower().endswith(".md") for name in names):
            return True
    return False


def _folders(folder: Path) -> list[Path]:
    try:
        children = sorted(folder.iterdir())
    except OSError:
        return []
    return [child for child in children if not _is_skipped(child.name) and child.is_dir() and not child.is_symlink()]


def _contents(folder: Path) -> str:
    if not folder.exists():
        return "there is no such folder"
    if not folder.is_dir():
        return "found a file"
    if _trtc_mark(folder):
        return f"found {_trtc_mark(folder)}, a TRTC knowledge base"
    names = [child.name for child in _folders(folder)][:5]
    return f"found {', '.join(names)} without pages" if names else "found no folders"


def case_files(root: Path) -> list[FoundPage]:
    """Every page below ``root``, sorted by printed path. A link to a file outside ``root`` is not followed."""
    found: dict[str, FoundPage] = {}
    for page in sorted(_walk(root), key=lambda page: (page.relative, page.path)):
        if page.relative in found:
            detail = f"{page.path.name!a} has the same printed path as another file"
            found[f"{page.relative} (2)"] = FoundPage(page.path, f"{page.relative} (2)", "duplicate-path", detail)
        else:
            found[page.relative] = page
    return list(found.values())


def _walk(root: Path) -> Iterator[FoundPage]:
    unreadable: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=unreadable.append):
        _prune(folders)
        below = folder[len(str(root)) :].replace(os.sep, "/").strip("/")
        prefix = f"{PREFIX}/{below}/" if below else f"{PREFIX}/"
        pages = [name for name in names if name.lower().endswith(".md") and not _is_skipped(name)]
        for name in (*pages, *folders):
            page = _checked(f"{folder}{os.sep}{name}", nfc(scrub(prefix + name)), root)
            if page is not None:
                yield page
    for error in unreadable:
        path = Path(str(error.filename))
        yield FoundPage(path, f"{PREFIX}/{path.name}", "unreadable", error.strerror or "cannot be listed")


def _checked(path: str, relative: str, root: Path) -> FoundPage | None:
    """The page, with its problem if it has one; None for a folder, whose pages are found by themselves."""
    page = FoundPage(Path(path), relative)
    try:
        mode = page.path.lstat().st_mode
        if stat.S_ISLNK(mode):
            mode = page.path.stat().st_mode
            if not _is_inside(page.path.resolve(), root.resolve()):
                return replace(page, problem="outside-root", detail="a link to a file outside the case base")
    except OSError as error:
        return replace(page, problem="unreadable", detail=error.strerror or "cannot be read")
    if stat.S_ISDIR(mode):
        return None
    return page if stat.S_ISREG(mode) else replace(page, problem="unreadable", detail="not a regular file")


def _is_inside(target: Path, root: Path) -> bool:
    return target.is_relative_to(root) and not any(map(_is_skipped, target.relative_to(root).parts))


def _prune(folders: list[str]) -> None:
    folders[:] = sorted(name for name in folders if not _is_skipped(name))


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name.casefold() in _NEVER

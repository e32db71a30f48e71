"""Where a TRTC knowledge base lies, which of its files are pages, and what its index may not name."""

import re
from collections.abc import Iterator
from pathlib import Path

from indexer.errors import SourceNotFound

#: What printed paths begin with, whatever the root's real name.
ROOT_NAME = "knowledge-base"
INDEX = "index.yaml"
#: Where pages lie below the root.
PAGE_FOLDERS = ("slices", "scenarios")

_URL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def find_root(folder: Path) -> Path:
    """The folder that holds index.yaml: the one given, or its ``knowledge-base/``."""
    for root in (folder, folder / ROOT_NAME):
        if (root / INDEX).is_file():
            return root
    found = "no such folder" if not folder.is_dir() else ", ".join(sorted(p.name for p in folder.iterdir())[:8])
    wanted = f"{INDEX} or {ROOT_NAME}/{INDEX}"
    raise SourceNotFound(f"--trtc {folder}: found {found or 'an empty folder'}; wanted a folder with {wanted}")


def page_files(root: Path) -> Iterator[Path]:
    """Every page on disk, in name order; links out of the base are not looked at."""
    for folder in PAGE_FOLDERS:
        for path in sorted((root / folder).rglob("*.md")):
            if path.is_file() and path.resolve().is_relative_to(root.resolve()):
                yield path


def refusal_of(file: str, root: Path) -> tuple[str, str] | None:
    """Why a file named by the index must not be opened (cases.md G16): a finding's kind and detail, or None."""
    if not file or _URL.match(file) or Path(file).is_absolute() or ".." in Path(file).parts:
        return "path-refused", "wanted a path inside the knowledge base"
    path = root / file
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            return "path-refused", "a link that leaves the knowledge base"
        return None if path.is_file() else ("missing-file", "no such file")
    except (OSError, ValueError, RuntimeError):  # too long a name, a NUL in it, links in a circle
        return "path-refused", "no path that can be opened"

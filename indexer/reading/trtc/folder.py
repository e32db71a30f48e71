"""Where a TRTC knowledge base lies, in which layout, which of its files are read, and what its index may not name."""

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from indexer.errors import SourceNotFound

#: What printed paths begin with, whatever the root's real name.
ROOT_NAME = "knowledge-base"
#: Where pages lie below the root.
PAGE_FOLDERS = ("slices", "scenarios")

_TEXT = frozenset({".md", ".yaml", ".yml"})
_URL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Layout(StrEnum):
    """How a base is laid out; the value is the file at its root that tells, in order of precedence.

    The specification's layout has one index of everything. The later public one has a register of products, and
    an index for each platform of a product: ``{product}/{platform}/index.yaml``.
    """

    INDEXED = "index.yaml"
    SPLIT = "products.yaml"


def find_root(folder: Path) -> Path:
    """The folder that holds index.yaml or products.yaml: the one given, or its ``knowledge-base/``."""
    for root in (folder, folder / ROOT_NAME):
        if _layouts(root):
            return root
    found = "no such folder" if not folder.is_dir() else ", ".join(sorted(p.name for p in folder.iterdir())[:8])
    wanted = f"a folder with {' or '.join(Layout)}, its own or in its {ROOT_NAME}/"
    raise SourceNotFound(f"--trtc {folder}: found {found or 'an empty folder'}; wanted {wanted}")


def layout_of(root: Path) -> Layout:
    """The layout of the base at ``root``, by what lies there: an index.yaml is the whole index."""
    return _layouts(root)[0]


def _layouts(root: Path) -> list[Layout]:
    return [layout for layout in Layout if (root / layout.value).is_file()]


def source_files(root: Path) -> Iterator[Path]:
    """Every file that the reader of the base's layout looks at: what the ledger lists and the census hashes."""
    if layout_of(root) is Layout.INDEXED:
        yield from (root / layout.value for layout in _layouts(root))
        yield from page_files(root)
    else:
        yield from _text_files(root)


def _text_files(root: Path) -> Iterator[Path]:
    """Every Markdown and YAML file, in name order; neither hidden ones nor links out of the base."""
    for path in sorted(root.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if path.suffix in _TEXT and not hidden and path.is_file() and path.resolve().is_relative_to(root.resolve()):
            yield path


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

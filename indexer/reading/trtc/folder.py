"""Finds a TRTC knowledge base, its layout and its source files, and checks the paths that an index names."""

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path, PurePosixPath

from indexer.errors import SourceNotFound
from indexer.reading.decode import nfc

#: The first folder of every printed path, whatever the real name of the root.
ROOT_NAME = "knowledge-base"
#: The folders of pages below the root.
PAGE_FOLDERS = ("slices", "scenarios")

_PAGE_SUFFIX = ".md"
_TEXT_SUFFIXES = (_PAGE_SUFFIX, ".yaml", ".yml")
_URL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Layout(StrEnum):
    """The layouts in order of precedence; the value is the file at the root by which a layout is recognised.

    The layout of the specification has one index of everything. The later public layout has a register of products
    and one index for each platform of a product: ``{product}/{platform}/index.yaml``.
    """

    INDEXED = "index.yaml"
    SPLIT = "products.yaml"


def find_root(folder: Path) -> Path:
    """The folder that contains index.yaml or products.yaml: ``folder`` or its ``knowledge-base/``.

    Raises:
        SourceNotFound: neither folder contains one; the message lists what ``folder`` contains.
    """
    for root in (folder, folder / ROOT_NAME):
        if _layouts(root):
            return root
    found = "no such folder" if not folder.is_dir() else ", ".join(sorted(p.name for p in folder.iterdir())[:8])
    wanted = f"a folder with {' or '.join(Layout)}, its own or in its {ROOT_NAME}/"
    raise SourceNotFound(f"--trtc {folder}: found {found or 'an empty folder'}; wanted {wanted}")


def layout_of(root: Path) -> Layout:
    """The layout of the base at ``root``.

    Raises:
        SourceNotFound: the file by which ``find_root`` recognised the base has been removed since.
    """
    layouts = _layouts(root)
    if not layouts:
        raise SourceNotFound(f"{root}: {' and '.join(Layout)} are gone; wanted a base that does not change meanwhile")
    return layouts[0]


def _layouts(root: Path) -> list[Layout]:
    return [layout for layout in Layout if (root / layout.value).is_file()]


def source_files(root: Path) -> Iterator[str]:
    """Every file that the reader of the base's layout looks at, by its path below ``root``.

    These are the files of the ledger and of the source hashes.
    """
    if layout_of(root) is Layout.INDEXED:
        yield from (layout.value for layout in _layouts(root))
        for folder in PAGE_FOLDERS:
            yield from _files_below(root / folder, root, _PAGE_SUFFIX)
    else:
        for file in _files_below(root, root, _TEXT_SUFFIXES):
            if not any(part.startswith(".") for part in file.split("/")):
                yield file


def _files_below(folder: Path, root: Path, suffixes: str | tuple[str, ...]) -> Iterator[str]:
    """The files with one of the suffixes, in any case, sorted by path, without links to files outside ``root``."""
    inside = root.resolve()
    for path in sorted(folder.rglob("*")):
        if path.name.lower().endswith(suffixes) and path.is_file() and path.resolve().is_relative_to(inside):
            yield path.relative_to(root).as_posix()


def printed_path(file: str) -> str:
    """A path below the root as answers, findings and the ledger print it: normalized, from ``knowledge-base/`` on."""
    return nfc(f"{ROOT_NAME}/{PurePosixPath(file)}")


def is_page(file: str) -> bool:
    """Whether a file name is that of a page; the case of the suffix does not matter."""
    return file.lower().endswith(_PAGE_SUFFIX)


def page_key(file: str) -> str:
    """The path of a page with its suffix in lower case: ``a.MD`` in a platform folder belongs to ``a.md``."""
    return file[: -len(_PAGE_SUFFIX)] + _PAGE_SUFFIX if is_page(file) else file


def refusal_of(file: str, root: Path) -> tuple[str, str] | None:
    """The kind and detail of a finding if ``file``, which an index names, must not be opened; else None."""
    if not file or _URL.match(file) or Path(file).is_absolute() or ".." in Path(file).parts:
        return "path-refused", "wanted a path inside the knowledge base"
    path = root / file
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            return "path-refused", "a link to a file outside the knowledge base"
        return None if path.is_file() else ("missing-file", "no such file")
    except (OSError, ValueError, RuntimeError):  # too long a name, a NUL in it, a circle of links
        return "path-refused", "not a path that can be opened"

"""Which files the sources hold just now, and their hashes: enough to tell that nothing has changed."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from indexer.decode import nfc
from indexer.records import Base
from indexer.sources import nim_folder, trtc

#: (base, path as the ledger prints it) -> SHA-256 of the bytes.
Census = Mapping[tuple[str, str], str]


def census(trtc_folder: Path | None, nim_folder_: Path | None) -> Census:
    """Hash every file that the readers would look at; one that cannot be read hashes as empty text."""
    found: dict[tuple[str, str], str] = {}
    if trtc_folder is not None:
        root = trtc.find_root(trtc_folder)
        for path in (root / "index.yaml", *_pages(root)):
            found[Base.TRTC, nfc(f"{trtc.ROOT_NAME}/{path.relative_to(root).as_posix()}")] = _hash(path)
    if nim_folder_ is not None:
        for page in nim_folder.case_files(nim_folder.find_root(nim_folder_)):
            found[Base.NIM, page.relative] = "" if page.problem else _hash(page.path)
    return found


def _pages(root: Path) -> Iterator[Path]:
    for folder in trtc.PAGE_FOLDERS:
        yield from (path for path in (root / folder).rglob("*.md") if path.is_file())


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""

"""Which files the sources hold just now, and their hashes: enough to tell that nothing has changed."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from indexer.decode import nfc
from indexer.records import Base
from indexer.sources import nim_folder, trtc_folder

#: (base, path as the ledger prints it) -> SHA-256 of the bytes.
Census = Mapping[tuple[str, str], str]


def census(trtc: Path | None, nim: Path | None) -> Census:
    """Hash every file that the readers would look at; one that cannot be read hashes as empty text."""
    found: dict[tuple[str, str], str] = {}
    if trtc is not None:
        root = trtc_folder.find_root(trtc)
        for path in trtc_folder.source_files(root):
            found[Base.TRTC, nfc(f"{trtc_folder.ROOT_NAME}/{path.relative_to(root).as_posix()}")] = _hash(path)
    if nim is not None:
        for page in nim_folder.case_files(nim_folder.find_root(nim)):
            found[Base.NIM, page.relative] = "" if page.problem else _hash(page.path)
    return found


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""

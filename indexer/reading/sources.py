"""The two knowledge bases as a whole: read and checked, or only hashed.

``rtckb build`` and ``rtckb check`` both read here, so that they refuse the same folders with the same message.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from indexer.errors import SourceNotFound
from indexer.reading.checks import check_trtc, first_of_each
from indexer.reading.decode import hash_only
from indexer.reading.nim import folder as nim_folder
from indexer.reading.nim.reader import read_nim
from indexer.reading.trtc import folder as trtc_folder
from indexer.reading.trtc.reader import read_trtc
from indexer.records import Base, Finding, NimBase, TrtcBase


def load_trtc(folder: Path | None) -> TrtcBase:
    """Read and check a TRTC base; of each id only the first record is kept. An empty base if no folder is given.

    Raises:
        SourceNotFound: the folder contains no TRTC base, or one whose index lists nothing.
        SourceRefused: an index cannot be read or trusted.
    """
    if folder is None:
        return TrtcBase()
    base = read_trtc(folder)
    if not (base.products or base.slices or base.scenarios):
        raise SourceNotFound(f"--trtc {folder}: its index names nothing; wanted products, slices or scenarios")
    return replace(first_of_each(base), findings=(*base.findings, *check_trtc(base)))


def load_nim(folder: Path | None) -> NimBase:
    """Read a NIM case base. An empty base if no folder is given.

    Raises:
        SourceNotFound: the folder contains no case base, or one in which no page is a case.
    """
    if folder is None:
        return NimBase()
    base = read_nim(folder)
    if not base.units:
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(Counter(f.kind for f in base.findings).items()))
        found = f"read {len(base.files)} pages, and none is a case ({kinds})"
        raise SourceNotFound(f"--nim {folder}: {found}; wanted cases or entries")
    return base


def source_hashes(trtc: Path | None, nim: Path | None) -> Mapping[tuple[str, str], str]:
    """(base, printed path) -> SHA-256 of every file that the readers look at; empty if it cannot be read.

    Equal to the hashes in the ledger of a build as long as no file has changed.

    Raises:
        SourceNotFound: a folder contains no such base.
    """
    found: dict[tuple[str, str], str] = {}
    if trtc is not None:
        root = trtc_folder.find_root(trtc)
        for file in trtc_folder.source_files(root):
            found[Base.TRTC, trtc_folder.printed_path(file)] = hash_only(root / file).sha256
    if nim is not None:
        for page in nim_folder.case_files(nim_folder.find_root(nim)):
            found[Base.NIM, page.relative] = "" if page.problem else hash_only(page.path).sha256
    return found


def source_path(finding: Finding, trtc: Path | None, nim: Path | None) -> str:
    """The path of a finding's file as the caller can open it: below one of the folders that were given."""
    name, _, rest = finding.path.partition("/")
    if finding.base == Base.TRTC and trtc is not None and name == trtc_folder.ROOT_NAME:
        return str(trtc_folder.find_root(trtc) / rest)
    if finding.base == Base.NIM and nim is not None and name == nim_folder.PREFIX:
        return str(nim_folder.find_root(nim) / rest)
    return finding.path

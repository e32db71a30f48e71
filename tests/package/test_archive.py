"""Whether this runs from a bundle's archive: told by the loader, in one place."""

import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

from conftest import ROOT

from indexer.package.zipapp import write_pyz
from query import ARCHIVE

Run = Callable[..., subprocess.CompletedProcess[bytes]]
ASK = "import query, rtckb, query.command; print(query.ARCHIVE, query.command.DEFAULT_DB)"


def test_in_a_checkout() -> None:
    """Installed or in a checkout there is no archive."""
    assert ARCHIVE is None


def test_in_an_archive(python: Run, tmp_path: Path) -> None:
    """In the archive it is named, and the index is looked for beside it."""
    write_pyz(tmp_path / "x.pyz", "0")
    main = (ROOT / "indexer" / "package" / "plugin" / "__main__.py").read_text("utf-8")
    with zipfile.ZipFile(tmp_path / "x.pyz") as old, zipfile.ZipFile(tmp_path / "y.pyz", "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) if name != "__main__.py" else main.replace("    main()", f"    {ASK}"))
    done = python("-I", "-S", tmp_path / "y.pyz")
    assert (done.stdout.decode(), done.stderr) == (f"{tmp_path / 'y.pyz'} {tmp_path / 'rtckb.db'}\n", b"")

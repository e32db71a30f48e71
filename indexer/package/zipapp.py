"""Writes rtckb.pyz: rtckb.py, the query half and click in one file, which Python runs without an installation.

Each module is stored twice: compiled for the minor version of this Python, and as source for all others. An archive
of sources alone would need 2.5 times the processor time, to compile them.
"""

import marshal
import sys
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

#: The modules and packages in the archive; the indexer is left out.
PACKED = ("rtckb", "query", "click")
#: Version 2 of marshal has no back references, which would depend on other objects of this process. Since Python 3.14
#: constants may be slices, which need a later version.
_MARSHAL = 2 if sys.version_info < (3, 14) else marshal.version
#: The earliest time that a zip file can store.
_EPOCH = (1980, 1, 1, 0, 0, 0)
#: Module -> (whether it is a package, its compiled code or its source).
Modules = dict[str, tuple[bool, bytes]]


def write_pyz(target: Path, version: str) -> None:
    """Write the archive to ``target``; its ``--version`` prints ``version``.

    Equal code gives equal bytes under one minor version of Python.
    """
    sources = dict(_sources())
    entries = {
        "__main__.py": files("indexer").joinpath("package", "plugin", "__main__.py").read_bytes(),
        f"modules.{sys.implementation.cache_tag}": marshal.dumps(_compiled(sources), _MARSHAL),
        "modules.source": marshal.dumps(sources, _MARSHAL),
        f"rtckb-{version}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: rtckb\nVersion: {version}\n".encode(),
    }
    with target.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name, data in entries.items():
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), data)
    target.chmod(target.stat().st_mode | 0o111)


def _sources() -> Iterator[tuple[str, tuple[bool, bytes]]]:
    for top in PACKED:
        spec = find_spec(top)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"{top}: not installed", name=top)
        origin = Path(spec.origin)
        if origin.name != "__init__.py":
            yield top, (False, origin.read_bytes())
            continue
        for path in sorted(origin.parent.rglob("*.py")):
            parts = (top, *path.relative_to(origin.parent).with_suffix("").parts)
            is_package = parts[-1] == "__init__"
            yield ".".join(parts[:-1] if is_package else parts), (is_package, path.read_bytes())


def _compiled(sources: Modules) -> Modules:
    return {
        name: (is_package, marshal.dumps(compile(source, f"rtckb.pyz/{name}", "exec", 0, True, 0), _MARSHAL))
        for name, (is_package, source) in sources.items()
    }

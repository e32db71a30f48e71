"""The plugin folder: index, archive, skills, manifest and checksums, whole or not at all (decision 19)."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from importlib import metadata
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath

from indexer.errors import BundleRefused
from indexer.package.folder_swap import replacing_folder
from indexer.package.zipapp import write_pyz
from indexer.store.previous import digest_of, read_header, verified_facts
from query.integrity import SCHEMA_VERSION

INDEX, ARCHIVE, CHECKSUMS = "rtckb.db", "rtckb.pyz", "SHA256SUMS"
MANIFEST = Path(".claude-plugin", "plugin.json")
#: Distributions whose code is in the archive; their licences go with it.
_LICENSED = ("click", "rtckb")


def bundle(index: Path, target: Path, allow_personal: bool = False) -> str:
    """Write what a plugin author drops in to the folder ``target``; its version.

    Equal index, equal code, and one minor version of Python (pyz.py): equal bytes. An earlier bundle there is
    replaced in one step.

    Raises:
        BundleRefused: the index is no intact one of this version, or holds personal details that
            ``allow_personal`` does not let through; or ``target`` holds anything but an earlier bundle.
        PublishFailed: the folder could not be written or replaced.
    """
    target = target.resolve()
    if not index.is_file():
        raise BundleRefused(f"{index}: no such file; build one with 'rtckb build -o {index}'")
    _check_target(target)
    with replacing_folder(target) as folder:
        shutil.copyfile(index, folder / INDEX)
        version = _version(_fit_to_ship(folder / INDEX, index, allow_personal))
        write_pyz(folder / ARCHIVE, version)
        _write_templates(folder, version)
        (folder / "licenses").mkdir()
        for name, text in _licences():
            _write(folder / "licenses" / f"{name}.txt", text)
        _write(folder / CHECKSUMS, "\n".join(f"{_sha256(folder / name)}  {name}" for name in _names(folder)))
    return version


def _write_templates(folder: Path, version: str) -> None:
    """The skills as they are, and the manifest with the bundle's version."""
    with as_file(files("indexer").joinpath("package", "plugin")) as templates:
        shutil.copytree(templates / "skills", folder / "skills")
        manifest = json.loads((templates / MANIFEST.name).read_text("utf-8"))
    (folder / MANIFEST.parent).mkdir()
    _write(folder / MANIFEST, json.dumps(manifest | {"version": version}, indent=2))


def _check_target(target: Path) -> None:
    """An earlier bundle, an empty folder, or nothing: everything else stays as it is."""
    if not target.exists():
        return
    if not target.is_dir():
        raise BundleRefused(f"{target}: is no folder; wanted a new one, or an earlier bundle")
    other = next(_others(target), None)
    if other is not None:
        what = f"holds {other}, which is no part of a bundle"
        raise BundleRefused(f"{target}: {what}; wanted a new folder, an empty one, or an earlier bundle")


def _others(folder: Path) -> Iterator[str]:
    """What the earlier bundle did not bring along: other files, folders with nothing in them, and any link."""
    ours = _listed(folder)
    around = {parent.as_posix() for name in ours for parent in PurePosixPath(name).parents}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield name
        elif path.is_dir():
            if name not in around and not any(path.iterdir()):
                yield name
        elif name not in ours:
            yield name


def _listed(folder: Path) -> set[str]:
    """The files that make up an earlier bundle, by its checksums."""
    try:
        lines = (folder / CHECKSUMS).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return set()
    names = {line.partition("  ")[2] for line in lines}
    return names | {CHECKSUMS} if {INDEX, ARCHIVE, MANIFEST.as_posix()} <= names else set()


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _fit_to_ship(copy: Path, index: Path, allow_personal: bool) -> str:
    """The digest of an index that may leave the house. Its copy is looked at, which no build replaces meanwhile."""
    header = read_header(copy)
    if header is None or not header.is_rtckb:
        raise BundleRefused(f"{index}: is no rtckb index; wanted one that 'rtckb build' wrote")
    if header.version != SCHEMA_VERSION:
        found = f"schema version {header.version}, wanted {SCHEMA_VERSION}"
        raise BundleRefused(f"{index}: {found}; rebuild it with 'rtckb build'")
    meta = verified_facts(copy)
    if header.write_ahead or not meta:
        found = "is in write-ahead mode" if header.write_ahead else "is no intact rtckb index"
        raise BundleRefused(f"{index}: {found}; wanted one as 'rtckb build' left it")
    if _holds_personal(meta) and not allow_personal:
        wanted = "one built with --redact, or --allow-personal"
        raise BundleRefused(f"{index}: holds customers and personal details of NIM cases; wanted {wanted}")
    return digest_of(meta)


def _holds_personal(meta: Mapping[str, str]) -> bool:
    return meta.get("redacted") != "1" and meta.get("count.nim.units", "0") != "0"


def _version(digest: str) -> str:
    """A semantic version with the index's digest as its build part: a plugin manager reads anew what has another."""
    return f"{metadata.version('rtckb').partition('+')[0]}+{digest[:12]}"


def _licences() -> Iterator[tuple[str, str]]:
    """The licence text of what the archive holds, where its installation has one."""
    for name in _LICENSED:
        for path in metadata.files(name) or ():
            if path.name.upper().startswith("LICENSE"):
                yield name, path.read_text("utf-8")
                break


def _write(path: Path, text: str) -> None:
    path.write_text(text.rstrip("\n") + "\n", "utf-8", newline="\n")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

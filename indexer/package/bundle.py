"""Writes the plugin folder: index, archive, skills, manifest, licenses and checksums."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from importlib import metadata
from importlib.resources import as_file, files
from pathlib import Path, PurePosixPath

from indexer.errors import BundleRefused
from indexer.package.folder_swap import replacing_folder
from indexer.package.zipapp import write_pyz
from indexer.store.previous import read_header, verified_meta
from query.integrity import DIGEST_KEY, SCHEMA_VERSION

INDEX, ARCHIVE, CHECKSUMS = "rtckb.db", "rtckb.pyz", "SHA256SUMS"
MANIFEST = Path(".claude-plugin", "plugin.json")
#: Distributions whose code is in the archive: their licenses are part of the bundle.
_LICENSED = ("click", "rtckb")


def bundle(index: Path, target: Path, allow_personal: bool = False) -> str:
    """Write everything that a plugin ships into the folder ``target``, and return the version of the bundle.

    Equal code and an equal index give equal bytes under one minor version of Python (zipapp.py). An earlier bundle is
    replaced in one step.

    Raises:
        BundleRefused: the index is damaged or of another version, or contains personal details and ``allow_personal``
            is not set; or ``target`` contains anything but an earlier bundle.
        PublishFailed: the folder could not be written or replaced.
    """
    target = target.resolve()
    if not index.is_file():
        raise BundleRefused(f"{index}: no such file; build one with 'rtckb build -o {index}'")
    _check_target(target)
    with replacing_folder(target) as folder:
        shutil.copyfile(index, folder / INDEX)
        version = _version(_checked_digest(folder / INDEX, index, allow_personal))
        write_pyz(folder / ARCHIVE, version)
        _write_templates(folder, version)
        (folder / "licenses").mkdir()
        for name, text in _licenses():
            _write(folder / "licenses" / f"{name}.txt", text)
        _write(folder / CHECKSUMS, "\n".join(f"{_sha256(folder / name)}  {name}" for name in _names(folder)))
    return version


def _write_templates(folder: Path, version: str) -> None:
    """Copy the skills, and write the manifest with the version of the bundle."""
    with as_file(files("indexer").joinpath("package", "plugin")) as templates:
        shutil.copytree(templates / "skills", folder / "skills")
        manifest = json.loads((templates / MANIFEST.name).read_text("utf-8"))
    (folder / MANIFEST.parent).mkdir()
    _write(folder / MANIFEST, json.dumps(manifest | {"version": version}, indent=2))


def _check_target(target: Path) -> None:
    """Refuse anything but a new folder, an empty one, or an earlier bundle."""
    if not target.exists():
        return
    if not target.is_dir():
        raise BundleRefused(f"{target}: is not a folder; wanted a new one, or an earlier bundle")
    other = next(_others(target), None)
    if other is not None:
        what = f"contains {other}, which is not part of a bundle"
        raise BundleRefused(f"{target}: {what}; wanted a new folder, an empty one, or an earlier bundle")


def _others(folder: Path) -> Iterator[str]:
    """What is not part of an earlier bundle: other files, empty folders, and any link."""
    listed = _listed(folder)
    folders = {parent.as_posix() for name in listed for parent in PurePosixPath(name).parents}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield name
        elif path.is_dir():
            if name not in folders and not any(path.iterdir()):
                yield name
        elif name not in listed:
            yield name


def _listed(folder: Path) -> set[str]:
    """The files of an earlier bundle, as its checksums list them; empty if it is none."""
    try:
        lines = (folder / CHECKSUMS).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return set()
    names = {line.partition("  ")[2] for line in lines}
    return names | {CHECKSUMS} if {INDEX, ARCHIVE, MANIFEST.as_posix()} <= names else set()


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _checked_digest(copy: Path, index: Path, allow_personal: bool) -> str:
    """The content hash of an index that may be shipped. The copy is checked, since a build may replace the index."""
    header = read_header(copy)
    if header is None or not header.is_rtckb:
        raise BundleRefused(f"{index}: is not an rtckb index; wanted one that 'rtckb build' wrote")
    if header.version != SCHEMA_VERSION:
        found = f"schema version {header.version}, wanted {SCHEMA_VERSION}"
        raise BundleRefused(f"{index}: {found}; rebuild it with 'rtckb build'")
    meta = verified_meta(copy)
    if header.write_ahead or not meta:
        found = "is in write-ahead mode" if header.write_ahead else "does not match its hashes"
        raise BundleRefused(f"{index}: {found}; wanted one as 'rtckb build' wrote it")
    if meta.get("redacted") != "1" and meta.get("count.nim.units", "0") != "0" and not allow_personal:
        wanted = "one built with --redact, or --allow-personal"
        raise BundleRefused(f"{index}: contains customers and personal details of NIM cases; wanted {wanted}")
    return meta[DIGEST_KEY]


def _version(digest: str) -> str:
    """A semantic version with the content hash as build part: a plugin manager reloads a bundle of another version."""
    return f"{metadata.version('rtckb').partition('+')[0]}+{digest[:12]}"


def _licenses() -> Iterator[tuple[str, str]]:
    """(distribution, license text) of the code in the archive, as far as the installations contain them."""
    for name in _LICENSED:
        for path in metadata.files(name) or ():
            if path.name.upper().startswith("LICENSE"):
                yield name, path.read_text("utf-8")
                break


def _write(path: Path, text: str) -> None:
    path.write_text(text.rstrip("\n") + "\n", "utf-8", newline="\n")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

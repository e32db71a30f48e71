"""Decodes the bytes of a source file to text, and reports every repair.

Bad bytes are never dropped: a text in another encoding is decoded as GB18030, of which GBK is a part, or refused.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

#: Larger source files are refused. The largest real page has 639 KB.
MAX_BYTES = 8 * 1024 * 1024

_BOM = "\ufeff"
_REPLACEMENT = "\ufffd"
_EAST_ASIAN = re.compile("[\u3000-\u9fff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Undecodable(ValueError):
    """The bytes are not text; the message gives the reason."""


class TooLarge(Undecodable):
    """The file has more than ``MAX_BYTES``."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text with ``\\n`` line ends and no BOM; ``repairs`` are (kind, detail) pairs for findings."""

    text: str
    sha256: str
    size: int
    repairs: tuple[tuple[str, str], ...]


def read_text(path: Path) -> Decoded:
    """Read one source file. At most ``MAX_BYTES`` + 1 bytes are read, even if the file grows meanwhile.

    Raises:
        TooLarge: the file has more than ``MAX_BYTES``.
        Undecodable: the file is binary or in an unknown encoding.
        OSError: the file cannot be opened or read.
    """
    _check_size(path.stat().st_size)
    with path.open("rb") as file:
        return decode(file.read(MAX_BYTES + 1))


def _check_size(size: int) -> None:
    if size > MAX_BYTES:
        raise TooLarge(f"{size} bytes, more than the limit of {MAX_BYTES}")


def hash_only(path: Path) -> Decoded:
    """The hash and size of a file whose text is not used; both are empty if the file cannot be read."""
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while block := file.read(MAX_BYTES):
                digest.update(block)
                size += len(block)
    except OSError:
        return Decoded("", "", 0, ())
    return Decoded("", digest.hexdigest(), size, ())


def decode(data: bytes) -> Decoded:
    """Decode ``data``: UTF-8 with or without BOM, UTF-16 with BOM, else GB18030; errors as of ``read_text``."""
    _check_size(len(data))
    text, repairs = _decode(data)
    if "\0" in text:
        raise Undecodable("NUL bytes: not a text file")
    text = text.lstrip(_BOM).replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, hashlib.sha256(data).hexdigest(), len(data), repairs)


def _decode(data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), (("encoding", "UTF-16, decoded"),)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_legacy(data, error)
    return text, (("bom", "byte order mark removed"),) if text.startswith(_BOM) else ()


def _decode_legacy(data: bytes, error: UnicodeDecodeError) -> tuple[str, tuple[tuple[str, str], ...]]:
    """GB18030, or UTF-8 with a few bad bytes, which GB18030 would accept and turn into nonsense."""
    replaced = data.decode("utf-8", "replace")
    bad = replaced.count(_REPLACEMENT)
    as_utf8 = replaced, (("encoding", f"broken UTF-8 from byte {error.start}, bad bytes replaced"),)
    if bad * 5 <= len(_EAST_ASIAN.findall(replaced)):
        return as_utf8
    try:
        return data.decode("gb18030"), (("encoding", "not UTF-8, decoded as GB18030"),)
    except UnicodeDecodeError:
        pass
    if bad > max(8, len(replaced) // 100):
        raise Undecodable(f"neither UTF-8 nor GB18030 (byte {error.start})")
    return as_utf8


def scrub(text: str) -> str:
    """Replace lone surrogates, which neither SQLite nor UTF-8 output can hold."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def nfc(path: str) -> str:
    """A path as an id, in Unicode normalization form C: a tree copied from macOS gives the same ids."""
    return unicodedata.normalize("NFC", path)

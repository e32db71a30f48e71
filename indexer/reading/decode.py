"""Bytes of a source file -> text. Tolerant, and says what it had to do.

Never ``errors="ignore"``: text in another encoding is decoded as GB18030, which any GBK file is, or refused.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

#: A source page beyond this is refused by name: the largest real one is 639 KB (cases.md G13).
MAX_BYTES = 8 * 1024 * 1024

_BOM = "\ufeff"
_REPLACEMENT = "\ufffd"
_EAST_ASIAN = re.compile("[\u3000-\u9fff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Undecodable(ValueError):
    """The bytes are no text that we can read; the message says why."""


class TooLarge(Undecodable):
    """The file is beyond ``MAX_BYTES``."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text with ``\\n`` line ends and no BOM; ``repairs`` are (kind, detail) pairs for findings."""

    text: str
    sha256: str
    size: int
    repairs: tuple[tuple[str, str], ...]


def read_text(path: Path) -> Decoded:
    """Read one source file.

    Raises:
        TooLarge: it is no page but a dump.
        Undecodable: it is binary, or in no encoding that we know.
        OSError: it cannot be opened or read.
    """
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise TooLarge(f"{size} bytes, more than the {MAX_BYTES} that a page may have")
    return decode(path.read_bytes())


def unread(path: Path) -> Decoded:
    """The hash and size of a file whose text cannot be read: the ledger knows it again when nothing has changed."""
    try:
        with path.open("rb") as file:
            return Decoded("", hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size, ())
    except OSError:
        return Decoded("", "", 0, ())


def decode(data: bytes) -> Decoded:
    """Decode ``data``: UTF-8 with or without BOM, UTF-16 with BOM, else GB18030."""
    if len(data) > MAX_BYTES:
        raise TooLarge(f"{len(data)} bytes, more than the {MAX_BYTES} that a page may have")
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
    """GB18030, or UTF-8 with a few bad bytes: GB18030 accepts most of the latter and makes nonsense of it."""
    mended = data.decode("utf-8", "replace")
    bad = mended.count(_REPLACEMENT)
    broken = mended, (("encoding", f"broken UTF-8 from byte {error.start}, bad bytes replaced"),)
    if bad * 5 <= len(_EAST_ASIAN.findall(mended)):
        return broken
    try:
        return data.decode("gb18030"), (("encoding", "not UTF-8, decoded as GB18030"),)
    except UnicodeDecodeError:
        pass
    if bad > max(8, len(mended) // 100):
        raise Undecodable(f"neither UTF-8 nor GB18030 (byte {error.start})")
    return broken


def scrub(text: str) -> str:
    """Replace lone surrogates (cases.md A9), so that every text can be stored and printed."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def nfc(path: str) -> str:
    """A path as an id: NFC, so that a tree copied from macOS gives the same ids (cases.md G4)."""
    return unicodedata.normalize("NFC", path)

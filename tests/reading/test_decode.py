"""Source files are decoded to text: encodings, byte order marks, line ends, and what is refused."""

import os
from pathlib import Path

import pytest

from indexer.reading import decode as module
from indexer.reading.decode import MAX_BYTES, TooLarge, Undecodable, decode, hash_only, nfc, read_text, scrub

CHINESE = "登录返回302错误怎么处理，推送证书已经配置"

DECODED = {
    "plain UTF-8": ("标题\n".encode(), "标题\n", []),
    "a BOM is removed": (b"\xef\xbb\xbf---\n", "---\n", ["bom"]),
    "two BOMs are removed": (b"\xef\xbb\xbf\xef\xbb\xbf---\n", "---\n", ["bom"]),
    "UTF-16, little end first": (b"\xff\xfe" + "标题".encode("utf-16-le"), "标题", ["encoding"]),
    "UTF-16, big end first": (b"\xfe\xff" + "标题".encode("utf-16-be"), "标题", ["encoding"]),
    "GBK": (CHINESE.encode("gbk"), CHINESE, ["encoding"]),
    "GB18030 beyond GBK": ("登录㐀失败😀".encode("gb18030"), "登录㐀失败😀", ["encoding"]),
    "UTF-8 cut in a character": (CHINESE.encode()[:-1], CHINESE[:-1] + "�", ["encoding"]),
    "UTF-8 with one bad byte is not taken for GBK": (
        CHINESE.encode() + b"\xff" + CHINESE.encode(),
        f"{CHINESE}�{CHINESE}",
        ["encoding"],
    ),
    "Windows and old Mac line ends": (b"a\r\nb\rc\n", "a\nb\nc\n", []),
    "emoji, NBSP, tab stay": ("😀\u00a0\tก²".encode(), "😀\u00a0\tก²", []),
    "empty": (b"", "", []),
}


@pytest.mark.parametrize(("data", "text", "kinds"), DECODED.values(), ids=DECODED.keys())
def test_decodes(data: bytes, text: str, kinds: list[str]) -> None:
    """Every encoding that pages use is read, and every repair is named."""
    decoded = decode(data)
    assert decoded.text == text
    assert [kind for kind, _ in decoded.repairs] == kinds
    assert decoded.size == len(data)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0", b"\x80\xff" * 40, bytes(range(128, 256))])
def test_refuses_what_is_no_text(data: bytes) -> None:
    """Binary data is refused, never read with its bad bytes left out."""
    with pytest.raises(Undecodable):
        decode(data)


def test_refuses_a_dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is refused; a file of exactly that size is read."""
    monkeypatch.setattr(module, "MAX_BYTES", 8)
    page = tmp_path / "a.md"
    page.write_bytes(b"12345678")
    assert read_text(page).text == "12345678"
    page.write_bytes(b"123456789")
    with pytest.raises(TooLarge, match="9 bytes"):
        read_text(page)
    with pytest.raises(TooLarge):
        decode(b"123456789")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file that has no end")
def test_a_file_that_grows_is_not_read_to_its_end() -> None:
    """A file that was small when it was looked at, and has no end, is refused after the limit."""
    assert Path("/dev/zero").stat().st_size == 0
    with pytest.raises(TooLarge, match=f"{MAX_BYTES + 1} bytes, more than the limit of {MAX_BYTES}"):
        read_text(Path("/dev/zero"))


def test_hash_only(tmp_path: Path) -> None:
    """A file that is not decoded has the same hash and size as one that is; a missing file has neither."""
    page = tmp_path / "a.md"
    page.write_text(CHINESE, "utf-8")
    decoded, hashed = read_text(page), hash_only(page)
    assert (hashed.sha256, hashed.size, hashed.text) == (decoded.sha256, decoded.size, "")
    assert (hash_only(tmp_path / "b.md").sha256, hash_only(tmp_path / "b.md").size) == ("", 0)


def test_digest_is_of_the_bytes() -> None:
    """Equal files have equal digests, and a BOM makes another file."""
    assert decode(b"a").sha256 == decode(b"a").sha256 != decode(b"\xef\xbb\xbfa").sha256


def test_scrub_replaces_lone_surrogates() -> None:
    """A lone surrogate is replaced, a pair becomes its character, other text is the same object."""
    assert scrub("a\ud83db") == "a\ufffdb"
    assert scrub("\ud83d\ude00") == "😀"
    assert scrub(CHINESE) is CHINESE


def test_nfc_makes_one_name_of_two() -> None:
    """A name that macOS took apart equals the composed one."""
    assert nfc("cafe\u0301.md") == nfc("café.md")


@pytest.mark.skipif(os.name == "nt", reason="names are text on Windows")
def test_reads_a_name_that_is_no_text(tmp_path: Path) -> None:
    """A file whose name is not UTF-8 is read, and its scrubbed name can be printed."""
    name = os.fsdecode(b"\xff.md")
    try:
        (tmp_path / name).write_bytes(b"x")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    assert read_text(tmp_path / name).text == "x"
    assert scrub(name) == "\ufffd.md"

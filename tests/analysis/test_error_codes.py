"""What is an error code: tables written from docs/decisions/trtc.md#what-is-a-code, not from the program."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from query.analysis.error_codes import is_code, mentions, parse_code_cell, symbols
from query.analysis.normalize import normalize

#: Text -> the codes that it holds.
CODES = {
    # F2: one code, however its sign is typed
    "-1002": ["-1002"],
    "1002": ["1002"],
    "－1002": ["-1002"],
    "−1002": ["-1002"],
    "–1002": ["-1002"],
    "１００２": ["1002"],
    "-2": ["-2"],
    # F3: one key
    "错误码-1002": ["-1002"],
    "错误码 -1002": ["-1002"],
    "错误码: 191001": ["191001"],
    "错误码１９１００１": ["191001"],
    "code=191001": ["191001"],
    "code:414;": ["414"],
    "Code=-1003": ["-1003"],
    "ErrorCode=27001": ["27001"],
    "报414": ["414"],
    "414错误": ["414"],
    "返回403": ["403"],
    "0x1F": ["31"],
    "（414）": ["414"],
    "AEXC404": ["404"],
    "返回code=-1": ["-1"],
    "…返回code=-1.md": ["-1"],
    "1002报错": ["1002"],
    "发送消息报错414怎么办": ["414"],
    "登录返回302怎么处理": ["302"],
    '{"code": 414, "desc": "x"}': ["414"],
    # text goes on behind it
    "错误码 414：参数错误": ["414"],
    "报错30003:加入失败": ["30003"],
    "报错414.请问怎么办": ["414"],
    "The error is 414.": ["414"],
    "414-登录失败": ["414"],
    "报错192004-protocol-timeout": ["192004"],
    "报错414点击登录没反应": ["414"],
    "返回500页面打不开": ["500"],
    "提示-1002日志": ["-1002"],
    "server 500": ["500"],
    "report 414": ["414"],
    "invalid 414": ["414"],
    # 28, 30: several, and the end points of a range
    "-1002,-1003": ["-1002", "-1003"],
    "403或404": ["403", "404"],
    "403/404": ["403", "404"],
    "60004~60005": ["60004", "60005"],
    "60004-60005": ["60004", "60005"],
    "错误码60004-60005。": ["60004", "60005"],
    "60004到60005": ["60004", "60005"],
    "-1100 ~ -1109": ["-1100", "-1109"],
    "-1100--1109": ["-1100", "-1109"],
    "错误码 -2101~-2108": ["-2101", "-2108"],
}
#: Text whose numbers are all something else (27; F1).
NO_CODES = (
    "9.19.4",
    "v10.2",
    "V9.20.16版本",
    "iOS 17",
    "Android14",
    "鸿蒙5",
    "版本号 9",
    "2024-05-12",
    "2024/5/12",
    "2024年5月12日",
    "20240512",
    "10:30",
    "12:30:59",
    "https://example.com/404",
    "https://example.com/a?sdk=1002&x=3",
    "www.example.com/doc/1002.html",
    "127.0.0.1:8080",
    "13800138000",
    "手机号13800138000",
    "+86",
    "房间号1002",
    "房间号是 1002",
    "roomId: 1002",
    "room id 1002",
    "uid=1002",
    "userId 1002",
    "appid 1400000001",
    "sdkAppId=1400000001",
    "taskId: 12345",
    "port 8080",
    "端口 443",
    "群号 12345",
    "工单号12345",
    "订单 2024051200012345",
    "验证码 123456",
    "密码123456",
    "a1002",
    "1002a",
    "im_123456",
    "KB0039",
    "#0039",
    "@1002",
    "1002@qq.com",
    "SDK-1002",
    "1-to-1",
    "e89b-12d3",
    "1002个人",
    "1002 个人",
    "3次",
    "200条",
    "100万",
    "100%",
    "5 分钟",
    "30s",
    "60fps",
    "16KB",
    "1080p",
    "5G",
    "H5",
    "第3步",
    "4.5",
)


def _codes(text: str) -> list[str]:
    return [mention.code for mention in mentions(normalize(text, {})) if mention.is_code]


@pytest.mark.parametrize(("text", "codes"), CODES.items(), ids=CODES)
def test_code(text: str, codes: list[str]) -> None:
    """These numbers are codes, with their signs."""
    assert _codes(text) == codes


@pytest.mark.parametrize("text", NO_CODES)
def test_no_code(text: str) -> None:
    """These numbers are part of something else, counted, or called something else."""
    assert mentions(normalize(text, {}))[0:1] or not any(c.isdigit() for c in text)
    assert _codes(text) == []


NAMED = {
    "错误码 414": True,
    "返回码-1002": True,
    "状态码: 500": True,
    "code=414": True,
    "error code 414": True,
    "errno 13": True,
    "414 error": True,
    "414是什么错误": True,
    "414": False,
    "有 414 和": False,
    "encode 414": False,
    "解码 414": False,
}


@pytest.mark.parametrize(("text", "named"), NAMED.items(), ids=NAMED)
def test_named(text: str, named: bool) -> None:
    """Whether the words around a number call it a code."""
    (mention,) = mentions(text)
    assert (mention.named, mention.is_code) == (named, True)


def test_offsets() -> None:
    """The offsets of a mention include its sign."""
    text = "先 错误码-1002 再 0x1F"
    assert [(m.code, m.signed, text[m.start : m.end]) for m in mentions(text)] == [
        ("-1002", True, "-1002"),
        ("31", False, "0x1F"),
    ]


@given(st.text(alphabet="0123456789-:./~@#_+xXaé 错误码房间号个，。\n", max_size=40))
def test_never_fails(text: str) -> None:
    """Any text can be read; mentions are in order, do not overlap, and contain a digit."""
    found = mentions(text)
    assert all(left.end <= right.start for left, right in pairwise(found))
    assert all(any(c.isdigit() for c in text[m.start : m.end]) for m in found)


@given(st.integers(-(10**9), 10**9).filter(lambda number: abs(number) > 99))
def test_any_whole_number(number: int) -> None:
    """Any whole number behind 错误码 is a code."""
    assert _codes(f"错误码{number}，怎么办") == [str(number)]


CELLS = {
    "-1002": ("-1002",),
    "`-1002`": ("-1002",),
    "**-1002**": ("-1002",),
    "－1002": ("-1002",),
    "−1002": ("-1002",),
    "0": ("0",),
    "0414": ("0414",),
    "0x1F": ("31",),
    "`60004`~`60005`": ("60004", "60005"),
    "60004-60005": ("60004", "60005"),
    "-1100 ~ -1109": ("-1100", "-1109"),
    "-1002 / -1003": ("-1002", "-1003"),
    "414、415": ("414", "415"),
    "414，414": ("414",),
    "60004 或 60005": ("60004", "60005"),
    "60004到60005": ("60004", "60005"),
    "ERR_NEED_PASSWORD": ("ERR_NEED_PASSWORD",),
    "`ERR_A` / `ERR_B`": ("ERR_A", "ERR_B"),
    "NoSuchMethodError": ("NoSuchMethodError",),
    "": (),
    "—": (),
    "错误码": (),
    "OK": (),
    "美颜无效果": (),
    "`joinRoom({ roomId })`": (),
    "`RoomEvent.onRoomEnded`": (),
    "-1002 (未登录)": (),
    "9.19.4": (),
    "3 次": (),
}


@pytest.mark.parametrize(("cell", "codes"), CELLS.items(), ids=[cell or "empty" for cell in CELLS])
def test_cell(cell: str, codes: tuple[str, ...]) -> None:
    """The first cell of a table's row is a list of codes, or it has none."""
    assert parse_code_cell(cell) == codes


SYMBOLS = {
    "ERR_NEED_PASSWORD 怎么办": ("ERR_NEED_PASSWORD",),
    "err_need_password": ("ERR_NEED_PASSWORD",),
    "报错ERR_A和ERR_A": ("ERR_A",),
    "抛出 NoSuchMethodError": ("NOSUCHMETHODERROR",),
    "onRoomError": (),
    "RoomErrorCode": (),
    "弹幕": (),
}


@pytest.mark.parametrize(("text", "names"), SYMBOLS.items(), ids=SYMBOLS)
def test_symbols(text: str, names: tuple[str, ...]) -> None:
    """Symbolic codes are found in any letter case, each once, never as part of a longer name."""
    assert symbols(text) == names


KEYWORDS = {
    "6206": True,
    "-1002": True,
    "ERR_NEED_PASSWORD": True,
    "42": False,
    "6206 过期": False,
    "1.2.345": False,
    "2026-03-15": False,
    "take-seat": False,
    "MediaPermissionCheck": False,
    "UserSig过期": False,
    "CAMERA": False,
    "": False,
}


@pytest.mark.parametrize(("keyword", "code"), KEYWORDS.items())
def test_keyword(keyword: str, code: bool) -> None:
    """A keyword is a code if the whole of it is one."""
    assert is_code(keyword) is code

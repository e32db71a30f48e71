"""Step 1: every parameter of a request from free text; whatever is given by option counts before the text.

What kind of request a text is: its track type and sub type (specification, 检索类型自动判断 and Step 1).
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from query.analysis.error_codes import mentions
from query.analysis.normalize import normalize
from query.analysis.spans import candidate_spans, read_tokens
from query.errors import UsageError
from query.index import Index
from query.limits import MAX_CHARACTERS
from query.nim import recognition
from query.nim.contract import Modes, Request, TrackType
from query.nim.recognition import recognize_tags


class Given(NamedTuple):
    """What the caller set by option; None or empty where it did not."""

    track_type: str | None = None
    product: str | None = None
    feature: str | None = None
    platform: str | None = None
    sub_type: str | None = None
    tags: tuple[str, ...] = ()
    title: str | None = None
    root_cause: str | None = None
    solution: str | None = None
    description: str | None = None
    modes: Modes = Modes()


#: The parameters that are one text each.
TEXTS = tuple(name for name in Given._fields if name not in {"tags", "modes"})


def recognize_request(index: Index, text: str, given: Given) -> Request:
    """Fill every parameter from the options, else from the text.

    Raises:
        UsageError: ``--type`` names no track type.
    """
    text = text[:MAX_CHARACTERS]
    said = normalize(text, index.variants)
    found = list(candidate_spans(read_tokens(said), said))
    keys = sorted({key for surface in found for key in surface.keys})
    track = track_type(given.track_type, said)
    product, origin = recognition.product_from_text(index, keys)
    product = recognition.product_from_option(index, given.product) if given.product else product
    feature = recognition.feature_from_text(index, product, said)
    spoken = {
        "track_type": (track.value if track else "", "words of the text"),
        "product": (product, origin),
        "feature": (feature, "folder name in the text"),
        "platform": (recognition.platform_from_text(index, keys), "alias in the text"),
        "sub_type": (sub_type(track, said), "words of the text"),
        "title": (text.strip(), "the text"),
        "description": (text.strip(), "the text"),
    }
    options: dict[str, Any] = {name: getattr(given, name) for name in (*spoken, "root_cause", "solution")}
    if given.platform:
        options["platform"] = recognition.platform_from_option(index, given.platform)
    values: dict[str, Any] = {name: option or spoken.get(name, ("", ""))[0] for name, option in options.items()}
    origins = {n: "option" if options[n] else spoken[n][1] for n, value in values.items() if value}
    tags = tuple(dict.fromkeys(tag for tag in given.tags if tag.strip())) or tuple(recognize_tags(index, said, found))
    if tags:
        origins["tags"] = (
            "option" if any(map(str.strip, given.tags)) else "codes, API names and the base's tags in the text"
        )
    return Request(
        **{**values, "product": product, "track_type": track}, text=text, tags=tags, origins=origins, modes=given.modes
    )


# Plain texts, compiled by ``re`` on first use.
_FAULT = (
    r"报错|错误|异常|失败|不生效|无效|崩溃|闪退|超时|卡死|卡住|卡顿|黑屏|花屏|没有?(?:声音|画面|反应|回调)|收不到|发不出|不到|不显示|"
    r"掉线|断开|断线|丢失|缺失|无法|不能|不了|冲突|(?:[^是]|^)不(?:对|行|通|上)|被(?:拒|踢|挤|封)|错了|挂了|打架|"
    r"\berror\b|fail|crash|timeout|exception|not work"
)
_QUESTION = (
    r"怎么|如何|是否|能不能|可以.{0,12}吗|支持.{0,12}吗|[吗么]\s*[?？]?$|能.{0,20}吗|有没有|怎样|哪里|什么|多少|咨询|想要?|配置|开通|接口|"
    r"\bhow\b|\bdoes\b|\bcan\b|\bsupport"
)
_SUB_TYPES = {
    TrackType.TROUBLESHOOT: (
        ("线上事故", r"线上|大量用户|大面积|生产环境"),
        ("集成类", r"集成|编译|pod|gradle|依赖|打包|安装|构建|冲突"),
        ("测试问题", r"测试|demo|调试|模拟器"),
        ("使用问题", r""),
    ),
    TrackType.CONSULT: (
        ("配置开通", r"配置|开通|申请|控制台|后台"),
        ("接口用法", r"接口|api|方法|参数|字段|调用"),
        ("能力与边界", r"支持|能不能|是否|可以|上限|限制|最多|多少"),
        ("需求梳理", r"需求|方案|想做|规划"),
        ("功能实现", r""),
    ),
}
_NAMES = {
    **{track.value: track for track in TrackType},
    "排查": TrackType.TROUBLESHOOT,
    "troubleshoot": TrackType.TROUBLESHOOT,
    "咨询": TrackType.CONSULT,
    "consult": TrackType.CONSULT,
}


def track_type(given: str | None, text: str) -> TrackType | None:
    """Faults first (a word for one, or an error code), then questions; neither is undetermined.

    Raises:
        UsageError: ``given`` is the name of no track type.
    """
    if given:
        if given.strip().lower() not in _NAMES:
            raise UsageError(f"--type {given!r}: wanted one of {', '.join(_NAMES)}")
        return _NAMES[given.strip().lower()]
    if re.search(_FAULT, text, re.IGNORECASE) or any(m.is_code and (m.named or m.signed) for m in mentions(text)):
        return TrackType.TROUBLESHOOT
    return TrackType.CONSULT if re.search(_QUESTION, text, re.IGNORECASE) else None


def sub_type(track: TrackType | None, text: str) -> str:
    """The first sub type of the track whose words the text has; the last one of each track takes the rest."""
    patterns: Iterable[tuple[str, str]] = _SUB_TYPES[track] if track else ()
    return next((name for name, pattern in patterns if re.search(pattern, text, re.IGNORECASE)), "")

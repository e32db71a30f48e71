"""Every parameter of a request: from the options, else from the text; and the track type and sub type of a text."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from query.dictionary import Kind
from query.errors import UsageError
from query.index import Index
from query.nim.contract import Modes, Request, TrackType
from query.nim.recognition import (
    canonical_name,
    feature_from_text,
    platform_from_text,
    product_from_text,
    recognize_tags,
)
from query.nim.request_text import AnalyzedText

# Texts, not compiled patterns: ``re`` compiles each on first use, and not every request needs all.
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
_TRACK_TYPES = {
    **{track.value: track for track in TrackType},
    "排查": TrackType.TROUBLESHOOT,
    "troubleshoot": TrackType.TROUBLESHOOT,
    "咨询": TrackType.CONSULT,
    "consult": TrackType.CONSULT,
}


class Given(NamedTuple):
    """The parameters that the caller has set. None, and text or tags of blanks only, count as not set."""

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


#: The parameters that are a single text.
TEXT_PARAMETERS = tuple(name for name in Given._fields if name not in {"tags", "modes"})


def recognize_request(index: Index, text: AnalyzedText, given: Given) -> Request:
    """Fill every parameter from ``given``, else from the text.

    Raises:
        UsageError: the given track type does not exist.
    """
    options = {name: value for name in TEXT_PARAMETERS if (value := getattr(given, name)) and value.strip()}
    for name, kind in (("product", Kind.NIM_PRODUCT), ("platform", Kind.NIM_PLATFORM)):
        if name in options:
            options[name] = canonical_name(index, kind, options[name])
    track = track_type(options.get("track_type"), text)
    product, product_origin = product_from_text(text)
    product = options.get("product", product)
    whole = text.source.strip()
    recognized: dict[str, tuple[Any, str]] = {
        "track_type": (track, "words of the text"),
        "product": (product, product_origin),
        "feature": (feature_from_text(index, product, text), "folder name in the text"),
        "platform": (platform_from_text(text), "alias in the text"),
        "sub_type": (sub_type(track, text.text), "words of the text"),
        "title": (whole, "the text"),
        "description": (whole, "the text"),
        "root_cause": ("", ""),
        "solution": ("", ""),
    }
    values = {name: options.get(name, value) for name, (value, _) in recognized.items()} | {"track_type": track}
    origins = {name: "option" if name in options else recognized[name][1] for name, value in values.items() if value}
    tags = tuple(dict.fromkeys(tag for tag in given.tags if tag.strip()))
    if tags:
        origins["tags"] = "option"
    else:
        tags = tuple(recognize_tags(text))
        origins |= {"tags": "codes, API names and the base's tags in the text"} if tags else {}
    return Request(**values, text=text.source, tags=tags, origins=origins, modes=given.modes)


def track_type(given: str | None, text: AnalyzedText) -> TrackType | None:
    """The given track type; else a fault if the text has a word for one or an error code, else a question, else None.

    Raises:
        UsageError: ``given`` is not the name of a track type.
    """
    if given:
        name = given.strip().lower()
        if name not in _TRACK_TYPES:
            raise UsageError(f"--type {given!r}: wanted one of {', '.join(_TRACK_TYPES)}")
        return _TRACK_TYPES[name]
    if re.search(_FAULT, text.text, re.IGNORECASE) or any(m.is_code and (m.named or m.signed) for m in text.mentions):
        return TrackType.TROUBLESHOOT
    return TrackType.CONSULT if re.search(_QUESTION, text.text, re.IGNORECASE) else None


def sub_type(track: TrackType | None, text: str) -> str:
    """The first sub type of the track type whose words the text has; the last one needs none."""
    patterns: Iterable[tuple[str, str]] = _SUB_TYPES[track] if track else ()
    return next((name for name, pattern in patterns if re.search(pattern, text, re.IGNORECASE)), "")

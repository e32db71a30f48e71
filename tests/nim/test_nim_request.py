"""Every parameter of a request: from free text, and from given parameters, which count before the text."""

from pathlib import Path
from typing import Any

import pytest
from nim_support import recognize

from query.errors import UsageError
from query.limits import MAX_CHARACTERS
from query.nim.contract import TrackType
from query.nim.request import TEXT_PARAMETERS


@pytest.mark.parametrize(
    ("text", "track"),
    [
        ("登录报错", TrackType.TROUBLESHOOT),
        ("返回错误码 414", TrackType.TROUBLESHOOT),
        ("推送功能不生效", TrackType.TROUBLESHOOT),
        ("打开就崩溃", TrackType.TROUBLESHOOT),
        ("上传超时", TrackType.TROUBLESHOOT),
        ("如何实现已读回执", TrackType.CONSULT),
        ("是否支持小程序", TrackType.CONSULT),
        ("控制台怎么配置", TrackType.CONSULT),
        ("咨询接口用法", TrackType.CONSULT),
        ("怎么登录总是失败", TrackType.TROUBLESHOOT),
        ("登錄失敗", TrackType.TROUBLESHOOT),
        ("蓝牙耳机", None),
    ],
)
def test_track_type(sample_db: Path, text: str, track: TrackType | None) -> None:
    """A fault is 排查类, also in a question; another question is 咨询类; any other text is undetermined."""
    assert recognize(sample_db, text).track_type is track


@pytest.mark.parametrize(
    ("given", "track"),
    [
        ("排查类", TrackType.TROUBLESHOOT),
        ("咨询类", TrackType.CONSULT),
        ("排查", TrackType.TROUBLESHOOT),
        ("咨询", TrackType.CONSULT),
        (" Troubleshoot ", TrackType.TROUBLESHOOT),
        ("CONSULT", TrackType.CONSULT),
    ],
)
def test_given_type(sample_db: Path, given: str, track: TrackType) -> None:
    """``--type`` counts before the text."""
    for text in ("登录报错", "如何登录"):
        request = recognize(sample_db, text, track_type=given)
        assert (request.track_type, request.origins["track_type"]) == (track, "option")


def test_unknown_type(sample_db: Path) -> None:
    """Another type is an error that names the valid ones."""
    with pytest.raises(UsageError, match=r"'排错': wanted one of 排查类, 咨询类"):
        recognize(sample_db, "登录报错", track_type="排错")


OPTIONS: dict[str, Any] = {
    "feature": "功能",
    "sub_type": "细分",
    "title": "标题",
    "root_cause": "根因",
    "solution": "方案",
    "description": "现象",
    "tags": ("乙", "甲", "乙"),
}


def test_options_count_before_the_text(sample_db: Path) -> None:
    """Each parameter can be given and is taken as it is, tags in their order and each once."""
    request = recognize(sample_db, "IM SDK 登录连接报错 414", **OPTIONS)
    assert {name: getattr(request, name) for name in OPTIONS} == OPTIONS | {"tags": ("乙", "甲")}
    assert {request.origins[name] for name in OPTIONS} == {"option"}


def test_defaults(sample_db: Path) -> None:
    """Title and description default to the text; cause and solution have no default."""
    request = recognize(sample_db, "  登录报错  ")
    assert (request.title, request.description) == ("登录报错", "登录报错")
    assert (request.root_cause, request.solution) == ("", "")
    assert not {"root_cause", "solution"} & set(request.origins)


def test_every_origin_is_of_a_parameter_that_is_set(sample_db: Path) -> None:
    """Each parameter that has a value has an origin, and no other has."""
    for text in ("IM SDK iOS 登录连接报错 414", "蓝牙", "？"):
        request = recognize(sample_db, text)
        names = set(request._fields) - {"text", "origins", "modes"}
        assert set(request.origins) == {name for name in names if getattr(request, name)}


BLANKS = ("", "  ", "\u3000", "\n\t")


@pytest.mark.parametrize("blank", BLANKS, ids=repr)
@pytest.mark.parametrize("name", TEXT_PARAMETERS)
def test_a_blank_parameter_is_not_given(sample_db: Path, name: str, blank: str) -> None:
    """A parameter of blanks only is recognized from the text, like one that is not given."""
    text = "IM SDK iOS 登录连接报错 414"
    assert recognize(sample_db, text, **{name: blank}) == recognize(sample_db, text)


def test_a_blank_tag_is_not_given(sample_db: Path) -> None:
    """A tag of blanks only is left out, and if no other is given, the tags are recognized from the text."""
    text = "IM SDK 登录连接报错 414"
    assert recognize(sample_db, text, tags=BLANKS) == recognize(sample_db, text)
    assert recognize(sample_db, text, tags=(" ", "甲")).tags == ("甲",)


def test_a_long_text_is_cut(sample_db: Path) -> None:
    """Only the first two thousand characters are read."""
    request = recognize(sample_db, "登录。" * 700 + "短信")
    assert (len(request.text), request.product) == (MAX_CHARACTERS, "")

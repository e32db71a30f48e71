"""Every parameter of a request from free text, and the options that count before it (specification, Step 1)."""

from pathlib import Path
from typing import Any

import pytest
from nim_support import recognised

from query.errors import UsageError
from query.limits import MAX_CHARACTERS
from query.nim.contract import TrackType

#: The specification's table of products, each with its aliases.
PRODUCTS = {
    "IM-SDK": "IM SDK、云信IM、即时通讯、NIM、消息云",
    "IM-UIKit": "UIKit、UI组件、UI库、界面组件",
    "RTC": "NERTC、音视频、实时音视频、视频通话、连麦、Wwise",
    "呼叫组件": "呼叫、call kit、1v1通话、群组通话、CallKit",
    "NERoom": "房间组件、NERoom、多人房间、互动课堂",
    "网易会议": "会议、Meeting、视频会议、会议SDK",
    "短信": "短信服务、SMS、验证码短信、通知短信、营销短信",
    "智能体": "情感陪伴智能体、AI智能体、对话AI、实时AI、情感陪伴",
}
ALIASES = [(alias, product) for product, row in PRODUCTS.items() for alias in (product, *row.split("、"))]


@pytest.mark.parametrize(("alias", "product"), ALIASES)
def test_aliases(sample_db: Path, alias: str, product: str) -> None:
    """Every alias of the specification's table gives its product, spoken in a sentence or as the option."""
    assert recognised(sample_db, f"请问{alias}怎么用").product == product
    assert recognised(sample_db, "x", product=alias).product == product


@pytest.mark.parametrize(
    ("given", "product"),
    [
        pytest.param("im", "IM-SDK", id="lower case"),
        pytest.param("rtc", "RTC", id="lower case of the standard name"),
        pytest.param("ＲＴＣ", "RTC", id="full width"),
        pytest.param(" im sdk ", "IM-SDK", id="outer spaces"),
        pytest.param("IM V10", "IM-SDK", id="sibling folder"),
        pytest.param("音视频2.0", "RTC", id="sibling folder of another product"),
        pytest.param("UIKIT", "IM-UIKit", id="sibling folder in capitals"),
        pytest.param("IM-SKD", "IM-SKD", id="misspelt"),
        pytest.param("直播", "直播", id="outside the table"),
    ],
)
def test_given_product(sample_db: Path, given: str, product: str) -> None:
    """A product that is given may be an alias or a sibling folder; an unknown one stays what it is."""
    request = recognised(sample_db, "短信收不到", product=given)
    assert (request.product, request.origins["product"]) == (product, "option")


@pytest.mark.parametrize(
    ("text", "product"),
    [
        pytest.param("视频会议里没有声音", "网易会议", id="the longer alias wins"),
        pytest.param("AI智能体连麦", "智能体", id="the longer of two products"),
        pytest.param("呼叫和连麦", "RTC", id="equal lengths: the table's order"),
        pytest.param("今天天气好", "", id="none"),
    ],
)
def test_spoken_product(sample_db: Path, text: str, product: str) -> None:
    """The longest alias in a text wins, then the table's order."""
    assert recognised(sample_db, text).product == product


def test_learned_terms(real_db: Path) -> None:
    """A term that stands almost only under one product gives it, and the answer says how it was told."""
    request = recognised(real_db, "pushConfig joinChannel")
    assert request.product == "RTC"
    assert request.origins["product"] != "option"


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
    """Faults are 排查类, questions 咨询类, a question about a fault is one, and neither is undetermined."""
    assert recognised(sample_db, text).track_type is track


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
        request = recognised(sample_db, text, track_type=given)
        assert (request.track_type, request.origins["track_type"]) == (track, "option")


def test_unknown_type(sample_db: Path) -> None:
    """Another type is an error that names the valid ones."""
    with pytest.raises(UsageError, match=r"'排错': wanted one of 排查类, 咨询类"):
        recognised(sample_db, "登录报错", track_type="排错")


@pytest.mark.parametrize(
    ("given", "platform"),
    [
        ("安卓", "Android"),
        ("android", "Android"),
        ("IOS", "iOS"),
        ("服务端", "Server"),
        ("鸿蒙", "HarmonyOS"),
        ("小程序", "微信小程序"),
        ("uniapp", "Uniapp"),
        ("塞班", "塞班"),
    ],
)
def test_platform(sample_db: Path, given: str, platform: str) -> None:
    """A platform is known by its aliases, given or spoken; an unknown one stays as given."""
    assert recognised(sample_db, "x", platform=given).platform == platform
    assert recognised(sample_db, f"我们{given}端登录").platform == ("" if given == "塞班" else platform)


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("kickout 20417 被踢", {"20417"}),
        ("调用 fetchTeamProfile 没反应", {"fetchTeamProfile"}),
        ("LD_LIBRARY_PATH 为空", {"LD_LIBRARY_PATH"}),
        ("蓝牙耳机没声音", {"蓝牙耳机"}),
    ],
)
def test_tags(sample_db: Path, text: str, tags: set[str]) -> None:
    """Codes, API names and the base's own tags are among the keywords, in whatever case."""
    assert {tag.lower() for tag in tags} <= {tag.lower() for tag in recognised(sample_db, text).tags}


def test_six_tags_at_most(sample_db: Path) -> None:
    """However much is said, there are at most six keywords, and none twice."""
    found = recognised(sample_db, " ".join(f"fetchThing{n} 角标 重连 {40000 + n}" for n in range(30))).tags
    assert len(found) == len(set(found)) == 6


def test_feature(sample_db: Path) -> None:
    """The longest folder name of the product that stands in the text is the feature."""
    assert recognised(sample_db, "IM SDK 登录连接问题").feature == "登录连接"
    assert recognised(sample_db, "短信签名报备").feature == "签名报备"
    assert recognised(sample_db, "短信的登录连接").feature == ""


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
    """Each parameter can be set; what is set is taken as it is, tags in their order and each once."""
    request = recognised(sample_db, "IM SDK 登录连接报错 414", **OPTIONS)
    assert {name: getattr(request, name) for name in OPTIONS} == OPTIONS | {"tags": ("乙", "甲")}
    assert {request.origins[name] for name in OPTIONS} == {"option"}


def test_defaults(sample_db: Path) -> None:
    """Title and description default to the text; cause and solution are never guessed."""
    request = recognised(sample_db, "  登录报错  ")
    assert (request.title, request.description) == ("登录报错", "登录报错")
    assert (request.root_cause, request.solution) == ("", "")
    assert not {"root_cause", "solution"} & set(request.origins)


def test_every_origin_is_of_a_parameter_that_is_set(sample_db: Path) -> None:
    """There is an origin for each parameter that has a value, and for no other."""
    for text in ("IM SDK iOS 登录连接报错 414", "蓝牙", "？"):
        request = recognised(sample_db, text)
        names = set(request._fields) - {"text", "origins", "modes"}
        assert set(request.origins) == {name for name in names if getattr(request, name)}


def test_a_long_text_is_cut(sample_db: Path) -> None:
    """No more than the first two thousand characters are read."""
    request = recognised(sample_db, "登录。" * 700 + "短信")
    assert (len(request.text), request.product) == (MAX_CHARACTERS, "")

"""Names in a request: products, platforms, feature folders and tags, in the text or given."""

from pathlib import Path

import pytest
from nim_support import build_base, page, recognize

from query.nim.recognition import folder_matches, matching_folders

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
    """Every alias of the specification's table gives its product, in a sentence or as the option."""
    assert recognize(sample_db, f"请问{alias}怎么用").product == product
    assert recognize(sample_db, "x", product=alias).product == product


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
    """A given product may be an alias or a sibling folder; an unknown one stays as it is."""
    request = recognize(sample_db, "短信收不到", product=given)
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
def test_product_in_a_text(sample_db: Path, text: str, product: str) -> None:
    """The longest alias in a text wins, then the table's order."""
    assert recognize(sample_db, text).product == product


def test_learned_terms(tmp_path: Path) -> None:
    """A term that only cases of one product contain gives the product in a text, but is no alias of it."""
    pages = {f"RTC/通话/{n}.md": page(title=f"joinChannel 失败{n}", product="RTC") for n in range(5)}
    db = build_base(tmp_path, pages | {"IM-SDK/登录/a.md": page(title="登录失败")})
    request = recognize(db, "joinChannel 没有反应")
    assert (request.product, request.origins["product"]) == ("RTC", "terms that the base uses for one product only")
    assert recognize(db, "短信 joinChannel 没有反应").product == "短信"
    assert recognize(db, "没有反应", product="joinChannel").product == "joinChannel"


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
    """A platform is known by its aliases, given or in the text; an unknown one stays as given."""
    assert recognize(sample_db, "x", platform=given).platform == platform
    assert recognize(sample_db, f"我们{given}端登录").platform == ("" if given == "塞班" else platform)


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
    """Codes, API names and tags of the base are among the tags, in any letter case."""
    assert {tag.lower() for tag in tags} <= {tag.lower() for tag in recognize(sample_db, text).tags}


def test_stop_words_are_no_tags(sample_db: Path) -> None:
    """A word of the base that is a stop word is not among the tags."""
    assert recognize(sample_db, "application 推送 一会 一个角标").tags == ("推送", "角标")


def test_six_tags_at_most(sample_db: Path) -> None:
    """A long text has at most six tags, none of them twice."""
    found = recognize(sample_db, " ".join(f"fetchThing{n} 角标 重连 {40000 + n}" for n in range(30))).tags
    assert len(found) == len(set(found)) == 6


def test_feature(sample_db: Path) -> None:
    """The feature is the longest folder name of the product that the text contains."""
    assert recognize(sample_db, "IM SDK 登录连接问题").feature == "登录连接"
    assert recognize(sample_db, "短信签名报备").feature == "签名报备"
    assert recognize(sample_db, "短信的登录连接").feature == ""


FOLDERS = ["推送", "推送服务", "iOS推送", "登录", "", "Login"]


@pytest.mark.parametrize(
    ("feature", "found"),
    [
        pytest.param("推送", ["推送"], id="the folder of that name alone"),
        pytest.param("登录连接", ["登录"], id="a folder whose name is contained in it"),
        pytest.param("服务", ["推送服务"], id="a folder whose name contains it"),
        pytest.param("iOS推送服务", ["iOS推送", "推送", "推送服务"], id="several"),
        pytest.param(" login ", ["Login"], id="without case and outer spaces"),
        pytest.param("短信", [], id="none is no error"),
        pytest.param("", [], id="no feature"),
        pytest.param("  ", [], id="blank"),
    ],
)
def test_matching_folders(feature: str, found: list[str]) -> None:
    """The folder of that name, else those that contain it or are contained in it."""
    assert list(matching_folders(feature, FOLDERS)) == found
    assert set(found) <= {folder for folder in FOLDERS if folder_matches(feature, folder)}

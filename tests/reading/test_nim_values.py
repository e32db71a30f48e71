"""Placeholders, templates, platforms, titles."""

import pytest

from indexer.reading.nim import values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("详见聊天记录", True),
        ("详见聊天记录分析", True),
        ("详见正文。", True),
        ("已提供技术支持", True),
        ("已提供技术文档和解决方案", True),
        ("（待补充）", True),
        ("**待排查**", True),
        (" n/a ", True),
        ("待确认。", True),
        ("未知错误码需要重新登录", False),
        ("无需处理", False),
        ("详见正文第三节的配置方法", False),
        ("待排查，可能与会话同步时间戳有关。", False),
        ("已调整网关配置", False),
    ],
)
def test_placeholders(text: str, expected: bool) -> None:
    """A text counts as empty only if all of it is a placeholder."""
    assert values.is_placeholder(text) is expected


TEMPLATES = {
    "a log": ("a\n（从会话提取关键报错日志，无则省略）\nb", "a\nb"),
    "a version": ("- SDK 版本：（从会话提取，无则省略）\n- 系统：iOS 18", "- 系统：iOS 18"),
    "a label": ("1. a\n\n**关键发现**：（从会话提取关键发现，无则省略）", "1. a"),
    "a merge line": ("（合并时在此处追加：`- [通用] a，来源：['甲']，2026-03-23`）", ""),
    "none": ("（暂无）", ""),
    "half-width brackets": ("(无)", ""),
    "real brackets stay": (
        "（无网络时触发）\n发送失败（无）\n（从会话列表进入时）",
        "（无网络时触发）\n发送失败（无）\n（从会话列表进入时）",
    ),
    "the rest stays as it is": ("  a\n\n\tb（无）c", "a\n\n\tb（无）c"),
}


@pytest.mark.parametrize(("text", "expected"), TEMPLATES.values(), ids=TEMPLATES.keys())
def test_templates(text: str, expected: str) -> None:
    """The lines of the authors' template are removed, and no other line."""
    assert values.without_templates(text) == expected


def test_form_lines() -> None:
    """Lines of a form that are empty or repeat the platform are removed."""
    assert (
        values.without_form_lines("- SDK 版本：\n- 平台：安卓\n- 产品：IM V10\n- 平台：TV 盒子")
        == "- 产品：IM V10\n- 平台：TV 盒子"
    )


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        ("iOS", ("iOS",)),
        ("IOS", ("iOS",)),
        ("安卓", ("Android",)),
        ("服务端", ("Server",)),
        ("鸿蒙", ("HarmonyOS",)),
        ("小程序", ("微信小程序",)),
        ("uniapp", ("Uniapp",)),
        ("uni-app", ("Uniapp",)),
        ("iOS/Android", ("iOS", "Android")),
        ("iOS Web", ("iOS", "Web")),
        ("Web-微信小程序", ("Web", "微信小程序")),
        ("安卓、Android", ("Android",)),
        ("React Native", ("React Native",)),
        ("--", ("通用",)),
        ("客户端", ("通用",)),
        ("V10", ("通用",)),
        ("", ()),
        ("功能实现咨询.md", ()),
        ("线上案例", ()),
    ],
)
def test_platforms(raw: str, names: tuple[str, ...]) -> None:
    """Every spelling of a platform has one canonical name; a field may name several platforms."""
    assert values.platforms_of(raw) == names


@pytest.mark.parametrize(
    ("fields", "folders", "platform", "names"),
    [
        (["安卓", "iOS"], ["Web"], "安卓", ("Android",)),
        (["", "iOS"], ["Web"], "iOS", ("iOS",)),
        (["", ""], ["线上案例", "服务端"], "服务端", ("Server",)),
        (["咨询-开通.md"], [], "通用", ("通用",)),
        (["功能实现咨询.md"], ["Web"], "Web", ("Web",)),
        (["--"], ["--"], "通用", ("通用",)),
        (["私有化"], ["服务端"], "私有化", ("通用",)),
        (["电视"], [], "电视", ("通用",)),
    ],
)
def test_platform_of(fields: list[str], folders: list[str], platform: str, names: tuple[str, ...]) -> None:
    """The platform is that of a field, else of a folder, else 通用; a file name is no platform."""
    assert values.platform_of(fields, folders) == (platform, names)


@pytest.mark.parametrize(
    ("title", "description", "stem", "shown"),
    [
        ("推送收不到", "别的", "x", "推送收不到"),
        ("群聊@所有人返回811", "", "x", "群聊@所有人返回811"),
        ("技术咨询", "如何登录？急", "x", "如何登录"),
        ("问题", "a。b", "x", "a"),
        ("IM-SDK功能咨询", "客户咨询抄送", "x", "客户咨询抄送"),
        ("iOS 问题", "崩溃", "x", "崩溃"),
        ("", "业务类型：IM 平台：iOS 分类：推送 客服：@张三 问题：收不到推送。谢谢", "x", "收不到推送"),
        ("技术咨询", "【业务类型】：IM\n【平台】：Web\n@李四 视频黑屏\n第二行", "x", "视频黑屏"),
        ("技术咨询", "判断是否被@，无效", "x", "判断是否被@，无效"),
        ("技术咨询", "邮箱 a@example.com 收不到", "x", "邮箱 a@example.com 收不到"),
        ("技术咨询", "平台：iOS", "x", "平台：iOS"),
        ("技术咨询", "", "排查-登录失败", "登录失败"),
        ("技术咨询", "", "咨询类-登录__from_downloads", "登录"),
        ("", "", "咨询服务接入", "咨询服务接入"),
        ("", "", "排查", "排查"),
    ],
)
def test_display_title(title: str, description: str, stem: str, shown: str) -> None:
    """A useless title is replaced by the question's first sentence, else by the name of the file."""
    assert values.display_title(title, description, stem) == shown


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        ("a", "abc d", ("abc d", "")),
        ("abc", "x", ("abc", "x")),
        ("ab c。", "abc", ("ab c。", "")),
        ("", "a", ("a", "")),
        ("a", "", ("a", "")),
        ("详见正文。", "a", ("a", "")),
        ("a", "已提供技术支持", ("a", "")),
        ("详见正文。", "", ("详见正文。", "")),
        ("", "待补充", ("待补充", "")),
    ],
)
def test_better(first: str, second: str, chosen: tuple[str, str]) -> None:
    """The longer text that is no placeholder is better; the other is kept only if it adds text."""
    assert values.better(first, second) == chosen

"""A small invented base in the later public layout, written where a test wants it."""

from pathlib import Path

REGISTER = """
products:
  - {id: live, name: Live, description: d, llms_file: u, public_release: {supported: []}}
  - {id: chat, name: Chat, description: d, llms_file: u}
  - {id: call, name: Call, description: d, llms_file: u}
cross_product_scenarios:
  - {id: live-chat, name: 弹幕, products: [live, chat], description: d}
"""
WEB = """
slices:
  - id: chat/login
    name: 登录
    tags: [login]
    file: slices/chat/web/login.md
    description: 登录与登出
  - id: chat/sticker
    name: 贴纸
    tags: [sticker]
    keywords: [贴纸包, sticker]
    trigger-keywords: [动态贴纸]
    file: slices/chat/web/sticker.md
    description: 发送贴纸
    prerequisites: [chat/login]
    layer: features
"""
IOS = """
slices:
  - {id: chat/sticker, name: 贴纸, tags: [sticker, 表情包], file: slices/chat/ios/sticker.md, description: 发送贴纸}
  - {id: chat/poll, name: 投票, tags: [poll], file: slices/chat/ios/poll.md, status: planned}
"""
FILES: dict[str, str] = {
    "products.yaml": REGISTER,
    "chat/web/index.yaml": WEB,
    "chat/ios/index.yaml": IOS,
    "slices/chat/web/login.md": "---\nid: chat/login\n---\n# 登录\n",
    "slices/chat/web/sticker.md": (
        "---\nid: chat/sticker\ntags: [StickerStore]\ntrigger-keywords: [@, 贴纸包]\nprerequisites: [login]\n---\n"
        "# 贴纸\n"
    ),
    "slices/chat/ios/sticker.md": "---\nid: chat/sticker\nrelated: [live/firework]\n---\n# 贴纸 iOS\n",
    "slices/live/firework.md": (
        "---\nid: live/firework\nname: 烟花\ntags: [firework]\nplatforms: [ios, web]\nrelated: [chat/sticker]\n---\n"
        "# 烟花\n\n## 功能说明\n\n在直播间放烟花。\n\n第二段。\n\n## 错误码\n| 码 |\n|--|\n| -8101 |\n"
    ),
    "slices/live/ios/firework.md": "---\nid: live/firework\nplatform: ios\n---\n# 烟花 iOS\n",
    "scenarios/live/party.md": (
        "---\nid: garden-party\nname: 游园会\ntrigger:\n  intent_keywords: [园游会, party]\n"
        "slices: [live/firework, chat/sticker, live/gone]\n---\n# 游园会\n"
    ),
    "docs/chat/faq.md": "# FAQ 秘\n",
    "tooling/signals.yaml": "signals: [接入]\n",
    "guide.md": "# 怎么写 slice\n",
}


def write_base(folder: Path, **changed: str | bytes) -> Path:
    """Write the base, with files changed or added."""
    for name, content in {**FILES, **changed}.items():
        path = folder / "base" / "knowledge-base" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / "base"

"""The text of an answer, exactly in the format of the specification."""

from typing import Any

import pytest
from nim_support import make_request
from test_nim_contract import CASE

from query.nim.contract import Answer, Case, Grade, Level, TrackType
from query.nim.text import NOT_FOUND, SYNC_FAILED, as_text

RULE = "────────────────────────────────"
MARKER = "[nim-kb-search] 已触发 | 类型=排查类 | 产品=IM-SDK | 关键词=甲、乙"
TROUBLE = CASE._replace(
    path="knowledge/IM-SDK/登录/iOS/排查-甲.md",
    entry=0,
    track_type="排查类",
    root_cause="证书过期",
    solution="1. 换证书\n2. 重启\n\n3. 验证",
    customers=("客户a", "客户b"),
    frequency=3,
)
CONSULT = CASE._replace(solution="可以。", customers=("客户c",), frequency=2)


def text(*matches: Case, nearest: tuple[Case, ...] = (), track: TrackType | None = None, **shown: Any) -> str:
    """The text of an answer with these cases, without its marker line."""
    request = make_request(track_type=track, origins={"product": "option"})
    answer = Answer(MARKER, request, Level.PRODUCT, 9, len(matches), matches, nearest, shown.pop("notes", ()))
    first, _, rest = as_text(answer, **shown).partition("\n")
    assert first == MARKER
    return rest


TROUBLE_HIGH = f"""📚 知识库检索结果（排查类，共 1 条）
{RULE}
【高度匹配】甲乙
  平台：iOS | 产品：IM-SDK | 功能：登录
  根因：证书过期
  解决方案：1. 换证书
    2. 重启

    3. 验证
  来源客户：客户a、客户b | 更新：2026-01-02
{RULE}"""
TROUBLE_POSSIBLE = f"""📚 知识库检索结果（排查类，共 1 条）
{RULE}
【可能相关】甲乙
  平台：iOS | 产品：IM-SDK
  根因：证书过期
{RULE}"""
CONSULT_HIGH = f"""📚 知识库检索结果（咨询类，共 1 条）
{RULE}
【高度匹配】甲乙
  产品：IM-SDK | 功能：登录 | 平台：iOS
  答案：可以。
  来源客户：客户c | 问过 2 次
{RULE}"""
CONSULT_POSSIBLE = f"""📚 知识库检索结果（咨询类，共 1 条）
{RULE}
【可能相关】甲乙
  产品：IM-SDK | 功能：登录
  答案摘要：可以。
{RULE}"""
LEVEL = "（扫描范围：L2 - 跨平台）"


def lines(block: str) -> list[str]:
    """Lines without the spaces at their ends."""
    return [line.rstrip() for line in block.split("\n")]


@pytest.mark.parametrize(
    ("case", "block"),
    [
        pytest.param(TROUBLE, TROUBLE_HIGH, id="排查类 高度匹配"),
        pytest.param(TROUBLE._replace(grade=Grade.POSSIBLE), TROUBLE_POSSIBLE, id="排查类 可能相关"),
        pytest.param(CONSULT, CONSULT_HIGH, id="咨询类 高度匹配"),
        pytest.param(CONSULT._replace(grade=Grade.POSSIBLE), CONSULT_POSSIBLE, id="咨询类 可能相关"),
    ],
)
def test_blocks(case: Case, block: str) -> None:
    """One match prints exactly the specification's block of its type and grade, then the level."""
    assert lines(text(case)) == [*lines(block), LEVEL]


def test_a_block_of_several() -> None:
    """Cases of one type share a block, an empty line between them, and N is how many are shown."""
    shown = text(CONSULT, CONSULT._replace(grade=Grade.POSSIBLE, title="丙"))
    head, first, second = (
        CONSULT_HIGH.split("\n", maxsplit=1)[0],
        CONSULT_HIGH.split("\n")[2:-1],
        CONSULT_POSSIBLE.split("\n")[2:],
    )
    second[0] = "【可能相关】丙"
    assert shown.split("\n") == [head.replace("1 条", "2 条"), RULE, *first, "", *second, LEVEL]


@pytest.mark.parametrize(
    ("track", "blocks"),
    [
        (TrackType.TROUBLESHOOT, (TROUBLE_POSSIBLE, CONSULT_HIGH)),
        (TrackType.CONSULT, (CONSULT_HIGH, TROUBLE_POSSIBLE)),
        (None, (TROUBLE_POSSIBLE, CONSULT_HIGH)),
    ],
)
def test_mixed(track: TrackType | None, blocks: tuple[str, ...]) -> None:
    """Both types print a block each; the request's own type comes first, whichever ranks higher."""
    shown = text(CONSULT, TROUBLE._replace(grade=Grade.POSSIBLE), track=track)
    assert shown == "\n".join((*blocks, LEVEL))


def test_not_found() -> None:
    """Without a match, the line of the specification is printed."""
    assert text() == f"📚 知识库检索结果：未找到相似历史记录，以下为新问题分析。\n{LEVEL}"
    assert NOT_FOUND in text()


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        pytest.param({"customers": ()}, "  来源客户：未记录 | 问过 2 次", id="no customers"),
        pytest.param({"frequency": 1}, "  来源客户：客户c | 问过 1 次", id="a frequency of one"),
        pytest.param({"duplicates": ("a.md", "b.md")}, "【高度匹配】甲乙（另有 2 份相同记录）", id="copies"),
        pytest.param({"solution": ""}, "  答案：", id="no answer"),
        pytest.param({"solution": " 一\n二 \n"}, "    二", id="lines are indented"),
        pytest.param(
            {"grade": Grade.POSSIBLE, "solution": "字" * 50}, f"  答案摘要：{'字' * 50}", id="fifty characters"
        ),
        pytest.param(
            {"grade": Grade.POSSIBLE, "solution": "字" * 51}, f"  答案摘要：{'字' * 50}...", id="fifty-one are cut"
        ),
        pytest.param({"grade": Grade.POSSIBLE, "solution": "一\n二"}, "  答案摘要：一 二", id="a summary is one line"),
        pytest.param(
            {"grade": Grade.POSSIBLE, "duplicates": ("a.md",)}, "【可能相关】甲乙（另有 1 份相同记录）", id="one copy"
        ),
    ],
)
def test_values(changed: dict[str, Any], line: str) -> None:
    """How missing values, long values and copies are printed."""
    assert line in text(CONSULT._replace(**changed)).split("\n")


NEAR = CONSULT._replace(grade=None, title="相近")


def test_nearest_only_when_asked() -> None:
    """The nearest cases are printed on request only, in a block of their own that calls none of them a match."""
    assert "相近" not in text(nearest=(NEAR,))
    before, heading, block = text(nearest=(NEAR, NEAR), with_nearest=True).partition("📎 ")
    assert before == f"{NOT_FOUND}\n{LEVEL}\n"
    assert heading
    assert block.split("\n")[0] == "未达阈值的相近记录（不是匹配结果，仅供参考，共 2 条）"
    assert "高度匹配" not in block
    assert "可能相关" not in block
    assert block.count("【未达阈值】相近") == 2


def test_nearest_none() -> None:
    """Without nearest cases the block is left out."""
    assert text(CONSULT, with_nearest=True) == text(CONSULT)


def test_notes_come_last() -> None:
    """Notes are printed last, a failed ``--sync`` in the words of the specification."""
    explanation = ["product: option"]
    shown = text(CONSULT, nearest=(NEAR,), with_nearest=True, explanation=explanation, notes=("note", SYNC_FAILED))
    assert shown.split("\n")[-3:] == ["product: option", "note", "⚠️ 知识库同步失败，结果基于本地缓存。"]

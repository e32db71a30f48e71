"""An answer as text, exactly in the format of the specification (docs/decisions/nim.md#printed-values)."""

from collections.abc import Iterable, Iterator, Sequence

from query.nim.contract import Answer, Case, Grade, TrackType

RULE = "─" * 32
NOT_FOUND = "📚 知识库检索结果：未找到相似历史记录，以下为新问题分析。"
#: The last line of an answer after a failed ``--sync``.
SYNC_FAILED = "⚠️ 知识库同步失败，结果基于本地缓存。"
_NEAREST_HEADING = "📎 未达阈值的相近记录（不是匹配结果，仅供参考，共 {} 条）"
_NO_CUSTOMERS = "未记录"
_SUMMARY_CHARACTERS = 50


def as_text(answer: Answer, with_nearest: bool = False, explanation: Iterable[str] = ()) -> str:
    """The marker line, one block per track type with matches, and the level; then nearest, explanation and notes.

    The track type of the request comes first.
    """
    lines = [answer.marker]
    for track in sorted(TrackType, key=lambda track: track is not answer.request.track_type):
        cases = [case for case in answer.matches if case.track_type == track.value]
        lines += _block(track, cases) if cases else ()
    lines += [] if answer.matches else [NOT_FOUND]
    lines.append(f"（扫描范围：{answer.level.value}）")
    lines += _nearest(answer.nearest) if with_nearest and answer.nearest else ()
    return "\n".join((*lines, *explanation, *answer.notes))


def _block(track: TrackType, cases: Sequence[Case]) -> Iterator[str]:
    yield f"📚 知识库检索结果（{track.value}，共 {len(cases)} 条）"
    yield RULE
    show = _troubleshoot if track is TrackType.TROUBLESHOOT else _consult
    for number, case in enumerate(cases):
        if number:
            yield ""
        yield from show(case)
    yield RULE


def _troubleshoot(case: Case) -> Iterator[str]:
    yield _heading(case)
    if case.grade is not Grade.HIGH:
        yield f"  平台：{case.platform} | 产品：{case.product}"
        yield _value("根因", case.root_cause)
        return
    yield f"  平台：{case.platform} | 产品：{case.product} | 功能：{case.feature}"
    yield _value("根因", case.root_cause)
    yield _value("解决方案", case.solution)
    yield f"  来源客户：{_customers(case)} | 更新：{case.updated}"


def _consult(case: Case) -> Iterator[str]:
    yield _heading(case)
    if case.grade is not Grade.HIGH:
        yield f"  产品：{case.product} | 功能：{case.feature}"
        yield f"  答案摘要：{_summary(case.solution)}"
        return
    yield f"  产品：{case.product} | 功能：{case.feature} | 平台：{case.platform}"
    yield _value("答案", case.solution)
    yield f"  来源客户：{_customers(case)} | 问过 {case.frequency} 次"


def _heading(case: Case) -> str:
    copies = f"（另有 {len(case.duplicates)} 份相同记录）" if case.duplicates else ""
    grade = f"【{case.grade.value}】" if case.grade else "【未达阈值】"
    return f"{grade}{case.title}{copies}"


def _value(key: str, text: str) -> str:
    """A value keeps its lines, indented under its key."""
    return f"  {key}：" + "\n    ".join(text.strip().split("\n"))


def _summary(text: str) -> str:
    """The first fifty characters on one line, with dots only if something was cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _SUMMARY_CHARACTERS else flat[:_SUMMARY_CHARACTERS] + "..."


def _customers(case: Case) -> str:
    return "、".join(case.customers) or _NO_CUSTOMERS


def _nearest(cases: Sequence[Case]) -> Iterator[str]:
    yield _NEAREST_HEADING.format(len(cases))
    yield RULE
    for case in cases:
        yield _heading(case)
        yield f"  产品：{case.product} | 功能：{case.feature} | 平台：{case.platform}"
        yield f"  答案摘要：{_summary(case.solution)}"
    yield RULE

"""Parts of a text that are not its question: negated features, features reported as working, and pasted material."""

import re
from collections.abc import Iterator, Sequence

from query.trtc.terms import QueryTerm

#: A negation and the features that it excludes, up to the end of the clause. 禁止, 关闭 and 取消 ask about their
#: object, and so do a symptom (不生效, not working) and a question (要不要). 别 is no negation in words like 区别.
_EXCLUDED = re.compile(
    r"(?:(?<!要)不要|(?<!用)不用(?!户)|(?<!需)不需要|无需|不想|(?<!是)不是|除了|(?<![级区分个特识辨告性类])别(?![人的名处说墅扭])|"
    r"\b(?:not|without|except|instead of|rather than|no need (?:for|of|to)|(?:don'?t|do not) (?:need|want))\b)"
    r"[^，,。；;！!？?\n]*?(?=[，,。；;！!？?\n]|而是|只要|只想|\bbut\b|\bjust\b|$)",
    re.IGNORECASE,
)
#: A clause that reports a feature as working, before the clause with the problem.
_WORKING = re.compile(
    r"[^，,。；;！!？?\n]*?(?:正常|没问题|没事|\bworks?(?: fine| well)?\b|\b(?:is|are) (?:fine|ok)\b)"
    r"[，,;；\s]*(?=但|可是|不过|就是|\bbut\b|\bhowever\b)",
    re.IGNORECASE,
)
#: Pasted material: labels of an issue template, absolute paths, stack frames, requests with their status, log prefixes
#: and addresses.
_PASTED = re.compile(
    r"(?:日志(?:文件)?|环境|系统|机型|设备型号|复现步骤|预期(?:结果)?|实际(?:结果)?|"
    r"log files?|steps to reproduce|expected|actual|environment)\s*[:：]|"
    r"(?<![A-Za-z0-9_.~-])~?/[\w.-]+(?:/[\w.-]*)+|"
    r"\b[A-Za-z]:\\[^\s，。]+|"
    r"^\s*at [\w$.<>]+ ?\([^)\n]*\)|"
    r"\b(?:GET|POST|PUT|DELETE) (?=https?://)|\b\d{3} \((?:Not Found|Forbidden|Bad Request|Unauthorized)\)|"
    r"\bUncaught(?: \(in promise\))?|"
    r"^\s*\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,\d]*\]?|\[(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\]|"
    r"\b0x[0-9a-f]{4,}\b",
    re.IGNORECASE | re.MULTILINE,
)


_CIRCUMSTANCE = re.compile(r"[之以]?[后前](?!台|面|置|排)|时(?!间|长|区)|的?时候|期间|过程中")


def is_circumstance(text: str, term: QueryTerm) -> bool:
    """Whether a term only says when something happens: 直播结束 in 直播结束后怎么看回放."""
    return bool(_CIRCUMSTANCE.match(text, term.end))


def pasted_spans(text: str) -> Iterator[tuple[int, int]]:
    """The offsets of pasted material in a normalized text (docs/decisions/trtc.md#pasted-material)."""
    return (match.span() for match in _PASTED.finditer(text))


def without_excluded(text: str, terms: Sequence[QueryTerm]) -> tuple[QueryTerm, ...]:
    """The terms outside a negation and outside a clause that reports a feature as working.

    If none of them names a feature of the base, nothing is excluded: ``不要美颜了，怎么全部关掉`` is about 美颜
    (docs/decisions/trtc.md#negation).
    """
    scopes = [match.span() for pattern in (_EXCLUDED, _WORKING) for match in pattern.finditer(text)]
    kept = tuple(t for t in terms if not any(start <= t.start and t.end <= end for start, end in scopes))
    return kept if any(term.names_feature for term in kept) else tuple(terms)

"""Command-line values -> a checked request; and the intent of a query that comes without one."""

import re
from collections.abc import Sequence

from query.errors import UsageError
from query.index import Index
from query.limits import sanitize_text
from query.trtc.contract import FRAMEWORKS, PLATFORMS, Intent, Request
from query.trtc.parse import ParsedQuery

#: The cause where an index was built from the other base alone.
NO_BASE = "this index holds no TRTC base; build it with --trtc"
# Plain texts, compiled by ``re`` on first use: a search with --intent needs neither.
_PATTERN = r"区别|不同|差异|对比|官方写法|最佳实践|还是|\bvs\.?\b|versus|difference|compare|official (pattern|way)"
_SYMPTOM = (
    r"没(有)?(声音|画面|反应|效果|回调)|收不到|发不出|看不到|听不到|不显示|不生效|不工作|失败|报错|异常|崩溃|闪退|卡顿|卡住|黑屏|白屏|"
    r"无法|不能用|打不开|进不去|连不上|掉线|断开|延迟|怎么办|为什么|排查|错误|"
    r"\b(fail\w*|error|crash\w*|broken|not work\w*|doesn'?t|does not|cannot|can'?t|stuck|freez\w*|"
    r"black screen|no sound)\b"
)


def check_request(  # noqa: PLR0913  # one parameter per field of the contract
    index: Index, query: str, product: str | None, platform: str | None, intent: str | None, limit: int = 5
) -> Request:
    """Check every option against its valid values.

    Raises:
        UsageError: names the option, the value found and the valid values.
    """
    if limit < 1:
        raise UsageError(f"--limit {limit}: wanted a number from 1")
    if product is not None and not index.products:
        raise UsageError(f"--product {sanitize_text(product)!r}: {NO_BASE}")
    checked = _one_of("--intent", intent, [*Intent])
    return Request(
        query=query,
        product=_one_of("--product", product, index.products),
        platform=check_platform(platform),
        intent=Intent(checked) if checked else None,
        limit=limit,
    )


def check_platform(given: str | None) -> str | None:
    """A platform, or the platform of a framework (docs/decisions/trtc.md#platform-is-never-guessed).

    Raises:
        UsageError: the name is neither; lists the valid ones.
    """
    if given is None:
        return None
    folded = given.strip().lower()
    return FRAMEWORKS.get(folded) or _one_of("--platform", folded, [*PLATFORMS, *FRAMEWORKS])


def _one_of(option: str, given: str | None, valid: Sequence[str]) -> str | None:
    if given is None:
        return None
    folded = sanitize_text(given).strip().lower()
    for value in valid:
        if value.lower() == folded:
            return str(value)
    raise UsageError(f"{option} {sanitize_text(given)!r}: wanted one of {', '.join(valid)}")


def recognize_intent(parsed: ParsedQuery) -> Intent:
    """The intent of a query: an error code, a comparison, a symptom, else a feature."""
    text = parsed.text
    alone = not re.search(r"[^\W\d_]", text)
    if any(m.is_code and (m.signed or m.named or alone) for m in parsed.mentions) or any(
        name.startswith("ERR") for name in parsed.symbols
    ):
        return Intent.ERROR_CODE
    if re.search(_PATTERN, text, re.IGNORECASE):
        return Intent.PATTERN
    return Intent.TROUBLESHOOT if re.search(_SYMPTOM, text, re.IGNORECASE) else Intent.FEATURE

"""What was typed becomes a checked request, or an error that lists what is valid."""

from pathlib import Path

import pytest

from query.errors import UsageError
from query.index import open_index
from query.limits import sanitize_text
from query.trtc.contract import FRAMEWORKS, PLATFORMS, Intent
from query.trtc.parse import parse_query
from query.trtc.request import check_platform, check_request, recognize_intent

PRODUCTS = ("chat", "call", "rtc-engine", "live", "conference")
FIELDS = {"product": None, "platform": None, "intent": None}


@pytest.mark.parametrize("product", PRODUCTS)
@pytest.mark.parametrize("spelling", [str.lower, str.upper, str.title, " {} ".format])
def test_products_in_any_case(product: str, spelling: object, sample_db: Path) -> None:
    """A product of the index is accepted whatever its case and the blanks around it."""
    assert callable(spelling)
    with open_index(sample_db) as index:
        assert check_request(index, "x", **FIELDS | {"product": spelling(product)}).product == product


@pytest.mark.parametrize("platform", PLATFORMS)
def test_platforms_in_any_case(platform: str) -> None:
    """A platform is accepted whatever its case."""
    assert check_platform(platform.upper()) == platform


@pytest.mark.parametrize(
    ("framework", "platform"),
    [
        ("React", "web"),
        ("Vue", "web"),
        ("Kotlin", "android"),
        ("Swift", "ios"),
        ("Objective-C", "ios"),
        ("ObjC", "ios"),
        ("Dart", "flutter"),
    ],
)
def test_frameworks(framework: str, platform: str) -> None:
    """A framework of the specification's table stands for its platform.

    The rule is docs/decisions/trtc.md#platform-is-never-guessed.
    """
    assert check_platform(framework) == platform
    assert framework.lower() in FRAMEWORKS


@pytest.mark.parametrize("intent", [*Intent])
def test_intents(intent: Intent, sample_db: Path) -> None:
    """Each of the four intents is accepted in any case."""
    with open_index(sample_db) as index:
        assert check_request(index, "x", **FIELDS | {"intent": intent.upper()}).intent is intent


@pytest.mark.parametrize(
    ("option", "value", "valid"),
    [
        ("product", "im", ", ".join(PRODUCTS)),
        ("product", "", ", ".join(PRODUCTS)),
        ("product", "直播", ", ".join(PRODUCTS)),
        ("product", "li\ud83dve", ", ".join(PRODUCTS)),
        ("platform", "windows", ", ".join((*PLATFORMS, *FRAMEWORKS))),
        ("platform", "", ", ".join((*PLATFORMS, *FRAMEWORKS))),
        ("intent", "slice-lookup", "error-code, pattern, feature, troubleshoot"),
        ("intent", "", "error-code, pattern, feature, troubleshoot"),
    ],
)
def test_an_invalid_value(option: str, value: str, valid: str, sample_db: Path) -> None:
    """An invalid value is an error that names the option, the value and every valid one.

    The rule is docs/decisions/trtc.md#invalid-arguments.
    """
    with open_index(sample_db) as index, pytest.raises(UsageError) as caught:
        check_request(index, "x", **FIELDS | {option: value})
    assert str(caught.value) == f"--{option} {sanitize_text(value)!r}: wanted one of {valid}"


@pytest.mark.parametrize("limit", [0, -1, -(10**30)])
def test_an_invalid_limit(limit: int, sample_db: Path) -> None:
    """A limit below one is an error."""
    with open_index(sample_db) as index, pytest.raises(UsageError, match=rf"--limit {limit}: wanted a number from 1"):
        check_request(index, "x", **FIELDS, limit=limit)


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("-1002", Intent.ERROR_CODE),
        ("6208", Intent.ERROR_CODE),
        ("错误码 7", Intent.ERROR_CODE),
        ("－２", Intent.ERROR_CODE),
        ("ERR_NEED_PASSWORD", Intent.ERROR_CODE),
        ("code=100001", Intent.ERROR_CODE),
        ("房间号 4001", Intent.FEATURE),
        ("1002 个人", Intent.FEATURE),
        ("SDK 4.2.1", Intent.FEATURE),
        ("弹幕和礼物的区别", Intent.PATTERN),
        ("弹幕的官方写法", Intent.PATTERN),
        ("seat vs queue", Intent.PATTERN),
        ("What is the difference between seat and queue", Intent.PATTERN),
        ("耳返没声音", Intent.TROUBLESHOOT),
        ("弹幕发不出去怎么办", Intent.TROUBLESHOOT),
        ("login fails", Intent.TROUBLESHOOT),
        ("I can't hear anyone", Intent.TROUBLESHOOT),
        ("打开耳返", Intent.FEATURE),
        ("screen share", Intent.FEATURE),
        ("", Intent.FEATURE),
        ("登录失敗", Intent.TROUBLESHOOT),
    ],
)
def test_recognized_intent(query: str, intent: Intent, sample_db: Path) -> None:
    """A code, a comparison and a symptom are recognized in this order; any other query asks for a feature."""
    with open_index(sample_db) as index:
        assert recognize_intent(parse_query(index, query)) is intent


def test_a_given_intent_is_not_recognised_away(sample_db: Path) -> None:
    """A given intent stands, whatever the query looks like."""
    with open_index(sample_db) as index:
        assert check_request(index, "-1002", **FIELDS | {"intent": "pattern"}).intent is Intent.PATTERN

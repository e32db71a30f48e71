"""The nearest units: ranked by all evidence, and never a match."""

from pathlib import Path

import pytest
from nim_support import build_base, page, recognize, search

from query.index import open_index
from query.nim.contract import Request
from query.nim.nearest import nearest_units
from query.nim.request_text import RequestTokens, analyze


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("蓝牙耳机一戴上就听不见", "RTC/音视频通话/iOS/排查-切蓝牙耳机后没声音.md"),
        ("手机桌面图标上的未读数字清不掉", "IM-SDK/推送/iOS/排查-角标数字清不掉.md"),
        ("换了新手机聊天记录不全", "IM-SDK/历史消息/安卓/排查-换手机后只看到三天消息.md"),
        ("界面能跟着系统变成暗色的吗", "IM-UIKit/主题定制/接口用法咨询.md"),
    ],
)
def test_found_in_other_words(sample_db: Path, text: str, path: str) -> None:
    """A case in other words than the request is its nearest case, and no match."""
    answer = search(sample_db, recognize(sample_db, text))
    assert answer.matches == ()
    assert answer.nearest[0].path == f"knowledge/{path}"


def ranked(db: Path, request: Request) -> list[tuple[int, float]]:
    """Units and their scores, best first."""
    with open_index(db) as index:
        text, tokens = analyze(index, request.text), RequestTokens.of(index, request)
        return [(unit, near["score"]) for unit, near in nearest_units(index, request, text, tokens).items()]


def test_order_is_by_score(sample_db: Path) -> None:
    """The best units come first, equal scores in the order of the base, and a second search gives the same."""
    request = recognize(sample_db, "IM SDK 消息发送失败")
    found = ranked(sample_db, request)
    assert len(found) > 5
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0])) == ranked(sample_db, request)
    assert len({unit for unit, _ in found}) == len(found)


@pytest.mark.parametrize("text", ["？", "zzqqx", "😀", '"', "NEAR(a b)", "a" * 5000, "\udcff", "\0"])
def test_nothing_near(sample_db: Path, text: str) -> None:
    """A text that shares no word with any case has no nearest case, and is no error."""
    assert ranked(sample_db, recognize(sample_db, text)) == []


@pytest.mark.parametrize("product", ["短信", "呼叫组件", "IM-SDK", "RTC"])
def test_the_requested_product_is_nearer(sample_db: Path, product: str) -> None:
    """A product in the request moves its cases forward."""
    request = recognize(sample_db, "收不到，没声音")._replace(product="")
    with open_index(sample_db) as index:
        of_it = {unit for (unit,) in index.rows("SELECT id FROM nim_unit WHERE scope = ?", (product,))}
    before = [unit in of_it for unit, _ in ranked(sample_db, request)]
    after = [unit in of_it for unit, _ in ranked(sample_db, request._replace(product=product))]
    assert any(before)
    assert after.index(True) <= before.index(True)
    assert sum(after[:5]) >= sum(before[:5])


def test_no_sql_in_what_is_typed(sample_db: Path) -> None:
    """Operators of the full-text search are words."""
    plain = recognize(sample_db, "蓝牙 耳机")
    operators = plain._replace(text='蓝牙 AND NOT "耳机*" OR (', title="", description="")
    assert {unit for unit, _ in ranked(sample_db, plain)} <= {unit for unit, _ in ranked(sample_db, operators)}


def near(folder: Path, pages: dict[str, str], text: str) -> list[str]:
    """The titles of matches and nearest cases, best first, in a base of these pages."""
    db = build_base(folder, pages)
    answer = search(db, recognize(db, text))
    return [case.title for case in (*answer.matches, *answer.nearest)]


def test_a_case_without_tags_is_found(tmp_path: Path) -> None:
    """A case without tags and customers is found by its words."""
    untagged = page(title="通话中回声很大", tags=[], customers=None)
    other = page(title="推送角标不对")
    found = near(tmp_path, {"IM-SDK/通话/a.md": untagged, "IM-SDK/推送/b.md": other}, "回声")
    assert found[:1] == ["通话中回声很大"]


def test_a_word_is_nearer_than_a_pair_over_a_word_border(tmp_path: Path) -> None:
    """A pair of characters across a word border finds a case, after the cases that have the pair as a word."""
    pages = {
        "IM-SDK/消息/a.md": page(title="合并发送图片失败"),
        "IM-SDK/消息/b.md": page(title="接口并发调用失败"),
        "IM-SDK/消息/c.md": page(title="角标数字"),
    }
    assert near(tmp_path, pages, "并发")[:2] == ["接口并发调用失败", "合并发送图片失败"]

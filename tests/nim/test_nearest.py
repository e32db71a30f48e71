"""What comes nearest without qualifying (decision 18): never a match, whatever its rank."""

from pathlib import Path

import pytest
from nim_support import answered, build_base, page, recognised

from query.index import open_index
from query.nim.contract import Request
from query.nim.nearest import nearest_units
from query.nim.request_tokens import RequestTokens


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
    """A question in other words than the case has the case as its nearest, and no match."""
    answer = answered(sample_db, recognised(sample_db, text))
    assert answer.matches == ()
    assert answer.nearest[0].path == f"knowledge/{path}"


def ranked(db: Path, request: Request) -> list[tuple[int, float]]:
    """Units and scores."""
    with open_index(db) as index:
        return [(unit, score) for unit, score, *_ in nearest_units(index, request, RequestTokens.of(index, request))]


def test_order_is_by_score(sample_db: Path) -> None:
    """The best come first, each unit once, equal scores in the base's order, and the same again."""
    request = recognised(sample_db, "IM SDK 消息发送失败")
    found = ranked(sample_db, request)
    assert len(found) > 5
    assert found == sorted(found, key=lambda pair: (-pair[1], pair[0])) == ranked(sample_db, request)
    assert len({unit for unit, _ in found}) == len(found)


@pytest.mark.parametrize("text", ["？", "zzqqx", "😀", '"', "NEAR(a b)", "a" * 5000, "\udcff", "\0"])
def test_nothing_near(sample_db: Path, text: str) -> None:
    """Text that no case shares a word with has nothing near, and is no error."""
    assert ranked(sample_db, recognised(sample_db, text)) == []


@pytest.mark.parametrize("product", ["短信", "呼叫组件", "IM-SDK", "RTC"])
def test_the_asked_product_is_nearer(sample_db: Path, product: str) -> None:
    """Asking for a product brings its cases forward, and puts no other case before them that stood behind."""
    request = recognised(sample_db, "收不到，没声音")._replace(product="")
    with open_index(sample_db) as index:
        of_it = {unit for (unit,) in index.rows("SELECT id FROM nim_unit WHERE scope = ?", (product,))}
    unasked = [unit in of_it for unit, _ in ranked(sample_db, request)]
    asked_for = [unit in of_it for unit, _ in ranked(sample_db, request._replace(product=product))]
    assert any(unasked)
    assert asked_for.index(True) <= unasked.index(True)
    assert sum(asked_for[:5]) >= sum(unasked[:5])


def test_no_sql_in_what_is_typed(sample_db: Path) -> None:
    """Operators of the full-text search are words."""
    plain = recognised(sample_db, "蓝牙 耳机")
    operators = plain._replace(text='蓝牙 AND NOT "耳机*" OR (', title="", description="")
    assert {unit for unit, _ in ranked(sample_db, plain)} <= {unit for unit, _ in ranked(sample_db, operators)}


def near(folder: Path, pages: dict[str, str], text: str) -> list[str]:
    """The titles of matches and nearest cases, best first, in a base of these pages."""
    db = build_base(folder, pages)
    answer = answered(db, recognised(db, text))
    return [case.title for case in (*answer.matches, *answer.nearest)]


def test_a_case_without_tags_is_found(tmp_path: Path) -> None:
    """Nothing but its words is needed to find a case (M38)."""
    untagged = page(title="通话中回声很大", tags=[], customers=None)
    other = page(title="推送角标不对")
    found = near(tmp_path, {"IM-SDK/通话/a.md": untagged, "IM-SDK/推送/b.md": other}, "回声")
    assert found[:1] == ["通话中回声很大"]


def test_a_word_is_nearer_than_a_pair_over_a_word_border(tmp_path: Path) -> None:
    """A pair of characters that is no word where it stands finds a case, behind those that have the word (B11)."""
    pages = {
        "IM-SDK/消息/a.md": page(title="合并发送图片失败"),
        "IM-SDK/消息/b.md": page(title="接口并发调用失败"),
        "IM-SDK/消息/c.md": page(title="角标数字"),
    }
    assert near(tmp_path, pages, "并发")[:2] == ["接口并发调用失败", "合并发送图片失败"]

"""The texts of units for modes that the file holds no sets of."""

from pathlib import Path

import pytest
from nim_support import sets_of

from fileformat.tokens import jaccard_tokens, join_tokens
from query.index import Index, open_index
from query.nim.texts import Texts, read_texts


def by_title(index: Index, literal: bool, title: str) -> Texts:
    """The unit with this title."""
    (found,) = (text for text in read_texts(index, literal) if text.title == title)
    return found


def test_they_are_what_the_file_compiles(sample_db: Path) -> None:
    """Tokenised, the texts of every unit are exactly the compiled sets."""
    sql = "SELECT unit, is_trouble, has_cause, title, tags FROM nim_set ORDER BY unit"
    with open_index(sample_db) as index:
        conclusions = sets_of(index, "conclusion")
        compiled = [(*row, conclusions.get(row[0], "")) for row in index.rows(sql)]
        texts = list(read_texts(index, literal=False))
    fields = [(t.title, " ".join(t.tags), t.conclusion) for t in texts]
    sets = [[join_tokens(jaccard_tokens(text)) for text in field] for field in fields]
    read = [(t.unit, t.is_trouble, t.has_cause, *mine) for t, mine in zip(texts, sets, strict=True)]
    assert read == compiled


@pytest.mark.parametrize(
    ("title", "literal", "tags", "has_cause"),
    [
        ("小程序切后台再回来发不出消息", False, ("切后台", "消息发送失败", "connectState"), True),
        ("小程序切后台再回来发不出消息", True, ("小程序", "切后台", "消息发送失败", "connectState"), True),
        ("短信签名审核一直被驳回", False, ("签名", "审核", "驳回"), True),
        ("聊天消息有没有自动翻译", False, ("消息翻译", "多语言"), False),
    ],
)
def test_tags(sample_db: Path, title: str, literal: bool, tags: tuple[str, ...], has_cause: bool) -> None:
    """A unit's own product and platform are no tags of it, except literally."""
    with open_index(sample_db) as index:
        found = by_title(index, literal, title)
    assert (found.tags, found.has_cause) == (tags, has_cause)


def test_literal_titles(sample_db: Path) -> None:
    """Literally, a useless title is the title."""
    with open_index(sample_db) as index:
        literal = [text.title for text in read_texts(index, literal=True)]
        ours = [text.title for text in read_texts(index, literal=False)]
    assert (literal.count("技术咨询"), ours.count("技术咨询")) == (2, 0)


def test_conclusions(sample_db: Path) -> None:
    """A conclusion is the cause and the solution together, and nothing without a cause."""
    with open_index(sample_db) as index:
        assert by_title(index, False, "桌面角标数字清不掉").conclusion.startswith("角标由服务端累加")
        assert "reportBadge(0)" in by_title(index, False, "桌面角标数字清不掉").conclusion
        assert by_title(index, False, "界面库怎样适配深色模式").conclusion == ""

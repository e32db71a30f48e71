"""The text of a request, analyzed once, and the token sets of its fields."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from nim_support import make_request

from query.dictionary import Kind
from query.index import Index, open_index
from query.limits import MAX_CHARACTERS
from query.nim.contract import Modes, Request, TagMode
from query.nim.recognition import recognize_tags
from query.nim.relevance import find_concepts
from query.nim.request_text import AnalyzedText, RequestTokens, analyze, term_counts

LITERAL = Modes(literal=True)
TEXTS = some.lists(
    some.text(some.sampled_from("角标清不掉锁屏推送 aApi_K.-9，\né"), min_size=1, max_size=9).filter(str.strip),
    min_size=2,
    max_size=4,
)


def lookups(text: AnalyzedText) -> tuple[object, ...]:
    """The parts of an analyzed text on which the nearest cases depend."""
    counts = {word: text.counts[word] for word in text.words if word in text.counts}
    return text.text, sorted(text.spans), text.han_runs, text.words, counts, sorted(find_concepts(text))


@given(TEXTS)
def test_extended(sample_db: Path, texts: list[str]) -> None:
    """A text that is extended by others is analyzed like all of them in one text, spans across the borders included."""
    texts = [text.strip() for text in texts]
    with open_index(sample_db) as index:
        extended = analyze(index, texts[0])
        for text in texts[1:]:
            extended = extended.extended(index, text)
        assert lookups(extended) == lookups(analyze(index, " ".join(texts)))


def test_a_span_across_two_texts(sample_db: Path) -> None:
    """The end of one text and the beginning of the next make a name together."""
    with open_index(sample_db) as index:
        assert find_concepts(analyze(index, "锁")) == []
        assert find_concepts(analyze(index, "锁").extended(index, "屏")) == find_concepts(analyze(index, "锁屏"))


def test_a_text_is_looked_up_once(sample_db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tags and concepts of an analyzed text are found without another statement."""
    with open_index(sample_db) as index:
        text = analyze(index, "桌面角标数字清不掉")
        monkeypatch.delattr(Index, "rows")
        assert recognize_tags(text)
        assert find_concepts(text)


def test_a_long_text_is_cut(sample_db: Path) -> None:
    """Only the first two thousand characters are read."""
    with open_index(sample_db) as index:
        text = analyze(index, "登录。" * 1000)
    assert len(text.source) == len(text.text) == MAX_CHARACTERS


def test_counts_are_of_units(sample_db: Path) -> None:
    """A term that no unit has is left out, and every other has as many units as the index."""
    with open_index(sample_db) as index:
        assert term_counts(index, ["zzqqx"]) == {}
        counts = term_counts(index, ["消息", "推送"])
        for term, units in counts.items():
            matching = index.rows("SELECT count(*) FROM nim_words WHERE nim_words MATCH ?", (f'"{term}"',))
            assert matching == [(units,)]
    assert len(counts) == 2


def test_entries_are_of_the_request(sample_db: Path) -> None:
    """One look-up gives the products, platforms, tags, stop words and concepts of a text."""
    with open_index(sample_db) as index:
        entries = analyze(index, "音视频 安卓 角标 怎么 锁屏").entries
    assert {kind for kind, found in entries.items() if found} == {
        Kind.NIM_PRODUCT,
        Kind.NIM_PLATFORM,
        Kind.NIM_TAG,
        Kind.STOP_WORD,
        Kind.CONCEPT,
    }


def tokens_of(db: Path, request: Request) -> RequestTokens:
    """The token sets of a request."""
    with open_index(db) as index:
        return RequestTokens.of(index, request)


@pytest.mark.parametrize(
    ("tags", "modes", "has_tags"),
    [
        (("SDK", "咨询"), Modes(), False),
        (("IM-SDK", "web"), Modes(), False),
        (("？",), Modes(), False),
        (("SDK", "推送"), Modes(), True),
        ((), Modes(), False),
        (("SDK",), LITERAL, True),
    ],
)
def test_has_tags(sample_db: Path, tags: tuple[str, ...], modes: Modes, has_tags: bool) -> None:
    """A tag that is generic, or names a product or platform of the base, is not compared with every unit."""
    assert tokens_of(sample_db, make_request(tags=tags, modes=modes)).has_tags is has_tags


def test_tags_without_own_names(sample_db: Path) -> None:
    """A tag that names the unit's product or platform is left out for this unit only."""
    tokens = tokens_of(sample_db, make_request(tags=("RTC", "推送")))
    assert tokens.removable_tags == {"rtc"}
    assert tokens.tags() == tokens.tags(frozenset({"ios", "推送"})) == {"rtc", "推", "送"}
    assert tokens.tags(frozenset({"rtc"})) == {"推", "送"}


@pytest.mark.parametrize(
    ("cause", "solution", "modes", "conclusion"),
    [
        ("天", "地", Modes(), {"天", "地"}),
        ("", "地", Modes(), set()),
        ("待排查", "地", Modes(), set()),
        ("？", "地", Modes(), set()),
        ("天", "详见聊天记录。", Modes(), {"天"}),
        ("待排查", "", LITERAL, set("待排查")),
        (" \n", "地", LITERAL, set()),
    ],
)
def test_conclusion(sample_db: Path, cause: str, solution: str, modes: Modes, conclusion: set[str]) -> None:
    """The conclusion is cause and solution without placeholders, and empty without a cause."""
    tokens = tokens_of(sample_db, make_request(root_cause=cause, solution=solution, modes=modes))
    assert (tokens.conclusion, tokens.has_cause) == (conclusion, bool(conclusion))


def test_whole_tags(sample_db: Path) -> None:
    """In the mode of whole tags, each tag is one token, without case."""
    request = make_request(tags=("Kick OUT", "ｓｄｋ", "登錄"), modes=Modes(tag=TagMode.WHOLE))
    assert tokens_of(sample_db, request).tags() == {"kick out", "登录"}

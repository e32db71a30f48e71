"""Each bridge can be left out, and is named as the lexicon and the full-text table name it."""

from pathlib import Path

import pytest

from query.index import FIELD_SIGNALS, Index, SignalSource, open_index
from query.trtc.parse import parse_query
from query.trtc.scoring import collect_matches


def test_fields_are_columns(sample_db: Path) -> None:
    """Bridges that are fields carry their columns' names."""
    with open_index(sample_db) as index:
        columns = {row[1] for row in index.rows("PRAGMA table_info(slice_words)")}
        sources = {source for (source,) in index.rows("SELECT DISTINCT source FROM concept")}
    assert columns >= FIELD_SIGNALS
    assert sources <= {*SignalSource}


@pytest.mark.parametrize(
    ("bridge", "query", "with_it"),
    [
        (SignalSource.LEXICON, "公屏", "公屏"),
        (SignalSource.SPELLING, "旦木", "弹幕"),
        (SignalSource.TRADITIONAL, "彈幕", "弹幕"),
    ],
)
def test_without_a_bridge(bridge: SignalSource, query: str, with_it: str, sample_db: Path) -> None:
    """The words stay as they are, or lead to nothing."""
    with open_index(sample_db) as index, open_index(sample_db, frozenset({bridge})) as disabled_signals:
        whole, bare = parse_query(index, query), parse_query(disabled_signals, query)
    assert whole.terms[0].text == with_it
    assert whole.terms[0].concepts
    assert not bare.terms[0].concepts


@pytest.mark.parametrize("bridge", sorted(FIELD_SIGNALS))
def test_without_a_field(bridge: SignalSource, sample_db: Path) -> None:
    """Nothing that the field says counts as matches."""
    with open_index(sample_db) as index, open_index(sample_db, frozenset({bridge})) as disabled_signals:
        every, rest = (_fields(one) for one in (index, disabled_signals))
    assert every - rest == {str(bridge)} & every


def _fields(index: Index) -> set[str]:
    """The fields that say anything of a question."""
    spans = collect_matches(index, parse_query(index, "弹幕 接口 发送 失败").content_terms).matches
    return {field for span in spans for found in span.values() for field in found}

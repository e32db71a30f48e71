"""Each signal source can be disabled, and has the name that the lexicon or the full-text table uses."""

from pathlib import Path

import pytest

from query.index import FIELD_SIGNALS, Index, SignalSource, open_index
from query.trtc.parse import parse_query
from query.trtc.scoring import collect_matches


def test_fields_are_columns(sample_db: Path) -> None:
    """The sources that are fields have the names of their columns, the others those of the concepts."""
    with open_index(sample_db) as index:
        columns = {row[1] for row in index.rows("PRAGMA table_info(slice_words)")}
        sources = {source for (source,) in index.rows("SELECT DISTINCT source FROM concept")}
    assert columns >= FIELD_SIGNALS
    assert sources <= {*SignalSource}


@pytest.mark.parametrize(
    ("source", "query", "read_as"),
    [
        (SignalSource.LEXICON, "公屏", "公屏"),
        (SignalSource.SPELLING, "旦木", "弹幕"),
        (SignalSource.TRADITIONAL, "彈幕", "弹幕"),
    ],
)
def test_disabled_words(source: SignalSource, query: str, read_as: str, sample_db: Path) -> None:
    """Without the source, the word of the query has no concept."""
    with open_index(sample_db) as index, open_index(sample_db, frozenset({source})) as limited:
        parsed, without = parse_query(index, query), parse_query(limited, query)
    assert parsed.terms[0].text == read_as
    assert parsed.terms[0].concepts
    assert not without.terms[0].concepts


@pytest.mark.parametrize("source", sorted(FIELD_SIGNALS))
def test_disabled_fields(source: SignalSource, sample_db: Path) -> None:
    """Without the source, no match is in its field."""
    with open_index(sample_db) as index, open_index(sample_db, frozenset({source})) as limited:
        fields, without = (_fields(one) for one in (index, limited))
    assert fields - without == {str(source)} & fields


def _fields(index: Index) -> set[str]:
    """The fields in which any term of a query matches."""
    matches = collect_matches(index, parse_query(index, "弹幕 接口 发送 失败").content_terms).matches
    return {field for term in matches for found in term.values() for field in found}

"""Texts -> the words of the full-text tables."""

from indexer.prepare import bigram_rows, prepare, word_rows
from indexer.segment import Segmenter, cut_runs
from indexer.workers import Workers

TEXTS = ({"title": "Kick-Offline：離線推送", "body": "弹幕 9.19.4，弹幕"}, {"title": "", "body": "，。"})
VARIANTS = {ord("離"): "离", ord("線"): "线"}


def _prepared() -> tuple[list[dict[str, list[str]]], dict[str, str]]:
    segmenter = Segmenter({}, Workers(1))
    prepared = prepare(TEXTS, segmenter, VARIANTS)
    return [{field: list(pieces) for field, pieces in texts.items()} for texts in prepared], dict(segmenter.words())


def test_pieces() -> None:
    """Latin words are ready, Han runs stand folded as keys of the segmentation, each cut once."""
    prepared, words = _prepared()
    assert prepared == [
        {"title": ["kickoffline", "kick", "offlin", "离线推送"], "body": ["弹幕", "9.19.4", "弹幕"]},
        {"title": [], "body": []},
    ]
    assert words == cut_runs(["离线推送", "弹幕"])


def test_word_rows() -> None:
    """A record's row is its number and each field's words in the order of the text."""
    prepared, words = _prepared()
    assert list(word_rows(prepared, words)) == [
        (
            1,
            {
                "title": f"kickoffline kick offlin {words['离线推送']}",
                "body": "弹幕 9.19.4 弹幕",
            },
        ),
        (2, {"title": "", "body": ""}),
    ]


def test_bigram_rows() -> None:
    """The pairs of every Han run of all fields, and nothing of what is not Han (B11)."""
    prepared, words = _prepared()
    assert list(bigram_rows(prepared, words)) == [(1, {"text": "离线 线推 推送 弹幕 弹幕"}), (2, {"text": ""})]

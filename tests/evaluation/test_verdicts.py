"""A judged row for a person."""

from labelled_support import response, row

from query.evaluation.trtc import judge
from query.evaluation.verdicts import judged_text


def test_a_missed_row_for_a_person() -> None:
    """What was asked, missed, wanted and got stand in the text."""
    text = judged_text(judge(row(), response("live/x")))
    assert all(part in text for part in ("'q'", "hit@1", "live/a", "live/x"))


def test_a_figure_is_missed_once() -> None:
    """However many assertions of it fail."""
    verdict = judge(row(strategy="exact", confidence="low"), response("live/a"))
    assert verdict.missed == ("contract",)

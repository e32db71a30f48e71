"""A judged row for a person.

Verdicts become figures, groups and calibration.
"""

from labelled_support import NOTHING, response, row

from query.evaluation.figures import apart, calibration, figures, grouped, judged_text
from query.evaluation.trtc import judge


def test_a_missed_row_for_a_person() -> None:
    """What was asked, missed, wanted and got stand in the text."""
    text = judged_text(judge(row(), response("live/x")))
    assert all(part in text for part in ("'q'", "hit@1", "live/a", "live/x"))


def test_a_figure_is_missed_once() -> None:
    """However many assertions of it fail."""
    verdict = judge(row(strategy="exact", confidence="low"), response("live/a"))
    assert verdict.missed == ("contract",)


def test_figures() -> None:
    """A figure is the share of its checks that hold; false-high the share that does not."""
    rows = [row(), row(), {"query": "n", "expect": NOTHING}]
    answers = iter([response("live/a"), response("live/x"), response("live/x", status="no_match")])
    plain, contested = apart(judge(asked, answer) for asked, answer in zip(rows, answers, strict=True))
    assert contested == []
    assert figures(plain) == {"status": 1.0, "hit@1": 0.5, "hit@3": 0.5, "false-high": 1.0, "precision of high": 1 / 3}


def test_contested_rows_come_apart() -> None:
    """A contested row counts in no figure of the others."""
    rows = [row(), {**row(), "contested": True}]
    plain, contested = apart(judge(asked, response("live/a")) for asked in rows)
    assert (len(plain), len(contested)) == (1, 1)


def test_figures_of_each_group() -> None:
    """The rows of one kind have figures of their own."""
    verdicts = [judge({**row(), "kind": kind}, response(found)) for kind, found in (("a", "live/a"), ("b", "live/x"))]
    assert {kind: found["hit@1"] for kind, found in grouped(verdicts, "kind").items()} == {"a": 1.0, "b": 0.0}


def test_calibration_counts_first_answers() -> None:
    """Each strategy and grade apart, correct ones counted."""
    answers = [
        response("live/a"),
        response("live/x"),
        response("live/a", confidence="low", match_strategy="fuzzy"),
        response(status="no_match"),
    ]
    place = {"command": "trtc"}
    assert calibration(judge(row(), answer) for answer in answers) == [
        place | {"found_by": "fuzzy", "grade": "low", "answers": 1, "correct": 1},
        place | {"found_by": "tag", "grade": "high", "answers": 2, "correct": 1},
    ]


def test_nothing_judged_has_no_figures() -> None:
    """No rows, no shares."""
    assert figures([]) == {}
    assert calibration([]) == []

"""Verdicts become figures, groups, calibration, and text for a person."""

from labelled_support import NOTHING, response, row

from query.evaluation.figures import calibration, figures, grouped, missed_text, split_contested
from query.evaluation.trtc import judge


def test_a_missed_row_for_a_person() -> None:
    """The text has the query, the missed figures, the expectation and the answer."""
    text = missed_text(judge(row(), response("live/x")))
    assert all(part in text for part in ("'q'", "hit@1", "live/a", "live/x"))


def test_a_figure_is_missed_once() -> None:
    """A figure is listed once, however many assertions of it fail."""
    verdict = judge(row(strategy="exact", confidence="low"), response("live/a"))
    assert verdict.missed == ("contract",)


def test_figures() -> None:
    """A figure is the share of its checks that hold; false-high the share that does not."""
    rows = [row(), row(), {"query": "n", "expect": NOTHING}]
    answers = [response("live/a"), response("live/x"), response("live/x", status="no_match")]
    found = figures(map(judge, rows, answers))
    assert found == {"status": 1.0, "hit@1": 0.5, "hit@3": 0.5, "false-high": 1.0, "precision of high": 0.3333}


def test_contested_rows_are_separate() -> None:
    """A contested row counts in no figure of the others."""
    rows = [row(), {**row(), "contested": True}]
    counted, contested = split_contested(judge(labelled, response("live/a")) for labelled in rows)
    assert (len(counted), len(contested)) == (1, 1)


def test_figures_of_each_group() -> None:
    """The rows of each kind have their own figures."""
    verdicts = [judge({**row(), "kind": kind}, response(found)) for kind, found in (("a", "live/a"), ("b", "live/x"))]
    assert {kind: found["hit@1"] for kind, found in grouped(verdicts, "kind").items()} == {"a": 1.0, "b": 0.0}


def test_calibration_counts_first_answers() -> None:
    """Correct first answers are counted for each strategy and grade."""
    answers = [
        response("live/a"),
        response("live/x"),
        response("live/a", confidence="low", match_strategy="fuzzy"),
        response(status="no_match"),
    ]
    assert calibration(judge(row(), answer) for answer in answers) == [
        {"command": "trtc", "found_by": "fuzzy", "grade": "low", "answers": 1, "correct": 1},
        {"command": "trtc", "found_by": "tag", "grade": "high", "answers": 2, "correct": 1},
    ]


def test_no_verdicts() -> None:
    """Without rows there are no figures."""
    assert figures([]) == {}
    assert calibration([]) == []

"""The rule for 咨询类 units at its borders (specification, Step 3; decision 2)."""

import pytest

from query.nim.contract import Grade
from query.nim.score import ZERO, Ratio, tags_and_title
from query.nim.tracks.consult import grade


@pytest.mark.parametrize(
    ("score", "wanted"),
    [
        pytest.param(Ratio(1, 1), Grade.HIGH, id="equal"),
        pytest.param(Ratio(65, 100), Grade.HIGH, id="0.65 is high"),
        pytest.param(Ratio(13, 20), Grade.HIGH, id="0.65 reduced"),
        pytest.param(Ratio(6499, 10000), Grade.POSSIBLE, id="just below 0.65"),
        pytest.param(Ratio(2, 5), Grade.POSSIBLE, id="0.40 is possible"),
        pytest.param(tags_and_title(Ratio(2, 3), ZERO), Grade.POSSIBLE, id="0.6 of two thirds"),
        pytest.param(Ratio(3999, 10000), None, id="just below 0.40"),
        pytest.param(ZERO, None, id="nothing"),
    ],
)
def test_grade(score: Ratio, wanted: Grade | None) -> None:
    """高度匹配 from 0.65 on, 可能相关 from 0.40 on, nothing below."""
    assert grade(score) is wanted

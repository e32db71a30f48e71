"""The rule for 排查类 units at its borders (specification, Step 3; decision 5)."""

import pytest

from query.nim.contract import Grade
from query.nim.score import ZERO, Ratio
from query.nim.tracks.troubleshoot import grade

FULL = Ratio(1, 1)


@pytest.mark.parametrize(
    ("conclusion", "description", "wanted"),
    [
        pytest.param(Ratio(60, 100), Ratio(55, 100), Grade.HIGH, id="both at their borders"),
        pytest.param(Ratio(3, 5), Ratio(11, 20), Grade.HIGH, id="both at their borders, reduced"),
        pytest.param(Ratio(3, 5), Ratio(5499, 10000), Grade.POSSIBLE, id="description just below"),
        pytest.param(Ratio(3, 5), ZERO, Grade.POSSIBLE, id="no description"),
        pytest.param(Ratio(5999, 10000), FULL, None, id="conclusion just below"),
        pytest.param(ZERO, FULL, None, id="another conclusion"),
        pytest.param(FULL, FULL, Grade.HIGH, id="equal"),
    ],
)
def test_by_conclusion(conclusion: Ratio, description: Ratio, wanted: Grade | None) -> None:
    """The conclusion admits a unit from 0.60 on, the description lifts it from 0.55 on; tags and title are no help."""
    assert grade(conclusion, description, FULL) is wanted
    assert grade(conclusion, description, ZERO) is wanted


@pytest.mark.parametrize(
    ("fallback", "wanted"),
    [
        pytest.param(Ratio(1, 2), Grade.POSSIBLE, id="at the border"),
        pytest.param(Ratio(4999, 10000), None, id="just below"),
        pytest.param(FULL, Grade.POSSIBLE, id="equal"),
    ],
)
def test_fallback(fallback: Ratio, wanted: Grade | None) -> None:
    """Without a cause tags and title admit from 0.50 on, and never for more than 可能相关."""
    assert grade(None, FULL, fallback) is wanted

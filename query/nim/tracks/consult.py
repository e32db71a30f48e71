"""咨询类 units: graded by tags and title."""

from query.nim.contract import Grade
from query.nim.score import Ratio

#: Thresholds of the specification's Step 3, in hundredths.
HIGH_AT_LEAST = 65
POSSIBLE_AT_LEAST = 40


def grade(score: Ratio) -> Grade | None:
    """The grade of a pair by its tags and title."""
    if score.at_least(HIGH_AT_LEAST):
        return Grade.HIGH
    return Grade.POSSIBLE if score.at_least(POSSIBLE_AT_LEAST) else None

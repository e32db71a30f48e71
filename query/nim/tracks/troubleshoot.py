"""排查类 units: graded by conclusion and description, or by tags and title where a root cause is missing."""

from query.nim.contract import Grade
from query.nim.score import Ratio

#: Thresholds of the specification's Step 3, in hundredths.
CONCLUSION_AT_LEAST = 60
DESCRIPTION_AT_LEAST = 55
FALLBACK_AT_LEAST = 50


def grade(conclusion: Ratio | None, description: Ratio, fallback: Ratio) -> Grade | None:
    """The grade of a pair; ``conclusion`` is None where either side has no real root cause (decision 5)."""
    if conclusion is None:
        return Grade.POSSIBLE if fallback.at_least(FALLBACK_AT_LEAST) else None
    if not conclusion.at_least(CONCLUSION_AT_LEAST):
        return None
    return Grade.HIGH if description.at_least(DESCRIPTION_AT_LEAST) else Grade.POSSIBLE

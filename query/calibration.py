"""How often answers like one were correct when the file was measured: told beside ``confidence``, never in it."""

from typing import Any

from query.index import Index

_MEASURED = "SELECT answers, correct FROM calibration WHERE command = ? AND found_by = ? AND grade = ?"


def measured(index: Index, command: str, found_by: str, grade: str) -> dict[str, Any] | None:
    """Counts of first answers and correct ones, and their share, 0 to 1; None where nobody measured."""
    rows = index.rows(_MEASURED, (command, found_by, grade))
    if not rows:
        return None
    ((answers, correct),) = rows
    return {"answers": answers, "correct": correct, "share": round(correct / answers, 3)}

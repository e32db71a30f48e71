"""What becomes of one labelled row: which figures it holds up, which it pulls down."""

from dataclasses import dataclass
from typing import NamedTuple

from query.evaluation.labelled import Labelled


class Ranked(NamedTuple):
    """A first answer: which command gave it, how it was found, how sure the answer says it is, was it right."""

    command: str
    found_by: str
    grade: str
    right: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row judged. ``checks`` are (figure, how far it held, 0 to 1) pairs; ``got`` accounts for the answer."""

    row: Labelled
    checks: tuple[tuple[str, float], ...]
    got: str
    ranked: tuple[Ranked, ...] = ()

    @property
    def missed(self) -> tuple[str, ...]:
        """The figures that this row pulls down, each once."""
        return tuple(dict.fromkeys(name for name, held in self.checks if held < 1))


def judged_text(verdict: Verdict) -> str:
    """One missed row for a person: what was asked, what it pulls down, what came and what was wanted."""
    row, expect = verdict.row, verdict.row["expect"]
    asked = f"{row.get('id', '')}  {row['query']!r} product={row.get('product')} platform={row.get('platform')}"
    places = expect.get("top1", expect.get("paths", ()))
    wanted = f"{expect.get('status', '')} {', '.join(places[:3])}".strip() or "nothing"
    contested = " (contested)" if row.get("contested") else ""
    return f"{asked}{contested}\n    missed {', '.join(verdict.missed)}\n    wanted {wanted}\n    got    {verdict.got}"

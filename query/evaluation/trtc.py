"""Labelled questions -> figures: how often the answer is right, and where it is not."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from query.errors import RtckbError

#: A row of a labelled file.
Labelled = Mapping[str, Any]


class BadLabels(RtckbError):
    """A labelled file that is not JSON lines of the documented form."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One row judged. ``checks`` are (figure, how far it held, 0 to 1) pairs; ``got`` accounts for the answer."""

    row: Labelled
    checks: tuple[tuple[str, float], ...]
    got: str

    @property
    def missed(self) -> tuple[str, ...]:
        """The figures that this row pulls down."""
        return tuple(name for name, held in self.checks if held < 1)


def read_labelled(path: Path) -> list[Labelled]:
    """Read a labelled file.

    Raises:
        BadLabels: names the file, the line, what was found and wanted.
    """
    rows: list[Labelled] = []
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadLabels(f"{path}: cannot be read ({error})") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadLabels(f"{path}:{number}: no JSON ({error}); wanted one object a line") from error
        if not _is_labelled(row):
            wanted = "an object with a query, and expect with status, top1 and relevant, or with paths or none"
            raise BadLabels(f"{path}:{number}: wanted {wanted}")
        rows.append(row)
    if not rows:
        raise BadLabels(f"{path}: no rows")
    return rows


def _is_labelled(row: Any) -> bool:
    expect = row.get("expect") if isinstance(row, dict) else None
    return (
        isinstance(expect, dict)
        and isinstance(row.get("query"), str)
        and (_are_texts(expect.get("paths")) or expect.get("none") is True or _expects_slices(expect))
        and all(isinstance(row.get(name) or "", str) for name in ("product", "platform", "intent"))
    )


def _expects_slices(expect: Mapping[str, Any]) -> bool:
    return isinstance(expect.get("status"), str) and all(_are_texts(expect.get(name)) for name in ("top1", "relevant"))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def judge(row: Labelled, response: Mapping[str, Any]) -> Verdict:
    """Compare one TRTC answer with what its row expects."""
    expect, matches = row["expect"], response["matches"]
    ids = [match["slice_id"] for match in matches]
    first = matches[0] if matches else {}
    checks: list[tuple[str, float]] = [("status", response["status"] == expect["status"])]
    if expect["top1"]:
        checks.append(("hit@1", bool(ids) and ids[0] in expect["top1"]))
        checks.append(("hit@3", any(i in {*expect["top1"], *expect["relevant"]} for i in ids[:3])))
    elif response["status"] != "status_planned":
        checks.append(("no false high", first.get("confidence") != "high"))
    if first.get("confidence") == "high":
        checks.append(("precision of high", ids[0] in {*expect["top1"], *expect["relevant"]}))
    checks += [("contract", held) for held in _contract(expect, response, ids, first)]
    got = (
        f"{response['status']} {[(m['slice_id'], m['match_strategy']) for m in matches[:3]]} {response['reason'] or ''}"
    )
    return Verdict(row, tuple(checks), got)


def _contract(
    expect: Mapping[str, Any], response: Mapping[str, Any], ids: Sequence[str], first: Mapping[str, Any]
) -> Iterable[bool]:
    """The extra assertions, each only where the row makes it (shared eval README)."""
    for field, key in (
        ("match_strategy", "strategy"),
        ("confidence", "confidence"),
        ("content_loaded", "content_loaded"),
    ):
        if key in expect:
            yield first.get(field) == expect[key]
    if "file_paths" in expect:
        yield set(expect["file_paths"]) <= set(first.get("file_paths_read", ()))
    if "related_contains" in expect:
        yield set(expect["related_contains"]) <= {*first.get("related", ()), *ids}
    if "reason_contains" in expect:
        yield expect["reason_contains"] in (response["reason"] or "")
    if "ambiguous_candidates" in expect:
        yield set(expect["ambiguous_candidates"]) <= set(response["ambiguous_candidates"])
    if "max_confidence" in expect:
        order = ("low", "medium", "high")
        yield not first or order.index(first["confidence"]) <= order.index(expect["max_confidence"])
    if expect.get("must_not"):
        yield not set(expect["must_not"]) & set(ids)


def figures(verdicts: Iterable[Verdict]) -> dict[str, float]:
    """Each figure as the mean of its checks, 0 to 1; ``false-high`` is the share that does not."""
    held: dict[str, list[float]] = {}
    for verdict in verdicts:
        for name, good in verdict.checks:
            held.setdefault(name, []).append(good)
    shares = {name: sum(good) / len(good) for name, good in sorted(held.items())}
    if "no false high" in shares:
        shares["false-high"] = 1 - shares.pop("no false high")
    return shares


def apart(verdicts: Iterable[Verdict]) -> tuple[list[Verdict], list[Verdict]]:
    """The verdicts that count, and the contested ones, which are reported but are no failures."""
    judged = list(verdicts)
    plain = [verdict for verdict in judged if not verdict.row.get("contested")]
    return plain, [verdict for verdict in judged if verdict.row.get("contested")]


def by_kind(verdicts: Iterable[Verdict]) -> dict[str, dict[str, float]]:
    """The figures of each kind of row."""
    kinds: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        kinds.setdefault(str(verdict.row.get("kind", "")), []).append(verdict)
    return {kind: figures(kinds[kind]) for kind in sorted(kinds)}


def judged_text(verdict: Verdict) -> str:
    """One missed row for a person: what was asked, what it pulls down, what came and what was wanted."""
    row, expect = verdict.row, verdict.row["expect"]
    asked = f"{row.get('id', '')}  {row['query']!r} product={row.get('product')} platform={row.get('platform')}"
    places = expect.get("top1", expect.get("paths", ()))
    wanted = f"{expect.get('status', '')} {', '.join(places[:3])}".strip() or "nothing"
    contested = " (contested)" if row.get("contested") else ""
    return f"{asked}{contested}\n    missed {', '.join(verdict.missed)}\n    wanted {wanted}\n    got    {verdict.got}"

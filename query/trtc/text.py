"""A TRTC answer as text for a person at a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from query.trtc.contract import Response
from query.trtc.strategies import Search


def report(search: Search, response: Response, siblings: Mapping[str, Any]) -> str:
    """The answer in lines: status, then each match with its name, how it was found, and its files."""
    return "\n".join(_lines(search, response, siblings))


def _lines(search: Search, response: Response, siblings: Mapping[str, Any]) -> Iterator[str]:
    yield response.status.value + (f": {response.reason}" if response.reason else "")
    if response.ambiguous_candidates:
        yield f"  candidates: {', '.join(response.ambiguous_candidates)}"
    by_id = {row.slice_id: row for row in search.slices.values()}
    for number, match in enumerate(response.matches, 1):
        row = by_id[match.slice_id]
        yield f"{number}. {match.slice_id}  {row.name}"
        yield f"   {match.confidence.value} ({match.match_strategy.value}), {match.content_loaded.value}"
        yield f"   {row.description}"
        for path in match.file_paths_read:
            yield f"   {path}"
        if match.related:
            yield f"   related: {', '.join(match.related)}"
    if "explain" in siblings:
        yield from _explanation(siblings["explain"])
    for page in siblings.get("content", ()):
        yield f"\n===== {page['path']}\n{page['text']}"


def _explanation(explained: Mapping[str, Any]) -> Iterator[str]:
    yield f"\nread as: {explained['read_as']}  (intent {explained['intent']})"
    for piece in explained["respelt"]:
        yield f"  {piece['said']}: read as {piece['meant']}"
    for span in explained["spans"]:
        bridges = ", ".join(f"{b['concept']} ({b['source']}, {b['strength']})" for b in span.get("bridges", ()))
        tags = f" -> tags {', '.join(span['tags'])}" if span.get("tags") else ""
        yield f"  {span['text']}: {span['kind']}{' ' + bridges if bridges else ''}{tags}"
    for match in explained["matches"]:
        yield f"  {match['slice_id']}: {'; '.join(match['via'])} (covers {match['coverage']:.0%}){_measured(match)}"
    for near in explained["closest"]:
        lacks = f"; it lacks {', '.join(near['missing'])}" if near["missing"] else ""
        other = (
            ""
            if near["elsewhere"] < near["elsewhere_below"]
            else f"; {near['elsewhere']:.0%} is about what is not here"
        )
        yield f"  closest {near['slice_id']}: covers {near['coverage']:.0%}, wanted {near['wanted']:.0%}{lacks}{other}"


def _measured(match: Mapping[str, Any]) -> str:
    counts = match["measured"]
    return f"; measured: {counts['correct']} of {counts['answers']} such answers correct" if counts else ""

"""The request's side of a comparison: its token sets, made once for a search (decisions 3, 6)."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from query.analysis.normalize import normalize
from query.analysis.tokens import GENERIC_TAGS, PLACEHOLDERS_KEY, bare_phrase, fold_tag, jaccard_tokens
from query.index import Index, as_json
from query.nim.contract import Modes, Request, TagMode

_PLACES = "SELECT key FROM dictionary WHERE kind = 'nim origin' AND key IN (SELECT value FROM json_each(?))"


def _without_placeholders(index: Index, request: Request) -> Request:
    """A cause or solution that says nothing (待排查, 未知) counts as not given (decision 6)."""
    known = {"", *index.meta.get(PLACEHOLDERS_KEY, "").split("\n")}
    cause, solution = ("" if bare_phrase(text) in known else text for text in (request.root_cause, request.solution))
    return request._replace(root_cause=cause, solution=solution)


def _folded(index: Index, request: Request) -> Request:
    """Simplified characters in all that is compared, as the file's sets have them (cases.md F6)."""
    parts = (request.title, request.description, request.root_cause, request.solution, *request.tags)
    title, description, cause, solution, *tags = (normalize(part, index.variants) for part in parts)
    return request._replace(title=title, description=description, root_cause=cause, solution=solution, tags=tuple(tags))


def _names_of_places(index: Index, tags: Collection[str]) -> frozenset[str]:
    """Which of the folded tags name a product or platform of the base (decision 3)."""
    return frozenset(key for (key,) in index.rows(_PLACES, (as_json(sorted(tags)),)))


class RequestTokens(NamedTuple):
    """The request's side. ``tag_sets`` maps each tag, folded, to its tokens, so that single tags can leave.

    ``droppable``: the tags that name a product or platform of the base, and may leave (decision 3).
    """

    modes: Modes
    title: frozenset[str]
    description: frozenset[str]
    conclusion: frozenset[str]
    has_cause: bool
    tag_sets: Mapping[str, frozenset[str]]
    removable_tags: frozenset[str]

    def tags(self, dropped: frozenset[str] = frozenset()) -> frozenset[str]:
        """The tokens of the tags but for the dropped ones (decision 3: per pair)."""
        return frozenset().union(*(tokens for tag, tokens in self.tag_sets.items() if tag not in dropped))

    @classmethod
    def of(cls, index: Index, request: Request) -> "RequestTokens":
        """A request's side by its modes; but for ``literal`` a placeholder is no cause and no solution."""
        modes = request.modes
        request = request if modes.literal else _folded(index, _without_placeholders(index, request))
        tags = {fold_tag(tag): _tag_tokens(tag, modes) for tag in request.tags if tag.strip()}
        kept = {tag: tokens for tag, tokens in tags.items() if modes.literal or tag not in GENERIC_TAGS}
        cause_tokens = jaccard_tokens(request.root_cause, modes.token)
        has_cause = bool(request.root_cause.strip() if modes.literal else cause_tokens)
        cause = f"{request.root_cause} {request.solution}" if has_cause else ""
        return cls(
            modes=modes,
            title=jaccard_tokens(request.title, modes.token),
            description=jaccard_tokens(request.description, modes.token),
            conclusion=jaccard_tokens(cause, modes.token),
            has_cause=has_cause,
            tag_sets=kept,
            removable_tags=frozenset() if modes.literal else _names_of_places(index, kept),
        )


def _tag_tokens(tag: str, modes: Modes) -> frozenset[str]:
    if modes.tag is TagMode.WHOLE:
        return frozenset({fold_tag(tag)})
    return jaccard_tokens(tag, modes.token)

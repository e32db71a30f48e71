"""The text of a request, analyzed once for look-ups, and its fields as token sets for comparison."""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from query.analysis.error_codes import Mention, mentions
from query.analysis.normalize import chunks, normalize, word_tokens
from query.analysis.spans import MAX_TOKENS, CandidateSpan, Token, candidate_spans, read_tokens
from query.analysis.tokens import GENERIC_TAGS, PLACEHOLDERS_KEY, bare_phrase, fold_tag, jaccard_tokens
from query.dictionary import Entries, Kind, look_up
from query.index import Index, as_json
from query.limits import MAX_CHARACTERS
from query.nim.contract import Modes, Request, TagMode

_KINDS = (Kind.NIM_PRODUCT, Kind.NIM_PLATFORM, Kind.NIM_TAG, Kind.STOP_WORD, Kind.CONCEPT)
_COUNTS = "SELECT term, doc FROM nim_vocabulary WHERE term IN (SELECT value FROM json_each(?))"
#: The longest word of Han characters that is looked up.
_MAX_WORD = 8


class AnalyzedText(NamedTuple):
    """A text, segmented and looked up once.

    ``source`` is the text as typed, ``text`` its normalized form, to which all offsets refer. ``identifiers`` are the
    compound names in it, and ``words`` everything that may be a word of the full-text index. ``entries`` are the
    dictionary entries under the keys of ``spans``. ``counts`` maps the keys and words that the full-text index has to
    their number of units.
    """

    source: str = ""
    text: str = ""
    mentions: tuple[Mention, ...] = ()
    tokens: tuple[Token, ...] = ()
    spans: tuple[CandidateSpan, ...] = ()
    identifiers: tuple[str, ...] = ()
    han_runs: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    entries: Entries = MappingProxyType({})
    counts: Mapping[str, int] = MappingProxyType({})

    def extended(self, index: Index, added: str) -> "AnalyzedText":
        """This text, a space and another text, of which only the other is analyzed.

        A span may begin in one text and end in the other. Only concepts and words of the other are looked up, unless
        this text is empty.
        """
        added = normalize(added, index.variants)
        text = f"{self.text} {added}" if self.text else added
        offset = len(text) - len(added)
        tokens = tuple(Token(t.text, t.stem, t.start + offset, t.end + offset, t.is_han) for t in read_tokens(added))
        found = candidate_spans((*self.tokens[1 - MAX_TOKENS :], *tokens), text)
        spans = tuple(span for span in found if span.end > offset)
        identifiers, han_runs, words = _read_chunks(added)
        keys = {key for span in spans for key in span.keys}
        entries = look_up(index, keys, (Kind.CONCEPT,) if self.text else _KINDS)
        return self._replace(
            text=text,
            tokens=self.tokens + tokens,
            spans=self.spans + spans,
            identifiers=self.identifiers + identifiers,
            han_runs=self.han_runs | han_runs,
            words=self.words | words,
            entries={kind: {**self.entries.get(kind, {}), **entries.get(kind, {})} for kind in _KINDS},
            counts={**self.counts, **term_counts(index, words - self.words if self.text else words | keys)},
        )


def analyze(index: Index, source: str) -> AnalyzedText:
    """Analyze a text, of which ``MAX_CHARACTERS`` are read."""
    analyzed = AnalyzedText(source[:MAX_CHARACTERS]).extended(index, source[:MAX_CHARACTERS])
    return analyzed._replace(mentions=mentions(analyzed.text))


def _read_chunks(text: str) -> tuple[tuple[str, ...], frozenset[str], frozenset[str]]:
    """The compound names of a text, its Han runs, and its words: parts of Han runs, other words whole and in parts."""
    identifiers: list[str] = []
    han_runs: set[str] = set()
    words: set[str] = set()
    for chunk in chunks(text):
        written = text[chunk.start : chunk.end]
        if chunk.is_han:
            han_runs.add(written)
            ends = ((i, min(len(written), i + _MAX_WORD)) for i in range(len(written)))
            words.update(written[i:j] for i, last in ends for j in range(i + 2, last + 1))
            continue
        words.update(word_tokens(written))
        if chunk.parts or "_" in written:
            identifiers.append(written)
    return tuple(identifiers), frozenset(han_runs), frozenset(words)


def term_counts(index: Index, terms: Iterable[str]) -> dict[str, int]:
    """Term of the full-text index -> the number of units that have it; a term that none has is left out."""
    return dict(index.rows(_COUNTS, (as_json(terms),)))


class RequestTokens(NamedTuple):
    """Token sets of a request, computed once per search.

    ``conclusion`` is empty without a root cause. ``tag_sets`` maps each tag, folded, to its tokens; generic tags are
    left out. ``removable_tags`` name a product or platform of the base: such a tag is not compared with the units of
    that product or platform (docs/decisions/nim.md#tags-that-say-nothing).
    """

    modes: Modes
    title: frozenset[str]
    description: frozenset[str]
    conclusion: frozenset[str]
    has_cause: bool
    tag_sets: Mapping[str, frozenset[str]]
    removable_tags: frozenset[str]

    def tags(self, own_names: frozenset[str] = frozenset()) -> frozenset[str]:
        """The tokens of the tags, without removable tags among the names of a unit's product and platforms."""
        removed = self.removable_tags & own_names
        return frozenset().union(*(tokens for tag, tokens in self.tag_sets.items() if tag not in removed))

    @property
    def has_tags(self) -> bool:
        """Whether a tag is left that is compared with every unit."""
        return bool(self.tags(self.removable_tags))

    @classmethod
    def of(cls, index: Index, request: Request) -> "RequestTokens":
        """The token sets under the modes of the request.

        Except with ``literal``, characters are simplified, and a placeholder such as 待排查 is no cause and no solution
        (docs/decisions/nim.md#placeholders).
        """
        modes, literal = request.modes, request.modes.literal
        placeholders = () if literal else {"", *index.meta.get(PLACEHOLDERS_KEY, "").split("\n")}

        @cache  # title and description are often the same text
        def tokens(text: str) -> frozenset[str]:
            return jaccard_tokens(text if literal else normalize(text, index.variants), modes.token)

        cause, solution = (
            "" if bare_phrase(text) in placeholders else text for text in (request.root_cause, request.solution)
        )
        has_cause = bool(cause.strip() if literal else tokens(cause))
        whole = modes.tag is TagMode.WHOLE
        tags = [tag if literal else normalize(tag, index.variants) for tag in request.tags if tag.strip()]
        tag_sets = {name: frozenset({name}) if whole else tokens(tag) for tag in tags for name in (fold_tag(tag),)}
        if not literal:
            tag_sets = {tag: found for tag, found in tag_sets.items() if tag not in GENERIC_TAGS}
        return cls(
            modes=modes,
            title=tokens(request.title),
            description=tokens(request.description),
            conclusion=tokens(cause) | tokens(solution) if has_cause else frozenset(),
            has_cause=has_cause,
            tag_sets=tag_sets,
            removable_tags=frozenset(() if literal else look_up(index, tag_sets, (Kind.NIM_ORIGIN,))[Kind.NIM_ORIGIN]),
        )

"""Query text -> query terms: concepts, tags, product names, words of the pages, and unknown words.

The longest known name wins. Han text between known names is segmented by longest match over the vocabulary of the
file, so a query needs no tokenizer.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from query.analysis.normalize import chunks, split_word, word_tokens
from query.analysis.spans import MAX_TOKENS, CandidateSpan, SpanMask, Token, candidate_spans, longest_match
from query.dictionary import Entries, Entry, Kind, look_up
from query.index import Index, as_json

_KINDS = (Kind.CONCEPT, Kind.TAG, Kind.PRODUCT, Kind.STOP_WORD)
_VOCABULARY = """
SELECT term FROM slice_vocabulary WHERE term IN (SELECT value FROM json_each(?))
UNION SELECT term FROM scenario_vocabulary WHERE term IN (SELECT value FROM json_each(?))
"""


#: What makes a word an identifier: camel case, an underscore or a dot between letters.
_IDENTIFIER = re.compile(r"[a-z0-9][A-Z]|[A-Za-z]_[A-Za-z]|[A-Za-z]\.[A-Za-z]")


class TermKind(StrEnum):
    """What a query term is.

    ``identifier`` is a name from source code that the pages contain as written; ``context`` is a platform, a framework
    or a kind of document.
    """

    CONCEPT = "concept"
    TAG = "tag"
    PRODUCT = "product"
    CONTEXT = "context"
    STOP = "stop"
    IDENTIFIER = "identifier"
    WORD = "word"
    UNKNOWN = "unknown"


class QueryTerm(NamedTuple):
    """One piece of the query, with its offsets in the normalized text.

    ``words`` are its words as the full-text index stores them; ``nested`` are the known names within it (连麦 in
    申请连麦).
    """

    kind: TermKind
    text: str
    start: int
    end: int
    concepts: tuple[Entry, ...] = ()
    tag_keys: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    nested: tuple["QueryTerm", ...] = ()

    @property
    def names_concept(self) -> bool:
        """Whether the term is the name of a concept, and does not only suggest one."""
        return any(concept.is_named for concept in self.concepts)

    @property
    def names_feature(self) -> bool:
        """Whether the term names something for which this base has a tag."""
        return bool(self.tag_keys) or any(concept.is_named and concept.has_tag for concept in self.concepts)


class _Known(NamedTuple):
    """What the file contains for the candidate spans of one query."""

    entries: Entries
    words: frozenset[str]

    def concepts(self, span: CandidateSpan) -> tuple[Entry, ...]:
        """The concepts of a span, each once; what the first key means counts before what its stem means."""
        found = self.entries[Kind.CONCEPT]
        return tuple({c.ref: c for key in reversed(span.keys) for c in found.get(key, ()) if c.role != "case"}.values())

    def tag_keys(self, span: CandidateSpan) -> tuple[str, ...]:
        """The keys of a span that are tags."""
        return tuple(key for key in span.keys if key in self.entries[Kind.TAG])

    def products(self, span: CandidateSpan) -> tuple[str, ...]:
        """The ids of the products that a span names."""
        found = self.entries[Kind.PRODUCT]
        return tuple(dict.fromkeys(str(entry.ref) for key in span.keys for entry in found.get(key, ())))

    def is_stop_word(self, span: CandidateSpan) -> bool:
        """Whether a span carries no subject."""
        return any(key in self.entries[Kind.STOP_WORD] for key in span.keys)

    def is_word(self, span: CandidateSpan) -> bool:
        """Whether a span is a word of the pages or names a concept."""
        return any(key in self.words for key in span.keys) or any(c.is_named for c in self.concepts(span))


def read_terms(index: Index, text: str, tokens: Sequence[Token]) -> list[QueryTerm]:
    """The terms of a normalized text, in order; ``tokens`` are its tokens outside paths and numbers."""
    spans = list(candidate_spans(tokens, text))
    identifiers = list(_identifier_spans(text, tokens))
    keys = {key for span in (*spans, *identifiers) for key in span.keys}
    listed = as_json(sorted(keys))
    words = frozenset(word for (word,) in index.rows(_VOCABULARY, (listed, listed)))
    known = _Known(look_up(index, keys, _KINDS), words)
    terms = list(_identifiers(known, text, identifiers, spans))
    mask = SpanMask(text, ((term.start, term.end) for term in terms))
    spans = [span for span in spans if mask.is_free(span.start, span.end)]
    terms += longest_match(text, spans, lambda span: _named_term(known, text, span))
    terms = [term._replace(nested=_nested(known, text, term, spans)) for term in terms]
    rest = _uncovered(text, tokens, terms)
    terms += longest_match(text, list(candidate_spans(rest, text)), lambda span: _plain_term(known, text, span))
    unknown = list(_unknown_terms(text, _uncovered(text, tokens, terms)))
    longer = [(s.start, s.end) for s in spans if s.end - s.start > 1 and known.is_word(s)] if unknown else []
    return sorted([*_demote_overlapped(terms, unknown, longer), *unknown], key=lambda term: term.start)


def _identifier_spans(text: str, tokens: Sequence[Token]) -> Iterator[CandidateSpan]:
    """The identifiers of a text, each with the one key under which the full-text index stores it whole."""
    starts = {token.start for token in tokens}
    for chunk in chunks(text):
        written = text[chunk.start : chunk.end]
        if chunk.start in starts and not chunk.is_han and _IDENTIFIER.search(written):
            yield CandidateSpan((split_word(written)[0],), chunk.start, chunk.end)


def _identifiers(
    known: _Known, text: str, identifiers: Iterable[CandidateSpan], spans: Sequence[CandidateSpan]
) -> Iterator[QueryTerm]:
    """The identifiers that pages contain, each as one term; one that is a tag, or part of one, is read as the tag.

    An identifier that no page contains is split into its words (docs/decisions/trtc.md#identifiers-as-written).
    """
    tags = [(span.start, span.end) for span in spans if known.tag_keys(span)]
    for span in identifiers:
        is_tag = any(start <= span.start and span.end <= end for start, end in tags)
        if span.keys[0] in known.words and not is_tag:
            piece = text[span.start : span.end]
            yield QueryTerm(TermKind.IDENTIFIER, piece, span.start, span.end, words=span.keys)


def _demote_overlapped(
    terms: Iterable[QueryTerm], unknown: Sequence[QueryTerm], words: Sequence[tuple[int, int]]
) -> Iterator[QueryTerm]:
    """Demote a name to a suggestion if another word overlaps both it and the unknown text beside it.

    Example: 会议背景 in 会议背景音乐, where 背景音乐 is a word and 音乐 is unknown. Without this rule, a query for
    background music matches the virtual background with high confidence. Without unknown text, either reading is as
    good.
    """
    before = {rest.end: rest.start for rest in unknown}
    after = {rest.start: rest.end for rest in unknown}
    for term in terms:
        start, end = before.get(term.start, term.start), after.get(term.end, term.end)
        if any(
            start <= first < term.start < last < term.end or term.start < first < term.end < last <= end
            for first, last in words
        ):
            concepts = tuple(concept._replace(strength="evokes") for concept in term.concepts)
            term = term._replace(concepts=concepts, tag_keys=())  # noqa: PLW2901  # the demoted term replaces it
        yield term


def _named_term(known: _Known, text: str, span: CandidateSpan) -> QueryTerm | None:
    """A concept or a tag under any key of the span, unless it is a stop word that only suggests something."""
    concepts, tags, products = known.concepts(span), known.tag_keys(span), known.products(span)
    kind = _kind(concepts, tags, products)
    is_named = bool(tags) or any(c.is_named for c in concepts)
    if kind in {TermKind.PRODUCT, TermKind.STOP} or (not is_named and known.is_stop_word(span)):
        return None
    piece = text[span.start : span.end]
    return QueryTerm(kind, piece, span.start, span.end, concepts, tags, products, _index_words(piece, known.words))


def _kind(concepts: Sequence[Entry], tags: Sequence[str], products: Sequence[str]) -> TermKind:
    if tags or any(c.is_named and c.has_tag for c in concepts):
        return TermKind.CONCEPT if concepts else TermKind.TAG
    if products or not concepts:
        return TermKind.PRODUCT if products else TermKind.STOP
    return TermKind.CONTEXT if all(c.role == "context" for c in concepts) else TermKind.CONCEPT


def _nested(known: _Known, text: str, term: QueryTerm, spans: Sequence[CandidateSpan]) -> tuple[QueryTerm, ...]:
    """The longest known names strictly within a named term that mean something else than the term."""
    if term.kind is not TermKind.CONCEPT:
        return ()
    length = term.end - term.start
    within = [s for s in spans if term.start <= s.start and s.end <= term.end and s.end - s.start < length]
    outer = {c.ref for c in term.concepts}

    def read(span: CandidateSpan) -> QueryTerm | None:
        inner = _named_term(known, text, span)
        return inner if inner and not {c.ref for c in inner.concepts} <= outer else None

    return tuple(inner for inner in longest_match(text, within, read) if inner.tag_keys or inner.names_concept)


def _plain_term(known: _Known, text: str, span: CandidateSpan) -> QueryTerm | None:
    """A product name, a stop word or a word of the pages."""
    piece = text[span.start : span.end]
    products = known.products(span)
    if products:
        words = _index_words(piece, known.words)
        return QueryTerm(TermKind.PRODUCT, piece, span.start, span.end, products=products, words=words)
    if known.is_stop_word(span):
        return QueryTerm(TermKind.STOP, piece, span.start, span.end)
    words = tuple(key for key in span.keys if key in known.words)[:1]
    return QueryTerm(TermKind.WORD, piece, span.start, span.end, words=words) if words and len(piece) > 1 else None


def _unknown_terms(text: str, tokens: Sequence[Token]) -> Iterator[QueryTerm]:
    """Runs of adjoining unknown tokens of one script, one term each: 抽奖 is one unknown word, not two characters."""
    run: list[Token] = []
    for token in tokens:
        if len(token.text) == 1 and not token.is_han:
            continue
        if run and (text[run[-1].end : token.start] or run[-1].is_han != token.is_han):
            yield _unknown_term(text, run)
            run = []
        run.append(token)
    if run:
        yield _unknown_term(text, run)


def _unknown_term(text: str, run: Sequence[Token]) -> QueryTerm:
    start, end = run[0].start, run[-1].end
    return QueryTerm(TermKind.UNKNOWN, text[start:end], start, end, words=tuple(token.stem for token in run))


def _index_words(piece: str, vocabulary: frozenset[str]) -> tuple[str, ...]:
    """The index words of a name: its Han runs segmented by longest match, its other words by rule."""
    words: list[str] = []
    for chunk in chunks(piece):
        words += _segment(chunk.text, vocabulary) if chunk.is_han else word_tokens(piece[chunk.start : chunk.end])[:1]
    return tuple(words)


def _segment(run: str, vocabulary: frozenset[str]) -> Iterator[str]:
    start = 0
    while start < len(run):
        ends = range(min(len(run), start + MAX_TOKENS), start + 1, -1)
        end = next((end for end in ends if run[start:end] in vocabulary), start + 1)
        yield run[start:end]
        start = end


def _uncovered(text: str, tokens: Iterable[Token], terms: Sequence[QueryTerm]) -> list[Token]:
    """The tokens that no term contains."""
    mask = SpanMask(text, ((term.start, term.end) for term in terms))
    return [token for token in tokens if mask.is_free(token.start, token.end)]

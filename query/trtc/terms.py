"""Text -> spans: concepts, tags, product names, words, and what nothing in the index knows.

The longest known surface wins. Han text between known surfaces is cut by longest match over the vocabulary
inside the file, so no tokenizer is needed (design.md, "Segmentation").
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from query.analysis.normalize import chunks, word_tokens
from query.analysis.spans import MAX_TOKENS, CandidateSpan, SpanMask, Token, candidate_spans, longest_match
from query.index import Index, as_json

_CONCEPTS = """
SELECT word.key, word.concept, concept.name, concept.source, concept.role, word.strength, coalesce(word.word, word.key),
  EXISTS (SELECT 1 FROM concept_tag WHERE concept_tag.concept = concept.id)
FROM concept_word AS word JOIN concept ON concept.id = word.concept
WHERE concept.role <> 'case' AND word.key IN (SELECT value FROM json_each(?)) ORDER BY word.key, word.concept
"""
_TAGS = "SELECT DISTINCT key FROM slice_tag WHERE key IN (SELECT value FROM json_each(?))"
_PRODUCTS = "SELECT key, product_id FROM product_word WHERE key IN (SELECT value FROM json_each(?)) ORDER BY 1, 2"
_STOPS = "SELECT key FROM stop_word WHERE key IN (SELECT value FROM json_each(?))"
_VOCABULARY = """
SELECT term FROM slice_vocabulary WHERE term IN (SELECT value FROM json_each(?))
UNION SELECT term FROM scenario_vocabulary WHERE term IN (SELECT value FROM json_each(?))
"""


class TermKind(StrEnum):
    """What a span of the question is."""

    CONCEPT = "concept"
    TAG = "tag"
    PRODUCT = "product"
    CONTEXT = "context"
    STOP = "stop"
    WORD = "word"
    UNKNOWN = "unknown"


class ConceptWord(NamedTuple):
    """One concept that a span speaks of; ``word`` is the vocabulary's spelling, ``led``: a tag here carries it."""

    concept: int
    name: str
    source: str
    role: str
    strength: str
    word: str
    led: bool

    @property
    def is_named(self) -> bool:
        """Said, be it misspelt, and not only suggested."""
        return self.strength != "evokes"


class QueryTerm(NamedTuple):
    """A piece of the question; ``terms`` are its words as the full-text index has them.

    ``inner`` are the known names within it: 连麦 in 申请连麦.
    """

    kind: TermKind
    text: str
    start: int
    end: int
    concepts: tuple[ConceptWord, ...] = ()
    tag_keys: tuple[str, ...] = ()
    products: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    inner: tuple["QueryTerm", ...] = ()


class _Known(NamedTuple):
    """What the index knows of the surfaces of one question, by key."""

    concepts: dict[str, list[ConceptWord]]
    tags: set[str]
    products: dict[str, list[str]]
    stops: set[str]
    words: set[str]


def read_terms(index: Index, text: str, found: Sequence[Token]) -> list[QueryTerm]:
    """The spans of a normalised text in their order; ``found`` are its atoms that are no part of a path or number."""
    every = list(candidate_spans(found, text))
    known = _look_up(index, every)
    chosen = longest_match(text, every, lambda surface: _named_span(known, text, surface))
    chosen = [span._replace(inner=_inner(known, text, span, every)) for span in chosen]
    gaps = _without(text, found, chosen)
    chosen += longest_match(text, list(candidate_spans(gaps, text)), lambda surface: _plain_span(known, text, surface))
    unknown = list(_unknown(text, _without(text, found, chosen)))
    crossing = [(s.start, s.end) for s in every if s.end - s.start > 1 and _is_word(known, s)] if unknown else []
    return sorted([*_demote_overlapped(chosen, unknown, crossing), *unknown], key=lambda span: span.start)


def _is_word(known: _Known, surface: CandidateSpan) -> bool:
    """Whether a surface is a word of the pages or names a concept."""
    return any(key in known.words or any(c.is_named for c in known.concepts.get(key, ())) for key in surface.keys)


def _demote_overlapped(
    chosen: Iterable[QueryTerm], unknown: Sequence[QueryTerm], crossing: Sequence[tuple[int, int]]
) -> Iterator[QueryTerm]:
    """A name that another word crosses into what is left over is only suggested: 会议背景 in 会议背景音乐.

    Where nothing is left over, the cut is as good as another.
    """
    before = {rest.end: rest.start for rest in unknown}
    after = {rest.start: rest.end for rest in unknown}
    for span in chosen:
        begin, end = before.get(span.start, span.start), after.get(span.end, span.end)
        if (begin, end) == (span.start, span.end) or not _is_overlapped(span, begin, end, crossing):
            yield span
            continue
        concepts = tuple(concept._replace(strength="evokes") for concept in span.concepts)
        yield span._replace(concepts=concepts, tag_keys=())


def _is_overlapped(span: QueryTerm, begin: int, end: int, crossing: Iterable[tuple[int, int]]) -> bool:
    """Whether a word reaches from within a span into what is left over beside it, from ``begin`` or up to ``end``."""
    return any(
        begin <= first < span.start < last < span.end or span.start < first < span.end < last <= end
        for first, last in crossing
    )


def _look_up(index: Index, found: Sequence[CandidateSpan]) -> _Known:
    keys = as_json(sorted({key for surface in found for key in surface.keys}))
    concepts: dict[str, list[ConceptWord]] = {}
    for key, number, name, source, role, strength, word, led in index.rows(_CONCEPTS, (keys,)):
        if source not in index.disabled_signals:
            concepts.setdefault(key, []).append(ConceptWord(number, name, source, role, strength, word, bool(led)))
    products = index.lists(_PRODUCTS, (keys,))
    tags, stops = ({row[0] for row in index.rows(sql, (keys,))} for sql in (_TAGS, _STOPS))
    words = {row[0] for row in index.rows(_VOCABULARY, (keys, keys))}
    return _Known(concepts, tags, products, stops, words)


def _named_span(known: _Known, text: str, surface: CandidateSpan) -> QueryTerm | None:
    """A concept or a tag under any of the surface's keys, unless it is a stop word that only evokes something."""
    concepts = tuple({c.concept: c for key in reversed(surface.keys) for c in known.concepts.get(key, ())}.values())
    tags = tuple(key for key in surface.keys if key in known.tags)
    products = tuple(dict.fromkeys(p for key in surface.keys for p in known.products.get(key, ())))
    kind = _kind(concepts, tags, products)
    only_evoked = not tags and not any(c.is_named for c in concepts)
    if kind in {TermKind.PRODUCT, TermKind.STOP} or (only_evoked and known.stops & set(surface.keys)):
        return None
    piece = text[surface.start : surface.end]
    return QueryTerm(kind, piece, surface.start, surface.end, concepts, tags, products, _terms(piece, known))


def _kind(concepts: tuple[ConceptWord, ...], tags: tuple[str, ...], products: tuple[str, ...]) -> TermKind:
    if tags or any(c.is_named and c.led for c in concepts):
        return TermKind.CONCEPT if concepts else TermKind.TAG
    if products or not concepts:
        return TermKind.PRODUCT if products else TermKind.STOP
    return TermKind.CONTEXT if all(c.role == "context" for c in concepts) else TermKind.CONCEPT


def _inner(known: _Known, text: str, span: QueryTerm, every: Sequence[CandidateSpan]) -> tuple[QueryTerm, ...]:
    """Known names strictly within a named span that speak of something else, the longest of them."""
    if span.kind is not TermKind.CONCEPT:
        return ()
    within = [
        s for s in every if span.start <= s.start and s.end <= span.end and s.end - s.start < span.end - span.start
    ]
    outer = {c.concept for c in span.concepts}

    def read(surface: CandidateSpan) -> QueryTerm | None:
        inner = _named_span(known, text, surface)
        return inner if inner and not {c.concept for c in inner.concepts} <= outer else None

    found = longest_match(text, within, read)
    return tuple(inner for inner in found if inner.tag_keys or any(c.is_named for c in inner.concepts))


def _plain_span(known: _Known, text: str, surface: CandidateSpan) -> QueryTerm | None:
    """A product name, a stop word or a word of the pages."""
    piece = text[surface.start : surface.end]
    products = tuple(dict.fromkeys(p for key in surface.keys for p in known.products.get(key, ())))
    if products:
        return QueryTerm(
            TermKind.PRODUCT, piece, surface.start, surface.end, products=products, terms=_terms(piece, known)
        )
    if any(key in known.stops for key in surface.keys):
        return QueryTerm(TermKind.STOP, piece, surface.start, surface.end)
    terms = tuple(key for key in surface.keys if key in known.words)[:1]
    if not terms or len(piece) == 1:
        return None
    return QueryTerm(TermKind.WORD, piece, surface.start, surface.end, terms=terms)


def _unknown(text: str, left: Sequence[Token]) -> Iterator[QueryTerm]:
    """Runs of atoms that nothing knows, as one span each: 抽奖 is one unknown word, not two characters."""
    run: list[Token] = []
    for atom in left:
        if len(atom.text) == 1 and not atom.is_han:
            continue
        if run and (text[run[-1].end : atom.start] or run[-1].is_han != atom.is_han):
            yield _unknown_span(text, run)
            run = []
        run.append(atom)
    if run:
        yield _unknown_span(text, run)


def _unknown_span(text: str, run: Sequence[Token]) -> QueryTerm:
    start, end = run[0].start, run[-1].end
    terms = tuple(atom.stem for atom in run)
    return QueryTerm(TermKind.UNKNOWN, text[start:end], start, end, terms=terms)


def _terms(piece: str, known: _Known) -> tuple[str, ...]:
    """The index words of a named span: its Han runs by longest match, its other words by rule."""
    terms: list[str] = []
    for chunk in chunks(piece):
        terms.extend(_cut(chunk.text, known.words) if chunk.is_han else word_tokens(piece[chunk.start : chunk.end])[:1])
    return tuple(terms)


def _cut(run: str, vocabulary: set[str]) -> Iterator[str]:
    start = 0
    while start < len(run):
        end = next(
            (e for e in range(min(len(run), start + MAX_TOKENS), start + 1, -1) if run[start:e] in vocabulary),
            start + 1,
        )
        yield run[start:end]
        start = end


def _without(text: str, found: Iterable[Token], chosen: Sequence[QueryTerm]) -> list[Token]:
    taken = SpanMask(text, ((span.start, span.end) for span in chosen))
    return [atom for atom in found if taken.leaves(atom.start, atom.end)]

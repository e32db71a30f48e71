"""The query, parsed once: error codes, ids and terms, with mistyped words corrected."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from query.analysis.error_codes import Mention, mentions, symbols
from query.analysis.normalize import normalize
from query.analysis.spans import SpanMask, read_tokens
from query.index import Index
from query.limits import MAX_CHARACTERS
from query.trtc.scope import pasted_spans, without_excluded
from query.trtc.spelling import Correction, apply_corrections, correct_spelling
from query.trtc.terms import QueryTerm, TermKind, read_terms

_PATH = re.compile(r"(?<![A-Za-z0-9_/.-])[A-Za-z][A-Za-z0-9_-]*(?:/[A-Za-z0-9][A-Za-z0-9_-]*)+(?:\.md)?")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[!-~]+")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])[0-9]+(?![A-Za-z0-9_])")
_HYPHENATED = re.compile(r"(?<![A-Za-z0-9_/-])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+(?![A-Za-z0-9_/-])")
#: Text without terms: nothing is looked up within it.
_NO_TERMS = (_PATH, _URL, _NUMBER)
#: Kinds of terms that are not the subject of a query.
_NO_CONTENT = frozenset({TermKind.STOP, TermKind.PRODUCT, TermKind.CONTEXT})


class ParsedQuery(NamedTuple):
    """A parsed query. ``text`` is normalized, and corrected like ``terms``.

    ``mentions`` are the numbers of the text, ``symbols`` its symbolic codes, ``ids`` its id-shaped strings in lower
    case, whether or not the file has them, and ``hyphenated`` its hyphenated words, which may be scenario ids.
    """

    text: str
    mentions: tuple[Mention, ...]
    symbols: tuple[str, ...]
    ids: tuple[str, ...]
    hyphenated: tuple[str, ...]
    terms: tuple[QueryTerm, ...]
    truncated: bool = False
    corrections: tuple[Correction, ...] = ()

    @property
    def content_terms(self) -> tuple[QueryTerm, ...]:
        """The terms that carry the subject, each text once and without negated ones; else products and contexts."""
        by_text = {term.text.lower(): term for term in reversed(self.terms) if term.kind is not TermKind.STOP}
        terms = tuple(sorted(by_text.values(), key=lambda term: term.start))
        return without_excluded(self.text, tuple(term for term in terms if term.kind not in _NO_CONTENT) or terms)

    @property
    def contexts(self) -> tuple[QueryTerm, ...]:
        """The platforms, frameworks, other apps and kinds of documents that the query names."""
        return tuple(term for term in self.terms if term.kind is TermKind.CONTEXT)

    @property
    def products(self) -> tuple[str, ...]:
        """The ids of the products that the query names, in order, each once."""
        return tuple(dict.fromkeys(product for term in self.terms for product in term.products))


def parse_query(index: Index, query: str) -> ParsedQuery:
    """Parse free text, of which ``MAX_CHARACTERS`` are read. Any text can be parsed."""
    parsed = _parse(index, normalize(query[:MAX_CHARACTERS], index.variants))
    unknown = [(term.start, term.end) for term in parsed.terms if term.kind is TermKind.UNKNOWN]
    corrections = correct_spelling(index, parsed.text, unknown)
    if corrections:
        parsed = _parse(index, apply_corrections(parsed.text, corrections))
    return parsed._replace(truncated=len(query) > MAX_CHARACTERS, corrections=tuple(corrections))


def _parse(index: Index, text: str) -> ParsedQuery:
    mask = SpanMask(text, [match.span() for pattern in _NO_TERMS for match in pattern.finditer(text)])
    for start, end in pasted_spans(text):
        mask.cover(start, end)
    tokens = [token for token in read_tokens(text) if mask.is_free(token.start, token.end)]
    return ParsedQuery(
        text=text,
        mentions=mentions(text),
        symbols=symbols(text),
        ids=tuple(dict.fromkeys(i for match in _PATH.finditer(text) for i in _ids(match[0]))),
        hyphenated=tuple(match[0].lower() for match in _HYPHENATED.finditer(text)),
        terms=tuple(read_terms(index, text, tokens)),
    )


def _ids(path: str) -> Iterator[str]:
    """The id-shaped pairs of a path: ``slices/live/ios/barrage.md`` contains ``live/barrage``, without its platform."""
    names = path.lower().removesuffix(".md").split("/")
    for gap in (1, 2):
        yield from (f"{one}/{other}" for one, other in zip(names, names[gap:], strict=False))

"""A question, read: codes, ids, spans; mistyped words as they were meant."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from query.analysis.error_codes import Mention, mentions, symbols
from query.analysis.normalize import normalize
from query.analysis.spans import SpanMask, read_tokens
from query.index import Index
from query.limits import MAX_CHARACTERS
from query.trtc.spelling import Correction, apply_corrections, correct_spelling
from query.trtc.terms import QueryTerm, TermKind, read_terms

_PATH = re.compile(r"(?<![A-Za-z0-9_/.-])[A-Za-z][A-Za-z0-9_-]*(?:/[A-Za-z0-9][A-Za-z0-9_-]*)+(?:\.md)?")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[!-~]+")
_NUMBER = re.compile(r"(?<![A-Za-z0-9_])[0-9]+(?![A-Za-z0-9_])")
# A name and the value that someone gives for it: the name is no subject there (decision 27).
_VALUE = re.compile(
    r"(?<![A-Za-z])(?:user ?id|uid|(?:sdk)?app ?id|room ?(?:id|no)|port|qq|房间号|端口|用户id)"
    r"\s*(?:[:=是为#]\s*)?[0-9]+(?![0-9A-Za-z_.])",
    re.IGNORECASE,
)
_HYPHENATED = re.compile(r"(?<![A-Za-z0-9_/-])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+(?![A-Za-z0-9_/-])")
#: What is no word: nothing is looked up within it.
_NO_WORDS = (_PATH, _URL, _VALUE, _NUMBER)

#: Kinds that say where or in what words something is asked, not what.
_NO_CONTENT = frozenset({TermKind.STOP, TermKind.PRODUCT, TermKind.CONTEXT})


class ParsedQuery(NamedTuple):
    """A read question. ``ids`` are id-shaped strings, lower-cased, whether or not the index has them.

    ``text`` and ``spans`` have the words of ``respelt`` as they were meant.
    """

    text: str
    mentions: tuple[Mention, ...]
    symbols: tuple[str, ...]
    ids: tuple[str, ...]
    hyphenated: tuple[str, ...]
    spans: tuple[QueryTerm, ...]
    truncated: bool = False
    corrections: tuple[Correction, ...] = ()

    @property
    def content(self) -> tuple[QueryTerm, ...]:
        """The spans that carry the question, each text once; where it has none, its names of products and contexts."""
        said = {span.text.lower(): span for span in reversed(self.spans) if span.kind is not TermKind.STOP}
        once = tuple(sorted(said.values(), key=lambda span: span.start))
        return tuple(span for span in once if span.kind not in _NO_CONTENT) or once

    @property
    def products(self) -> tuple[str, ...]:
        """The products that the question names, in order, each once."""
        return tuple(dict.fromkeys(product for span in self.spans for product in span.products))


def parse_query(index: Index, query: str) -> ParsedQuery:
    """Read free text; never fails, whatever it holds."""
    question = _read(index, normalize(query[:MAX_CHARACTERS], index.variants))
    unread = [(span.start, span.end) for span in question.spans if span.kind is TermKind.UNKNOWN]
    corrections = correct_spelling(index, question.text, unread)
    if corrections:
        question = _read(index, apply_corrections(question.text, corrections))
    return question._replace(truncated=len(query) > MAX_CHARACTERS, corrections=tuple(corrections))


def _read(index: Index, text: str) -> ParsedQuery:
    found = mentions(text)
    paths = list(_PATH.finditer(text))
    taken = SpanMask(text, [match.span() for pattern in _NO_WORDS for match in pattern.finditer(text)])
    free = [atom for atom in read_tokens(text) if taken.leaves(atom.start, atom.end)]
    return ParsedQuery(
        text=text,
        mentions=found,
        symbols=symbols(text),
        ids=tuple(dict.fromkeys(i for match in paths for i in _ids(match[0]))),
        hyphenated=tuple(match[0].lower() for match in _HYPHENATED.finditer(text)),
        spans=tuple(read_terms(index, text, free)),
    )


def _ids(path: str) -> Iterator[str]:
    """The id-shaped pairs of a path: ``slices/live/ios/barrage.md`` holds ``live/barrage``, a platform aside."""
    names = path.lower().removesuffix(".md").split("/")
    for gap in (1, 2):
        yield from (f"{one}/{other}" for one, other in zip(names, names[gap:], strict=False))

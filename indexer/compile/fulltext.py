"""Which text of a record goes into which column of its full-text table. Names of fields are the columns' names.

Texts of records -> the words that go into the full-text tables, Han runs asked for ahead of time.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from indexer.compile.segment import Segmenter
from indexer.records import ErrorCode, Scenario, Section, Slice, SlicePage, Unit
from query.analysis.error_codes import Mention, mentions
from query.analysis.normalize import Variants, han_bigrams, normalize, runs, word_tokens

#: A symbolic code in backticks.
_QUOTED_SYMBOL = re.compile(r"`(ERR(?:OR)?_[A-Z0-9_]+)`")
#: A code in prose has so many digits at least; shorter numbers are counts and defaults.
_LEAST_DIGITS = 3
_TROUBLE = re.compile(r"排障|排查|常见问题|错误|异常|故障|报错|faq|troubleshoot|error", re.IGNORECASE)
# Sections that name other slices: a hit there says nothing about this one.
_ELSEWHERE = re.compile(r"关联知识|相关链接|see also", re.IGNORECASE)


def slice_fields(record: Slice) -> Mapping[str, str]:
    """The seven columns of ``slice_words``."""
    sections = [section for page in record.pages for section in _marked(page.sections)]
    return {
        "name": record.name,
        "tags": " ".join((*record.tags, *record.page_tags)),
        "description": record.description,
        "headings": "\n".join(section.heading for kind, section in sections if kind != "elsewhere"),
        "apis": " ".join(dict.fromkeys(name for page in record.pages for name in page.api_names)),
        "troubleshooting": "\n".join(section.text for kind, section in sections if kind == "trouble"),
        "body": "\n".join(section.text for kind, section in sections if kind == "body"),
    }


def _marked(sections: tuple[Section, ...]) -> list[tuple[str, Section]]:
    """Each section with its kind; a sub-section is of its parent's kind."""
    marked: list[tuple[str, Section]] = []
    kind, level = "body", 0
    for section in sections:
        if kind == "body" or section.level <= level:
            kind, level = _kind_of(section.heading), section.level
        marked.append((kind, section))
    return marked


def _kind_of(heading: str) -> str:
    if _ELSEWHERE.search(heading):
        return "elsewhere"
    return "trouble" if _TROUBLE.search(heading) else "body"


def scenario_fields(record: Scenario) -> Mapping[str, str]:
    """The two columns of ``scenario_words``."""
    return {"name": record.name, "description": record.description}


def unit_fields(record: Unit) -> Mapping[str, str]:
    """The seven columns of ``nim_words``."""
    title = record.title if record.title == record.display_title else f"{record.title} {record.display_title}"
    return {
        "title": title,
        "tags": " ".join(record.tags),
        "description": record.description,
        "root_cause": record.root_cause,
        "solution": record.solution,
        "details": record.details,
        "place": " ".join((record.product, record.feature, record.platform)),
    }


def prose_codes(page: SlicePage) -> tuple[ErrorCode, ...]:
    """Decision 27: numbers in a code-like place anywhere in a page's body, except the table rows already listed."""
    listed = {(code.code, code.line) for code in page.codes}
    found: dict[str, ErrorCode] = {}
    for section in page.sections:
        first = section.line + bool(section.heading)
        for number, line in enumerate(section.text.split("\n"), first):
            for symbol in _QUOTED_SYMBOL.findall(line):
                found.setdefault(symbol, ErrorCode(symbol, line.strip(" |│├└─#>*")[:200], section.heading, number))
            for mention in mentions(line.replace("−", "-")):
                if _is_code_like(mention, line, section.heading) and (mention.code, number) not in listed:
                    text = line.strip(" |│├└─#>*")[:200]
                    found.setdefault(mention.code, ErrorCode(mention.code, text, section.heading, number))
    return tuple(found.values())


def _is_code_like(mention: Mention, line: str, heading: str) -> bool:
    """Named as a code, or signed; or in backticks where errors are spoken of.

    A short number is a count, a default or a percentage, unless it is signed and named.
    """
    if not mention.is_code:
        return False
    if len(mention.code.removeprefix("-")) < _LEAST_DIGITS:
        return mention.signed and mention.named
    quoted = line[: mention.start].endswith("`") and line[mention.end :].startswith("`")
    return mention.named or mention.signed or (quoted and bool(_TROUBLE.search(line) or _TROUBLE.search(heading)))


#: One text as Han runs (keys of a segmentation) and words that are ready, in order.
Pieces = Sequence[str]
Prepared = Mapping[str, Pieces]


def prepare(fields: Iterable[Mapping[str, str]], segmenter: Segmenter, variants: Variants) -> list[Prepared]:
    """Normalise and cut each record's fields; their Han runs are wanted from the segmenter on the way."""
    prepared: list[Prepared] = []
    for texts in fields:
        wanted: list[str] = []
        prepared.append({field: _pieces(text, variants, wanted) for field, text in texts.items()})
        segmenter.want(wanted)
    return prepared


def _pieces(text: str, variants: Variants, wanted: list[str]) -> list[str]:
    pieces: list[str] = []
    for is_han, run, _ in runs(normalize(text, variants)):
        if is_han:
            wanted.append(run)
            pieces.append(run)
        else:
            pieces.extend(word_tokens(run))
    return pieces


def word_rows(
    prepared: Iterable[Prepared], words: Mapping[str, str], extra: Mapping[str, Sequence[str]] | None = None
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of a word table: (rowid, {column: words joined by spaces}); ``extra`` columns hold terms ready-made."""
    for number, fields in enumerate(prepared, 1):
        row = {field: " ".join(words.get(piece, piece) for piece in pieces) for field, pieces in fields.items()}
        yield number, row | {field: texts[number - 1] for field, texts in (extra or {}).items()}


def bigram_rows(prepared: Iterable[Prepared], words: Mapping[str, str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of a bigram table: the pairs of every Han run of a record."""
    for number, fields in enumerate(prepared, 1):
        han = (piece for pieces in fields.values() for piece in pieces if piece in words)
        yield number, {"text": " ".join(map(_joined_bigrams, han))}


@cache
def _joined_bigrams(run: str) -> str:
    return " ".join(han_bigrams(run))

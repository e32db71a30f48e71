"""Texts of records, field by field, and the words that go into the full-text tables.

The names of fields are the names of columns. Han runs are submitted for segmentation as soon as they are read.
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
#: Shorter numbers in prose are counts and default values, not codes.
_MIN_CODE_DIGITS = 3
_TROUBLE = re.compile(r"排障|排查|常见问题|错误|异常|故障|报错|faq|troubleshoot|error", re.IGNORECASE)
# Sections that name other slices: their words are not about this one.
_LINKS = re.compile(r"关联知识|相关链接|see also", re.IGNORECASE)


def slice_fields(record: Slice) -> Mapping[str, str]:
    """The seven columns of ``slice_words``."""
    sections = [section for page in record.pages for section in _classified(page.sections)]
    return {
        "name": record.name,
        "tags": " ".join((*record.tags, *record.page_tags)),
        "description": record.description,
        "headings": "\n".join(section.heading for column, section in sections if column != "links"),
        "apis": " ".join(dict.fromkeys(name for page in record.pages for name in page.api_names)),
        "troubleshooting": "\n".join(section.text for column, section in sections if column == "troubleshooting"),
        "body": "\n".join(section.text for column, section in sections if column == "body"),
    }


def _classified(sections: tuple[Section, ...]) -> list[tuple[str, Section]]:
    """Each section with its column, or ``links``, which no column contains; a sub-section follows its parent."""
    classified: list[tuple[str, Section]] = []
    column, level = "body", 0
    for section in sections:
        if column == "body" or section.level <= level:
            column, level = _column_of(section.heading), section.level
        classified.append((column, section))
    return classified


def _column_of(heading: str) -> str:
    if _LINKS.search(heading):
        return "links"
    return "troubleshooting" if _TROUBLE.search(heading) else "body"


def scenario_fields(record: Scenario) -> Mapping[str, str]:
    """The two columns of ``scenario_words``."""
    return {"name": record.name, "description": record.description}


def unit_fields(record: Unit) -> Mapping[str, str]:
    """The columns of ``nim_words`` that contain text; a title that is displayed in another form is indexed in both."""
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
    """The error codes in a page's prose, each once; not in the table rows that ``page.codes`` already lists.

    See docs/decisions/trtc.md#what-is-a-code.
    """
    listed = {(code.code, code.line) for code in page.codes}
    found: dict[str, ErrorCode] = {}
    for section in page.sections:
        first = section.line + bool(section.heading)
        for number, line in enumerate(section.text.split("\n"), first):
            for symbol in _QUOTED_SYMBOL.findall(line):
                found.setdefault(symbol, ErrorCode(symbol, line.strip(" |│├└─#>*")[:200], section.heading, number))
            for mention in mentions(line.replace("−", "-")):
                if _is_code(mention, line, section.heading) and (mention.code, number) not in listed:
                    text = line.strip(" |│├└─#>*")[:200]
                    found.setdefault(mention.code, ErrorCode(mention.code, text, section.heading, number))
    return tuple(found.values())


def _is_code(mention: Mention, line: str, heading: str) -> bool:
    """Whether a number in prose is an error code: called one, or signed, or in backticks in a text about errors.

    A short number is one only if it is both signed and called a code; else it is a count, a default or a percentage.
    """
    if not mention.is_code:
        return False
    if len(mention.code.removeprefix("-")) < _MIN_CODE_DIGITS:
        return mention.signed and mention.named
    quoted = line[: mention.start].endswith("`") and line[mention.end :].startswith("`")
    return mention.named or mention.signed or (quoted and bool(_TROUBLE.search(line) or _TROUBLE.search(heading)))


#: One text as a sequence of Han runs, which are keys of the segmentation, and of other words, which need none.
Pieces = Sequence[str]
#: Field -> its pieces.
Prepared = Mapping[str, Pieces]


def prepare(fields: Iterable[Mapping[str, str]], segmenter: Segmenter, variants: Variants) -> list[Prepared]:
    """Normalize the fields of each record, split them into pieces, and add their Han runs to the segmenter."""
    prepared: list[Prepared] = []
    for texts in fields:
        han: list[str] = []
        prepared.append({field: _pieces(text, variants, han) for field, text in texts.items()})
        segmenter.add(han)
    return prepared


def _pieces(text: str, variants: Variants, han: list[str]) -> list[str]:
    """The pieces of one text; its Han runs are also appended to ``han``."""
    pieces: list[str] = []
    for is_han, run, _ in runs(normalize(text, variants)):
        if is_han:
            han.append(run)
            pieces.append(run)
        else:
            pieces.extend(word_tokens(run))
    return pieces


def word_rows(
    prepared: Iterable[Prepared], words: Mapping[str, str], extra: Mapping[str, Sequence[str]] | None = None
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of a word table: (rowid, {column: words joined by spaces}).

    ``extra`` maps further columns to the text of each record.
    """
    for number, fields in enumerate(prepared, 1):
        row = {field: " ".join(words.get(piece, piece) for piece in pieces) for field, pieces in fields.items()}
        yield number, row | {field: texts[number - 1] for field, texts in (extra or {}).items()}


def bigram_rows(prepared: Iterable[Prepared], words: Mapping[str, str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Rows of a bigram table: the pairs of neighboring characters of every Han run of a record."""
    for number, fields in enumerate(prepared, 1):
        han = (piece for pieces in fields.values() for piece in pieces if piece in words)
        yield number, {"text": " ".join(map(_joined_bigrams, han))}


@cache
def _joined_bigrams(run: str) -> str:
    return " ".join(han_bigrams(run))

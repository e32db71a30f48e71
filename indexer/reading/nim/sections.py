"""Splits the body of a NIM case into blocks of text, each below the heading or bold label that names its field."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from indexer.reading.front_matter import Repair

#: Field -> the headings and bold labels of its text.
_NAMES_OF_FIELDS = {
    "symptom": ("现象", "问题现象", "现象描述"),
    "description": ("问题描述",),
    "question": ("问题详情",),
    "background": ("问题背景",),
    "cause": ("问题原因", "根因分析", "根因", "根本原因", "原因分析"),
    "solution": ("解决方案", "解决方法", "解决办法", "解答", "答案"),
    "steps": ("排查过程",),
    "other": ("其他触发场景",),
    "environment": ("环境信息",),
    "log": ("相关日志",),
    "repro": ("复现步骤",),
    "finding": ("关键发现",),
    "tags": ("标签",),
    "customers": ("客户", "来源客户"),
    "date": ("会话日期",),
}
#: Heading or bold label -> the field of the text below it.
FIELDS = {name: field for field, names in _NAMES_OF_FIELDS.items() for name in names}
#: Names that are only headings: as bold words they are part of an entry's answer.
_ONLY_HEADINGS = {"标签", "客户", "来源客户", "会话日期", "关键发现", "复现步骤", "问题背景"}
#: Fields whose text continues over bold labels, up to the next heading.
_WHOLE = {"cause", "solution", "steps", "other", "tags", "customers", "date", "unknown"}
_NAMES = "|".join(sorted(FIELDS, key=lambda name: (-len(name), name)))
_ENTRY_NAMES = "|".join(name for name in _NAMES.split("|") if name not in _ONLY_HEADINGS)
_LABEL_END = r"(?:[:：]\*\*|\*\*[ \t]*[:：]?)"

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_CODE_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)", re.MULTILINE)
_NUMBERING = re.compile(r"^[一二三四五六七八九十\d]+[、.．]\s*")
TITLE = re.compile(r"^(?:问题|Q)\s*[:：]\s*")
_LABEL = re.compile(rf"^[ \t]*(?:[-*][ \t]+)?\*\*([^*\n]{{1,20}}?){_LABEL_END}", re.MULTILINE)
_ENTRY_LABEL = re.compile(rf"^[ \t]*(?:[-*][ \t]+)?\*\*({_ENTRY_NAMES}){_LABEL_END}", re.MULTILINE)
_ESCAPED_BREAK = re.compile(r"^([^\\]{1,20}?)(?:\\n)+(.*)$")
# A page on one line, as some entries contain it; the last mark may be cut off.
_FLATTENED = re.compile(rf"(?:^|\s)##\s(?:(?:问题|Q)[:：]|(?:{_NAMES})\s)")
_FLAT_BREAK = re.compile(rf"\s+(?=##\s|\*\*(?:{_NAMES}){_LABEL_END})")
_FLAT_HEADING = re.compile(rf"^(##\s(?:{_NAMES}))[ \t]+(?=\S)", re.MULTILINE)
_CUT_MARK = re.compile(r"\s+(?:\*{1,2}[^*\s]{0,4}|#{1,2})\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """The text below the heading or label ``name``.

    ``field`` is a value of FIELDS, ``title``, ``labelled`` (another label) or ``unknown`` (another heading).
    """

    field: str
    name: str
    text: str


def page_blocks(body: str, first_line: int, repairs: list[Repair]) -> list[Block]:
    """Split a page, which begins at line ``first_line``, at its headings and bold labels; adds to ``repairs``."""
    return [
        block
        for heading, text in _sections(body, first_line, repairs)
        for block in _labelled(Block(_field_of(heading), heading, text), _LABEL)
    ]


def entry_blocks(text: str) -> list[Block]:
    """Split an entry at its ``## Q:`` line and the labels that name a field; restore the lines of a flattened page."""
    blocks: list[Block] = []
    for block in _labelled(Block("title", "", text), _ENTRY_LABEL):
        if block.field == "title":
            blocks.append(_titled(block))
        elif block.field == "description" and _FLATTENED.search(block.text):
            blocks.extend(_unflattened(block))
        else:
            blocks.append(block)
    return blocks


def _unflattened(block: Block) -> list[Block]:
    """The blocks of a page that stands on one line."""
    text = _FLAT_HEADING.sub(r"\1\n", split_flattened(block.text))
    return [
        found
        for heading, part in _sections(text, 1, [])
        for found in _labelled(Block(_field_of(heading) if heading else block.field, heading, part), _LABEL)
    ]


def split_flattened(line: str) -> str:
    """The line with a line break before each heading and label, and without a mark that is cut off at its end."""
    return _FLAT_BREAK.sub("\n", _CUT_MARK.sub("", line))


def _titled(block: Block) -> Block:
    for match in _HEADING.finditer(block.text):
        if TITLE.match(match[2]):
            return Block("title", match[2], block.text[: match.start()] + block.text[match.end() :])
    return block


def _sections(text: str, first_line: int, repairs: list[Repair]) -> Iterator[tuple[str, str]]:
    """(heading, text) pairs. Text that follows a literal ``\\n`` in a heading line is moved below the heading."""
    heading, lead, start, line = "", "", 0, first_line
    for match in _headings(text):
        yield heading, lead + text[start : match.start()]
        line += text.count("\n", start, match.start())
        heading, lead, start = match[2], "", match.end()
        escaped = _ESCAPED_BREAK.match(heading)
        if escaped is not None and escaped[1] in FIELDS:
            heading, lead = escaped[1], escaped[2].replace("\\n", "\n") + "\n"
            repairs.append((line, "escaped-heading", f"the text of {heading} was in its heading line"))
    yield heading, lead + text[start:]


def _headings(text: str) -> Iterator[re.Match[str]]:
    """The headings that divide a page: level 2, an opening level 1, and any level that names a field; not in code."""
    fences = [match.start() for match in _CODE_FENCE.finditer(text)]
    fences = fences if len(fences) % 2 == 0 else []
    is_first = True
    for match in _HEADING.finditer(text):
        in_code = bisect_left(fences, match.start()) % 2 == 1
        known = _field_of(match[2]) != "unknown"
        if not in_code and (known or len(match[1]) == 2 or (len(match[1]) == 1 and is_first)):
            yield match
        is_first = False


def _field_of(heading: str) -> str:
    if not heading or TITLE.match(heading):
        return "title"
    name = _NUMBERING.sub("", heading.split("\\n", 1)[0]).strip(" \t:：*")
    return FIELDS.get(name, "unknown")


def _labelled(block: Block, label: re.Pattern[str]) -> Iterator[Block]:
    """The text before the first label below the block's own name, the rest below each label."""
    if label is _LABEL and block.field in _WHOLE:
        yield block
        return
    field, name, start = block.field, block.name, 0
    for match in label.finditer(block.text):
        yield Block(field, name, block.text[start : match.start()])
        name, start = match[1].strip(), match.end()
        field = FIELDS.get(name, "labelled")
    yield Block(field, name, block.text[start:])

"""The blocks of a NIM case -> its description, root cause, solution and details."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indexer.reading.nim.sections import FIELDS, TITLE, Block, entry_blocks, page_blocks
from indexer.reading.nim.values import longer, merged_customers, without_form_lines, without_templates

#: Where decision 4 looks for the description; the text below the title itself is the last resort.
_DESCRIPTION_ORDER = ("symptom", "description", "question", "background", "title")
_LAST_LABEL = re.compile(r"(?:\A|\n)\*\*[^*\n]{1,20}\*\*[:：]?\s*\Z")


@dataclass(frozen=True, slots=True)
class PageText:
    """What the body of a case says, in its own words; ``mended`` are (line, detail) repairs."""

    title: str = ""
    description: str = ""
    root_cause: str = ""
    solution: str = ""
    details: tuple[str, ...] = ()
    customers: tuple[str, ...] = ()
    mended: tuple[tuple[int, str], ...] = ()


def read_page(body: str, first_line: int = 1) -> PageText:
    """Decisions 4 and 5: a single-document case."""
    mended: list[tuple[int, str]] = []
    return _collect(page_blocks(body, first_line, mended), mended)


def read_entry(text: str) -> PageText:
    """Cases.md M11, M18, M21: one entry, without its comment and the rule that ends it."""
    return _collect(entry_blocks(_without_rule(text)), ())


def _collect(blocks: Iterable[Block], mended: Iterable[tuple[int, str]]) -> PageText:
    kept = [Block(block.field, block.name, text) for block in blocks if (text := _clean(block)) or block.name]
    described = _description(kept)
    cause, other_cause = _best(block.text for block in kept if block.field == "cause")
    solution, other_solution = _best(block.text for block in kept if block.field == "solution")
    own = {"cause", "solution"}
    rest = [_detail(block) for block in kept if block is not described and block.field not in own]
    titles = [TITLE.sub("", block.name) for block in kept if block.field == "title" and block.name]
    merged = [merged_customers(block.text) for block in kept if block.field == "other"]
    return PageText(
        title=titles[0] if titles else "",
        description=described.text,
        root_cause=cause,
        solution=solution,
        details=tuple(dict.fromkeys(text for text in (*rest, *other_cause, *other_solution) if text)),
        customers=tuple(name for names in merged for name in names),
        mended=tuple(mended),
    )


def _clean(block: Block) -> str:
    text = without_templates(_without_rule(block.text))
    if block.field == "environment":
        return without_form_lines(text)
    return _LAST_LABEL.sub("", text) if text.endswith(("**", "：", ":")) else text


def _without_rule(text: str) -> str:
    text = text.strip()
    while text.endswith("---") and not text.rpartition("\n")[2].strip("- \t"):
        text = text.rpartition("\n")[0].rstrip()
    return text


def _description(blocks: Sequence[Block]) -> Block:
    for field in _DESCRIPTION_ORDER:
        for block in blocks:
            if block.field == field and block.text:
                return block
    return Block("", "", "")


def _detail(block: Block) -> str:
    """A block outside the fields; a name of the author's own choosing is part of what it says."""
    own = block.name and block.text and block.field in {"unknown", "labelled"} and block.name not in FIELDS
    return f"{block.name}\n{block.text}" if own else block.text


def _best(texts: Iterable[str]) -> tuple[str, list[str]]:
    """The longest real text, and the others that say something else."""
    best, others = "", list[str]()
    for text in texts:
        best, other = longer(best, text)
        others.append(other)
    return best, others

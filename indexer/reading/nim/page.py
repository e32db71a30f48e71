"""Collects the description, root cause, solution and details of a NIM case from the blocks of its text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indexer.reading.front_matter import Repair
from indexer.reading.nim.sections import FIELDS, TITLE, Block, entry_blocks, page_blocks
from indexer.reading.nim.values import better, listed_customers, merged_customers, without_form_lines, without_templates

#: The fields that may hold the description, best first (docs/decisions/nim.md#description-of-a-case).
_DESCRIPTION_ORDER = ("symptom", "description", "question", "background", "title")
#: Field of a section -> the function that finds the customers in its text.
_CUSTOMERS = {"other": merged_customers, "customers": listed_customers}
_LAST_LABEL = re.compile(r"(?:\A|\n)\*\*[^*\n]{1,20}\*\*[:：]?\s*\Z")


@dataclass(frozen=True, slots=True)
class PageText:
    """The texts of a case's body."""

    title: str = ""
    description: str = ""
    root_cause: str = ""
    solution: str = ""
    details: tuple[str, ...] = ()
    customers: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()


def read_page(body: str, first_line: int = 1) -> PageText:
    """Read the body of a page that is one case; it begins at line ``first_line``."""
    repairs: list[Repair] = []
    return _collect(page_blocks(body, first_line, repairs), repairs)


def read_entry(text: str) -> PageText:
    """Read the text of one entry, without its comment."""
    return _collect(entry_blocks(_without_rule(text)), ())


def _collect(blocks: Iterable[Block], repairs: Iterable[Repair]) -> PageText:
    kept = [Block(block.field, block.name, text) for block in blocks if (text := _clean(block)) or block.name]
    described = _description(kept)
    cause, other_cause = _best(block.text for block in kept if block.field == "cause")
    solution, other_solution = _best(block.text for block in kept if block.field == "solution")
    rest = [_detail(block) for block in kept if block is not described and block.field not in {"cause", "solution"}]
    titles = [TITLE.sub("", block.name) for block in kept if block.field == "title" and block.name]
    customers = [_CUSTOMERS[block.field](block.text) for block in kept if block.field in _CUSTOMERS]
    return PageText(
        title=titles[0] if titles else "",
        description=described.text,
        root_cause=cause,
        solution=solution,
        details=tuple(dict.fromkeys(text for text in (*rest, *other_cause, *other_solution) if text)),
        customers=tuple(name for names in customers for name in names),
        repairs=tuple(repairs),
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
    """The text of a block outside the fields, with its heading or label if that is not one of ``FIELDS``."""
    keeps_name = block.name and block.text and block.field in {"unknown", "labelled"} and block.name not in FIELDS
    return f"{block.name}\n{block.text}" if keeps_name else block.text


def _best(texts: Iterable[str]) -> tuple[str, list[str]]:
    """The longest text that is not a placeholder, and the others that are not contained in it."""
    best, others = "", list[str]()
    for text in texts:
        best, other = better(best, text)
        others.append(other)
    return best, others

"""Other ways to search: SetSimilaritySearch, BM25 over the words of jieba, both in memory, and grep over the texts."""

import math
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jieba

from query.analysis.tokens import jaccard_tokens
from query.index import Index
from query.nim.matching import CANDIDATE_THRESHOLDS
from query.nim.units import compared_texts

TEXTS = "SELECT display_title, description, root_cause, solution FROM nim_unit ORDER BY id"


class Library:
    """SetSimilaritySearch over the same sets, one index per field."""

    def __init__(self, index: Index) -> None:
        from SetSimilaritySearch import SearchIndex  # noqa: PLC0415  # an extra that need not be there

        self.units: dict[str, list[int]] = {}
        self.indexes: dict[str, Any] = {}
        texts = list(compared_texts(index, literal=False))
        for field, least in CANDIDATE_THRESHOLDS.items():
            sets = {text.unit: jaccard_tokens(_joined(getattr(text, field))) for text in texts}
            self.units[field] = [unit for unit, tokens in sets.items() if tokens]
            filled = [tokens for tokens in sets.values() if tokens]
            self.indexes[field] = SearchIndex(filled, "jaccard", least / 100)

    def found(self, field: str, tokens: frozenset[str]) -> set[int]:
        """The units whose set reaches the field's threshold."""
        units = self.units[field]
        return {units[number] for number, _ in self.indexes[field].query(tokens)} if tokens else set()


def _joined(text: str | tuple[str, ...]) -> str:
    return text if isinstance(text, str) else " ".join(text)


def installed() -> bool:
    """Whether the library is installed. Prints a line if not."""
    try:
        import SetSimilaritySearch  # noqa: F401, PLC0415  # an extra that need not be there
    except ImportError:
        print("skip: SetSimilaritySearch is not installed (pip install 'rtckb[bench]'); its columns stay empty")
        return False
    return True


class Bm25:
    """Plain Okapi BM25 in dictionaries (k1 1.2, b 0.75), over the words of title, description, cause and solution."""

    def __init__(self, index: Index) -> None:
        jieba.setLogLevel(60)
        self.postings: dict[str, list[tuple[int, int]]] = {}
        self.lengths: list[int] = []
        for number, texts in enumerate(index.rows(TEXTS)):
            words = Counter(word for word in jieba.cut(" ".join(texts), HMM=False) if word.strip())
            self.lengths.append(words.total())
            for word, times in words.items():
                self.postings.setdefault(word, []).append((number, times))
        self.mean = sum(self.lengths) / max(1, len(self.lengths))

    def best(self, text: str, number: int = 5) -> list[int]:
        """The best documents of a question, cut by jieba as they were."""
        scores: dict[int, float] = {}
        for word in set(jieba.cut(text, HMM=False)):
            found = self.postings.get(word, ())
            rarity = math.log(1 + (len(self.lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for document, times in found:
                norm = 1.2 * (0.25 + 0.75 * self.lengths[document] / self.mean)
                scores[document] = scores.get(document, 0.0) + rarity * times * 2.2 / (times + norm)
        return sorted(scores, key=lambda document: -scores[document])[:number]


def write_texts(index: Index, target: Path) -> None:
    """Every unit's texts as one line of a file, for grep."""
    with target.open("w", encoding="utf-8") as file:
        file.writelines(" ".join(" ".join(texts).split()) + "\n" for texts in index.rows(TEXTS))


def greps(text: str, target: Path) -> dict[str, list[str]]:
    """Commands that look for any word of a question in a file of texts, by each of the tools that is there."""
    words = re.findall(r"\w+", text)[:6]
    given = [part for word in words for part in ("-e", word)]
    return {tool: [tool, "-c", "-F", *given, str(target)] for tool in ("grep", "rg") if shutil.which(tool)}


def named(tools: Sequence[str]) -> str:
    """Which of the search tools are missing, as a line to print."""
    missing = [tool for tool in ("grep", "rg") if tool not in tools]
    return f"skip: no {', '.join(missing)}" if missing else ""

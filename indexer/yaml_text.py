"""YAML with every scalar as text: ``0414``, ``9.10``, ``no`` and dates stay as they are written.

A document is bounded: too many values from aliases and too many levels are refused before anything is expanded.
"""

from dataclasses import dataclass
from typing import Any

import yaml

#: Values that aliases may repeat. The largest real index has some 700 values and no alias.
MAX_REPEATED = 100_000
#: Levels of nesting. Pages and indexes use four; every recursion over values stays far from Python's own limit.
MAX_DEPTH = 100

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class YamlRefused(ValueError):
    """A text that is not YAML or exceeds a limit; ``line`` counts from 1 and is 0 if unknown."""

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed document: text, lists and mappings, or None if it is empty.

    ``duplicate_keys`` are (line, key) where a mapping repeats a key for the first time. The last value is kept.
    """

    value: Any
    duplicate_keys: tuple[tuple[int, str], ...]


class _TextLoader(_Loader):  # type: ignore[misc, valid-type]  # C or Python, whichever is installed
    """Composes nodes without resolving the types of scalars, which takes half of the time of a full load."""

    def resolve(self, *_: object) -> str:
        return ""

    def descend_resolver(self, *_: object) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


def parse_yaml(text: str) -> Document:
    """Parse YAML with every scalar as text.

    Raises:
        YamlRefused: the text is not YAML, its aliases repeat more than ``MAX_REPEATED`` values, or it has more than
            ``MAX_DEPTH`` levels (an alias that contains itself has infinitely many).
    """
    try:
        node = yaml.compose(text, Loader=_TextLoader)
    except RecursionError as error:
        raise too_deep() from error
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        raise YamlRefused(problem.split("\n")[0], mark.line + 1 if mark else 0) from error
    converter = _Converter()
    return Document(converter.convert(node, 0), tuple(sorted(converter.duplicates)))


def load_strings(text: str) -> Any:
    """The value of a YAML document; the errors are those of ``parse_yaml``."""
    return parse_yaml(text).value


def too_deep() -> YamlRefused:
    """The error for values with too many levels."""
    return YamlRefused(f"values nested more than {MAX_DEPTH} levels deep")


class _Converter:
    """Converts composed nodes to values. A node that is met again belongs to an alias and counts as repeated."""

    def __init__(self) -> None:
        self.duplicates: set[tuple[int, str]] = set()
        self._seen: set[int] = set()
        self._repeated = 0

    def convert(self, node: yaml.Node | None, depth: int) -> Any:
        if node is None:
            return None
        self._count(node)
        if isinstance(node, yaml.ScalarNode):
            return node.value
        if depth == MAX_DEPTH:
            raise too_deep()
        if isinstance(node, yaml.SequenceNode):
            return [self.convert(item, depth + 1) for item in node.value]
        result: dict[str, Any] = {}
        repeated: dict[str, int] = {}
        for key_node, value_node in node.value:
            key = self.convert(key_node, depth + 1)
            key = key if isinstance(key, str) else str(key)
            if key in result:
                repeated.setdefault(key, key_node.start_mark.line + 1)
            result[key] = self.convert(value_node, depth + 1)
        self.duplicates.update((line, key) for key, line in repeated.items())
        return result

    def _count(self, node: yaml.Node) -> None:
        if id(node) in self._seen:
            self._repeated += 1
            if self._repeated > MAX_REPEATED:
                raise YamlRefused(f"aliases that repeat more than {MAX_REPEATED} values")
        self._seen.add(id(node))

"""Documents as YAML, without a YAML library: block mappings, lists and scalars are all that ours consist of."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_一-鿿][\w一-鿿 /.()（），、。-]*")
#: What JSON leaves bare inside quotes and a YAML reader refuses, or takes for a line end.
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_WORDS_OF_YAML = {"null", "true", "false", "yes", "no", "on", "off", "y", "n", "~"}


def as_yaml(document: Mapping[str, Any]) -> str:
    """The document as block YAML that any reader gives back unchanged."""
    return "\n".join(_yaml(document, 0))


def _yaml(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Block YAML of mappings, lists and scalars: what our documents consist of."""
    pad = "  " * depth
    for key, item in value.items():
        if isinstance(item, Mapping) and item:
            yield f"{pad}{_scalar(key)}:"
            yield from _yaml(item, depth + 1)
        elif isinstance(item, Sequence) and not isinstance(item, str) and item:
            yield f"{pad}{_scalar(key)}:"
            for element in item:
                yield from _element(element, depth)
        else:
            yield f"{pad}{_scalar(key)}: {_scalar(item)}"


def _element(element: Any, depth: int) -> Iterator[str]:
    pad = "  " * depth
    if not isinstance(element, Mapping) or not element:
        yield f"{pad}- {_scalar(element)}"
        return
    lines = list(_yaml(element, depth + 1))
    yield f"{pad}- {lines[0].lstrip()}"
    yield from lines[1:]


def _scalar(value: Any) -> str:
    """A scalar; text is quoted as JSON, which is YAML, unless it is plainly safe."""
    if (
        isinstance(value, str)
        and _PLAIN.fullmatch(value)
        and value.lower() not in _WORDS_OF_YAML
        and value == value.strip()
    ):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return _NOT_IN_YAML.sub(lambda bare: f"\\u{ord(bare[0]):04x}", quoted)

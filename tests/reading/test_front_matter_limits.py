"""Front matter that is hostile, huge, or read by the other YAML parser."""

import pytest
import yaml

from indexer.reading import front_matter
from indexer.reading.front_matter import AliasBomb, load_strings, split_page

KEYS = ("title", "solution", "tags")


def _bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, levels)]
    return "\n".join(lines)


def test_alias_bomb_is_refused_by_count() -> None:
    """A page of aliases upon aliases is never expanded; a large one without any is read (C15)."""
    with pytest.raises(AliasBomb):
        load_strings(_bomb(30))
    page = split_page(f"---\ntitle: a\n{_bomb(30)}\n---\nbody", KEYS)
    assert page.repairs[0][1] == "yaml-refused"
    assert page.body == "body"
    large = load_strings("\n".join(f"k{n}: [a, b]" for n in range(5000)))
    assert isinstance(large, dict)
    assert len(large) == 5000


@pytest.mark.parametrize("text", ["a: " + "[" * 100_000, "a: &a [*a]", "a: b\n" * 50_000])
def test_hostile_yaml_ends(text: str) -> None:
    """Deep, recursive and huge documents end with fields or a repair, never with a crash."""
    page = split_page(f"---\n{text}\n---\nb", KEYS)
    assert page.fields or page.repairs


def test_long_pages_are_linear() -> None:
    """A page of many entries and rules is divided in time that grows with its length (M10, G13)."""
    body = "<!-- entry: tags=[] -->\n## Q: a\n\n---\n\n" * 20_000
    assert split_page(f"---\ntitle: a\n---\n{body}", KEYS).body == body


BLOCKS = [
    "title: a\ntags: [x, 0414]\nsolution: |\n  b\n  c\n",
    "a: 'b'\nc: \"d\\n\"\ne: [f, {g: h}]\n",
    "",
    "a: ~\n? [x]\n: y\n",
]


@pytest.mark.parametrize("block", BLOCKS)
def test_both_yaml_parsers_agree(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """libyaml and pure Python give the same fields, so that a build does not depend on the machine (C23)."""
    pure = type(
        "Pure",
        (yaml.BaseLoader,),
        {"resolve": lambda *_: "", "descend_resolver": lambda *_: None, "ascend_resolver": lambda *_: None},
    )
    with_c = load_strings(block)
    monkeypatch.setattr(front_matter, "_TextLoader", pure)
    assert load_strings(block) == with_c

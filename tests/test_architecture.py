"""Who may import what, and who may print: the layers of design.md, read from the source."""

import ast
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import ROOT

Run = Callable[..., subprocess.CompletedProcess[bytes]]
PACKAGES = ("fileformat", "indexer", "query")
#: What a bundle carries is no module of the indexer: it runs in the archive, before anything else.
CARRIED = ROOT / "indexer" / "package" / "plugin"
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for name in PACKAGES
    for path in (ROOT / name).rglob("*.py")
    if CARRIED not in path.parents
)


def _tree(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text("utf-8"))


def _imports(file: str) -> set[str]:
    """The top-level packages that a file imports, wherever in it."""
    return {name for node in ast.walk(_tree(file)) for name in _named(node)}


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, "a relative import"
        yield (node.module or "").partition(".")[0]


#: Package -> what none of its files may import.
FORBIDDEN = {
    "fileformat": {"indexer", "query", "rtckb", "jieba", "yaml", "sqlite_utils", "frontmatter"},
    "indexer": {"query", "rtckb"},
    "query": {"indexer", "rtckb", "jieba", "yaml", "sqlite_utils", "frontmatter"},
}


@pytest.mark.parametrize("file", FILES)
def test_layers(file: str) -> None:
    """The two halves never import each other, and neither the front door."""
    assert _imports(file) & FORBIDDEN[file.partition("/")[0]] == set()


#: The commands, and the options and the error class that the query commands share.
COMMANDS = {file for file in FILES if file.endswith("/cli.py")} | {"indexer/options.py", "query/options.py"}

#: Library -> the only files that import it.
ONLY = {
    "jieba": {"indexer/segment.py"},
    "sqlite_utils": {"indexer/write.py"},
    "frontmatter": {"indexer/frontmatter.py"},
    "mcp": {"query/mcp/server.py"},
    "click": COMMANDS | {"fileformat/command.py"},
}


@pytest.mark.parametrize(("library", "files"), ONLY.items(), ids=ONLY)
def test_only(library: str, files: set[str]) -> None:
    """One file knows each library that could be exchanged."""
    assert {file for file in FILES if library in _imports(file)} <= files
    assert all(library in _imports(file) for file in files)


PRINTERS = COMMANDS | {"query/output.py"}


def _says(file: str) -> Iterator[int]:
    """Lines that print, write to a standard stream, or end the process."""
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.Name) and node.id in {"print", "SystemExit", "input"}:
            yield node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            if name in {"sys.stdout", "sys.stderr", "sys.stdin", "sys.exit", "click.echo"}:
                yield node.lineno


@pytest.mark.parametrize("file", [file for file in FILES if file not in PRINTERS])
def test_prints_nothing(file: str) -> None:
    """Only the commands print and exit."""
    assert list(_says(file)) == []


def test_printers_print() -> None:
    """The scan sees a file that prints."""
    printing = {file for file in FILES if list(_says(file))}
    assert {"indexer/cli.py", "indexer/options.py", "query/output.py", "query/options.py"} <= printing


def test_front_door_imports_neither_half() -> None:
    """The front door needs click, and neither half before a command is called."""
    tops = {name for node in _tree("rtckb.py").body for name in _named(node)}
    assert "click" in tops
    assert not tops & {"indexer", "query"}


@pytest.mark.parametrize("file", FILES)
def test_no_numbered_parameters(file: str) -> None:
    """Of ``?1`` in a statement Python 3.12.1 warns, whatever is bound to it."""
    texts = [node.value for node in ast.walk(_tree(file)) if isinstance(node, ast.Constant)]
    assert [text for text in texts if isinstance(text, str) and re.search(r"SELECT.*\?[0-9]", text, re.DOTALL)] == []


QUERY = """
import sys
import query.cli
heavy = {"jieba", "yaml", "sqlite_utils", "frontmatter", "indexer", "mcp", "multiprocessing", "concurrent"}
print(sorted(name for name in sys.modules if name.partition(".")[0] in heavy))
"""


def test_query_runs_without_the_builders_tools(python: Run) -> None:
    """The query half loads no tokenizer, no YAML, no sqlite-utils, and nothing of the indexer (D12, B18)."""
    done = python("-c", QUERY)
    assert (done.stdout, done.stderr) == (b"[]\n", b"")


def test_answer_without_the_builders_tools(python: Run, sample_db: Path) -> None:
    """Nor does it while it answers."""
    code = f"import sys, rtckb; rtckb.main(['trtc', '弹幕怎么发', '--db', {str(sample_db)!r}], standalone_mode=False);"
    code += QUERY.replace("import query.cli", "sys.stdout = sys.stderr")
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b"[]\n"


INDEXER = "import sys, indexer.build; print([name for name in ('jieba', 'query', 'rtckb') if name in sys.modules])"


def test_indexer_loads_no_tokenizer_yet(python: Run) -> None:
    """Importing the build loads neither the tokenizer nor the query half."""
    assert python("-c", INDEXER).stdout == b"[]\n"

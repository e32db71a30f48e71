"""Who may import what: the contracts of import-linter, and what each half loads; who may print and exit."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

Run = Callable[..., subprocess.CompletedProcess[bytes]]


def test_import_contracts(tmp_path: Path) -> None:
    """Every contract of pyproject.toml is kept: layers, no circles, one module per exchangeable library."""
    argv = [Path(sys.executable).with_name("lint-imports"), "--cache-dir", tmp_path]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()


QUERY = """
import sys
import query.cli, query.trtc.cli, query.nim.cli
heavy = {"jieba", "yaml", "sqlite_utils", "frontmatter", "indexer", "mcp", "multiprocessing", "concurrent"}
print(sorted(name for name in sys.modules if name.partition(".")[0] in heavy))
"""


def test_query_loads_no_tool_of_the_indexer(python: Run) -> None:
    """The query commands load no tokenizer, no YAML, no sqlite-utils and nothing of the indexer."""
    done = python("-c", QUERY)
    assert (done.stdout, done.stderr) == (b"[]\n", b"")


def test_an_answer_loads_no_tool_of_the_indexer(python: Run, sample_db: Path) -> None:
    """Nor does a search."""
    code = f"import sys, rtckb; rtckb.main(['trtc', '弹幕怎么发', '--db', {str(sample_db)!r}], standalone_mode=False);"
    code += QUERY.replace("import query.cli", "sys.stdout = sys.stderr; import query.cli")
    done = python("-c", code)
    assert (done.returncode, done.stderr) == (0, b"[]\n")


def test_indexer_loads_no_tokenizer(python: Run) -> None:
    """Importing the build loads no tokenizer: a build without new text needs none."""
    code = (
        "import sys, indexer.build; print([name for name in ('jieba', 'rtckb', 'query.index') if name in sys.modules])"
    )
    assert python("-c", code).stdout == b"[]\n"


#: Calls that print, use a standard stream, or end the process.
_PRINTS = re.compile(r"\bprint\(|\binput\(|\bsys\.(?:stdout|stderr|stdin|exit)\b|\bSystemExit\b|\bclick\.echo\b")


@pytest.mark.parametrize("package", ["indexer", "query"])
def test_only_commands_print(package: str) -> None:
    """Only the files of commands and their output print or exit; the start of the archive is the exception."""
    printing = {path for path in (ROOT / package).rglob("*.py") if _PRINTS.search(path.read_text("utf-8"))}
    commands = {path for path in printing if path.name in {"cli.py", "command.py", "output.py"}}
    assert printing - commands <= {ROOT / "indexer/package/plugin/__main__.py"}
    assert ROOT / package / "cli.py" in commands

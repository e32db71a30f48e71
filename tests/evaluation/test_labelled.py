"""Files of labelled queries are read, or refused with the line and the fault."""

import json
from pathlib import Path

import pytest
from labelled_support import row
from query_support import invoke

from query.evaluation.labelled import BadLabels, is_nim, read_labelled

GOOD = json.dumps(row())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("\n\n", "no rows"),
        (f"{GOOD}\n{{", ":2: no JSON"),
        (f"\n{GOOD}\n[]", ":3: wanted an object"),
        ("{}", ":1: wanted an object"),
        ('{"query": "q"}', ":1: wanted an object"),
        ('{"query": 1, "expect": {}}', ":1: wanted an object"),
        (json.dumps(row() | {"query": 1}), ":1: query: found 1; wanted a text"),
        (json.dumps(row() | {"query": " "}), ":1: query: found ' '; wanted a text"),
        (json.dumps(row() | {"id": [1]}), ":1: id: found [1]; wanted a text"),
        (json.dumps(row(file_paths=5)), ":1: file_paths: found 5; wanted a list of texts"),
        (json.dumps(row(max_confidence="medum")), ":1: max_confidence: found 'medum'; wanted high, medium, low"),
        ('{"query": "q", "fields": ["x"], "expect": {"none": true}}', ":1: fields."),
        ('{"query": "q", "fields": {"tags": 5}, "expect": {"none": true}}', ":1: fields.tags: found 5"),
        ('{"query": "q", "fields": {"title": 5}, "expect": {"paths": []}}', ":1: fields.title: found 5"),
        (f"{GOOD}\n{GOOD}", ":2: id 'r' is on line 1 too"),
        ('{"query": "q", "expect": {}}', ":1: wanted an object"),
        (
            '{"query": "q", "expect": {"status": "matched", "top1": "x", "relevant": []}}',
            ":1: top1: found 'x'; wanted a list",
        ),
        (json.dumps(row() | {"product": 3}), ":1: product: found 3; wanted a text"),
        (json.dumps(row(status=None)), ":1: status: found None; wanted a list of texts"),
        (json.dumps(row(status_alt="matched")), ":1: status_alt: found 'matched'; wanted a list of texts"),
        (json.dumps(row() | {"status_alt": [1]}), ":1: status_alt: found [1]; wanted a list of texts"),
    ],
)
def test_bad_labels(text: str, message: str, tmp_path: Path, sample_db: Path) -> None:
    """The error names the line, the field and what was wanted; exit code 1."""
    path = tmp_path / "rows.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(BadLabels) as caught:
        read_labelled(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    result = invoke(sample_db, "eval", str(path))
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.parametrize("name", ["missing", "folder", "binary"])
def test_unreadable_labels(name: str, tmp_path: Path) -> None:
    """A missing file, a folder and a file that is no text cannot be read."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\0")
    with pytest.raises(BadLabels, match="cannot be read"):
        read_labelled(tmp_path / name)


def test_a_row_without_an_id(tmp_path: Path) -> None:
    """The id of a row without one is its line."""
    path = tmp_path / "rows.jsonl"
    path.write_text('\n{"query": "q", "expect": {"none": true}}\n' + GOOD, "utf-8")
    assert [labelled["id"] for labelled in read_labelled(path)] == ["line 2", "r"]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85"])
def test_line_separators_within_a_row(separator: str, tmp_path: Path) -> None:
    """Only a line feed ends a row: a text may contain the other line ends of Unicode as they are."""
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row() | {"query": f"a{separator}b"}, ensure_ascii=False) + "\r\n", "utf-8")
    assert [labelled["query"] for labelled in read_labelled(path)] == [f"a{separator}b"]


def test_is_nim() -> None:
    """A row is one of NIM if it expects paths or nothing."""
    assert not is_nim(row())
    assert is_nim({"query": "q", "expect": {"paths": []}})
    assert is_nim({"query": "q", "expect": {"none": True}})
    assert not is_nim(row(none=False))

"""--update-golden: rewrite the documents under tests/golden from what the command answers now. Review the diff.

``PYTHONPATH=tests pytest -p golden_plugin --update-golden tests/test_golden.py``
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the option."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the documents under tests/golden")

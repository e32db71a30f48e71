"""--update-golden, --update-floors: rewrite what is held on to from what the command answers now. Review the diff.

``PYTHONPATH=tests pytest -n 0 -p golden_plugin --update-golden tests/test_golden.py``
``PYTHONPATH=tests pytest -n 0 -p golden_plugin --update-floors tests/test_quality.py``
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options."""
    parser.addoption("--update-golden", action="store_true", help="rewrite the documents under tests/golden")
    parser.addoption("--update-floors", action="store_true", help="rewrite the figures under tests/floors")

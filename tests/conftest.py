"""An assertion in a helper says as much as one in a test: pytest rewrites no other modules by itself."""

from pathlib import Path

import pytest

# Helpers are imported as `tests.support`, or from their own folder as `server.pipe`.
pytest.register_assert_rewrite("tests", *(it.parent.name for it in Path(__file__).parent.glob("*/__init__.py")))

"""What holds for the whole suite, which runs on all cores of a machine that may be busy."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

# An assertion in a helper says as much as one in a test: pytest rewrites no other modules by itself.
# Helpers are imported as `tests.support`, or from their own folder as `server.pipe`.
pytest.register_assert_rewrite("tests", *(it.parent.name for it in Path(__file__).parent.glob("*/__init__.py")))

# The tool is started hundreds of times: what Python compiled of it is kept, whatever the environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# By the clock, an example fails that had to wait for its core.
settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")


def pytest_collection_finish() -> None:
    """What was collected stays: it is not looked through again and again. Else as the tool has it (`cli.main`)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 100, 100)


@pytest.fixture
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is kept for a later start is this test's own."""
    with patch.dict(os.environ, XDG_CACHE_HOME=str(tmp_path_factory.mktemp("caches"))):
        yield

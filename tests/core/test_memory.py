"""What is let go of is given back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

_KEEPS = """
import psutil
from occupancy_lsp.core.memory import give_back_early
give_back_early()
large = bytearray(20 << 20)
del large
before = psutil.Process().memory_info().rss
blocks = [bytearray(b"x" * (500 << 10)) for _ in range(40)]
full = psutil.Process().memory_info().rss
del blocks
print(full - before, psutil.Process().memory_info().rss - before)
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "mallopt"), reason="other C libraries do as they do"
)
def test_one_large_block_does_not_have_others_kept() -> None:
    done = subprocess.run([sys.executable, "-c", _KEEPS], capture_output=True, text=True, check=True)
    full, kept = map(int, done.stdout.split())
    assert full > 19 << 20
    assert kept < 3 << 20

"""`python -m tests.differential --count N --seed S`: draw programs, compile and run them, compare every figure."""

from __future__ import annotations

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())

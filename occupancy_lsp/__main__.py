"""`python -m occupancy_lsp` is `occupancy-lsp`."""

import sys

from occupancy_lsp.cli.main import main

if __name__ == "__main__":  # a process of `check --jobs` may import it
    sys.exit(main())

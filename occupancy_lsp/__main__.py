"""`python -m occupancy_lsp` is `occupancy-lsp`."""

import sys

from occupancy_lsp.cli.main import main

sys.exit(main())

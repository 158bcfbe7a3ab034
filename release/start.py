"""Starts the server that stands beside this file, whose binary modules are of several Pythons: each finds its own."""

import sys

# An older Python 3 may be asked to run this, too.
if sys.version_info < (3, 10):  # noqa: UP036
    sys.exit("Python 3.10 or newer is needed, and this is %d.%d" % sys.version_info[:2])  # noqa: UP031
try:
    import tree_sitter  # noqa: F401
    import tree_sitter_cuda  # noqa: F401
except ImportError as error:
    sys.exit("this Python %d.%d does not run it: %s" % (*sys.version_info[:2], error))  # noqa: UP031

from occupancy_lsp.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

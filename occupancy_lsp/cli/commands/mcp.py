"""`mcp`: the commands as tools for coding agents."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.agents.folder import Folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root",
        default=".",
        metavar="FOLDER",
        help="the folder to look into, and nothing outside of it (default: the current one)",
    )
    parser.add_argument(
        "--compile", action="store_true", help="let the agent start compilers of this machine: adds the tool bounds"
    )


def run(options: argparse.Namespace) -> int:
    """Until standard input ends."""
    root = Path(os.path.realpath(options.root))
    if not root.is_dir():
        raise Failed(f"{options.root}: no such folder.")
    try:
        from occupancy_lsp.cli.commands.agents.serving import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("occupancy_lsp"):
            raise
        raise Failed("the library mcp is not installed: `pip install 'occupancy-lsp[mcp]'` installs it.") from None
    from occupancy_lsp.cli.commands.agents.diffing import DIFF
    from occupancy_lsp.cli.commands.agents.tools import TOOLS
    from occupancy_lsp.cli.commands.agents.trying import BOUNDS, WHAT_IF

    os.chdir(root)  # paths are shown from it on
    serve((*TOOLS, WHAT_IF, DIFF, BOUNDS), Folder(root), options.compile)
    return 0

"""`serve`: the language server."""

from __future__ import annotations

from occupancy_lsp.server.app import add_arguments, run

__all__ = ["add_arguments", "run"]

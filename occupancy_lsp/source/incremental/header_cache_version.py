"""Which reader it is, so that what another has read of the same text is not taken for what this one reads."""

from __future__ import annotations

from dataclasses import fields

import tree_sitter
import tree_sitter_cuda

from occupancy_lsp import __version__, core, source
from occupancy_lsp.core.code_version import code_version
from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.lex.dialect import Dialect


@remembered(1)
def reader_version() -> bytes:
    """Tells one version of what reads headers from another; empty: it cannot be told."""
    found = code_version(source, core, tree_sitter, tree_sitter_cuda)
    return __version__.encode() + found if found else b""


@remembered(64)
def dialect_version(dialect: Dialect) -> bytes:
    """All that bears on how a text is read in it."""
    ordered = (
        dialect.name,
        sorted(dialect.words.items()),
        sorted(dialect.macros.items()),
        sorted(dialect.absent),
        dialect.harmless.pattern,
        sorted(dialect.arrays.items()),
        dialect.calls,
        sorted(dialect.carrying),
        sorted(dialect.kernel_calls),
        sorted(dialect.silent_calls),
        sorted(dialect.makers),
        dialect.foreign.pattern,
        [(it.name, getattr(dialect, it.name)) for it in fields(dialect) if it.type == "bool"],
    )
    return repr(ordered).encode()

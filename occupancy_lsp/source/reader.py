"""Which reader it is, so that what another has read of the same text is not taken for what this one reads."""

from __future__ import annotations

import os

import tree_sitter
import tree_sitter_cuda

from occupancy_lsp import __version__, core, source
from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.text.dialects import Dialect


@remembered(1)
def reader_version() -> bytes:
    """Tells one version of what reads headers from another; empty: it cannot be told."""
    found = [__version__]
    try:
        for package in (source, core, tree_sitter, tree_sitter_cuda):
            for folder, _, names in os.walk(str(package.__path__[0])):
                for name in sorted(names):
                    if name.endswith((".py", ".so", ".pyd")):
                        status = os.stat(os.path.join(folder, name))
                        found.append(f"{folder}/{name} {status.st_mtime_ns} {status.st_size}")
    except (OSError, IndexError):
        return b""
    return "\n".join(sorted(found)).encode("utf-8", "surrogateescape") if len(found) > 1 else b""


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
        dialect.foreign.pattern,
        (dialect.defaults, dialect.opencl, dialect.host, dialect.hosted, dialect.moves_arrays),
    )
    return repr(ordered).encode()

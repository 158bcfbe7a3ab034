"""Which reader it is, so that what another has read of the same text is not taken for what this one reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace

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
    """All that bears on how a header is read in it, which macros that are statements or launches do not."""
    annotations = replace(dialect.annotations, statements={}, launchers=frozenset())
    return repr(_as_plain_values(replace(dialect, annotations=annotations))).encode()


def _as_plain_values(value: object) -> object:
    """Return what is equal in each process, in an order of its own."""
    match value:
        case re.Pattern():
            return value.pattern
        case frozenset():
            return sorted(value)
        case Mapping():
            return sorted(value.items())
    if is_dataclass(value):
        return [_as_plain_values(getattr(value, it.name)) for it in fields(value)]
    return value

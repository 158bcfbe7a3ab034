"""What languages have in common whose kernels are functions in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from occupancy_lsp.languages.language import Language
from occupancy_lsp.source.lex.dialect import Dialect

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.module import Found, Module
    from occupancy_lsp.source.incremental.kernel_text import KernelText


def in_python(
    title: str,
    dialect: Dialect,
    needs: tuple[bytes, ...],
    resolve: Callable[[Module, Mapping[str, int]], Found],
    **own: Any,
) -> Language:
    """A language whose files are read alone, with `resolve`, which finds the kernels and launches of one. `own`: other
    fields of `Language`."""
    return Language(
        dialect.name,
        title,
        dialect,
        suffixes=(".py",),
        units=(),
        editors=("python",),
        flags=(),
        needs=needs,
        preprocessed=False,
        resizes=False,
        comment="#",
        read=partial(_read, resolve=resolve),
        **{"run_by": ("nvidia",), "signs": True, **own},
    )


def _read(content: bytes, dialect: Dialect, resolve: Callable[[Module, Mapping[str, int]], Found]) -> KernelText:
    from occupancy_lsp.languages.python.source import PythonSource  # which not every command needs

    return PythonSource(content, dialect, resolve)

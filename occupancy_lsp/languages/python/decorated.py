"""Functions that a decorator makes kernels: what it is given, and a kernel of which nothing more is said."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.source.kernels.kernel import BodySummary, Kernel
from occupancy_lsp.source.kernels.local_memory import LocalMemory

AMONG_STARS = "it may stand in **"


@dataclass(frozen=True, slots=True)
class Decorated:
    """`options`: the decorator's call; None: it has none."""

    placed: Placed
    function: Function
    options: ast.Call | None

    @property
    def qualified(self) -> str:
        return ".".join((*self.function.outer, self.function.name))

    def option(self, name: str) -> ast.keyword | None:
        return next((it for it in self.options.keywords if it.arg == name), None) if self.options else None

    @property
    def has_stars(self) -> bool:
        return self.options is not None and any(it.arg is None for it in self.options.keywords)


def decorated(module: Module, names: Container[str]) -> Iterator[Decorated]:
    """The functions under a decorator that goes by one of these names."""
    for placed, function in module.decorated():
        for it in function.decorators:
            if module.scope.called(it) in names:
                yield Decorated(placed, function, it if isinstance(it, ast.Call) else None)
                break


def plain(it: Decorated, qualified: str) -> Kernel:
    """The kernel, with nothing stated and no local memory."""
    function, placed = it.function, it.placed
    return Kernel(
        placed.item, function.name, qualified,
        placed.place(function.name_span), placed.place(function.head), placed.place(function.body),
        BodySummary(LocalMemory((), 0, 0, "", False, ()), names=function.words),
    )  # fmt: skip


def launched_as(kernel: Kernel) -> str:
    """What its launches name, of which there may be several kernels."""
    return f"::{kernel.qualified}" if kernel.qualified != kernel.name else kernel.name

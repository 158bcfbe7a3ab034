"""Which kernels of programs in a Python file may have more shared memory than others, and how much: by CuPy's attribute
`kernel.max_dynamic_shared_size_bytes = n`, or PyCUDA's `kernel.set_attribute(….MAX_DYNAMIC_SHARED_SIZE_BYTES, n)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.held import Opted
from occupancy_lsp.languages.python.calling import Stands
from occupancy_lsp.languages.python.module import Module
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.program_launches import kernel_of
from occupancy_lsp.languages.python.program_texts import At
from occupancy_lsp.languages.python.statements import Function, Statement
from occupancy_lsp.languages.python.values import value
from occupancy_lsp.languages.python.walking import walk
from occupancy_lsp.source.lower.local_memory_opt_ins import count_python_opt_in_words

_ATTRIBUTE, _SETS, _NAMED = "max_dynamic_shared_size_bytes", "set_attribute", "MAX_DYNAMIC_SHARED_SIZE_BYTES"


def opted_in(module: Module, content: bytes) -> Mapping[At, Opted] | None:
    """By the program; None: the file has something that may let any kernel have more."""
    words = count_python_opt_in_words(content)
    found: dict[At, Opted] = {}
    understood = 0
    for of, amount in _said(module.statements) if words else ():
        kernel = kernel_of(module, of)
        if kernel is None:
            return None
        at, name = kernel
        given = value(amount, of.scope(module))
        found[at] = (*found.get(at, ()), (name, given if type(given) is int else None))
        understood += 1
    return found if understood == words else None


def _said(statements: Iterable[Placed]) -> Iterator[tuple[Stands, ast.expr]]:
    for placed in statements:
        for kernel, amount, around in _in_statement(placed.statement):
            yield Stands(kernel, placed, around), amount


@remembered(1024)
def _in_statement(statement: Statement) -> tuple[tuple[ast.expr, ast.expr, tuple[Function, ...]], ...]:
    functions = sorted(statement.functions, key=lambda it: it.body.start, reverse=True)
    found = []
    for node in (it for outer in statement.nodes for it in walk(outer)):
        match node:
            case ast.Assign(targets=[ast.Attribute(value=kernel, attr=attr)], value=amount) if attr == _ATTRIBUTE:
                pass
            case ast.Call(func=ast.Attribute(value=kernel, attr=attr), args=[ast.Attribute(attr=name), amount]) if (
                attr == _SETS and name == _NAMED
            ):
                pass
            case _:
                continue
        at = statement.span(kernel).start
        found.append((kernel, amount, tuple(it for it in functions if it.body.start <= at < it.body.end)))
    return tuple(found)

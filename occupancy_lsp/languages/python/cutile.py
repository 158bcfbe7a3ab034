"""cuTile's kernels: functions under `@ct.kernel`, with what they ask of the compiler.

How many threads a block has is the compiler's choice, and all shared memory is static. `num_ctas=` becomes
`.reqnctapercluster` from sm_90 on; `occupancy=` is a hint, which the compiler need not meet (tileiras 13.5).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from occupancy_lsp.languages.python.module import Found, Module
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.sizes import number
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.source.kernels.attributes import Given
from occupancy_lsp.source.kernels.kernels import Kernel
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.text.values import ONE, unknown

_KERNEL = "cuda.tile.kernel"
_BY_TARGET = "cuda.tile.ByTarget"
_STATED = ("occupancy", "num_ctas")
_FIRST_WITH_CLUSTERS = 900  # __CUDA_ARCH__
_CHOSEN = "cuTile's compiler chooses it"


@dataclass(frozen=True, slots=True)
class _Decorated:
    """`options`: the call of `ct.kernel`; None: it has none. `arch`: the device's `__CUDA_ARCH__`."""

    placed: Placed
    function: Function
    options: ast.Call | None
    arch: int


def resolve(module: Module, device: Mapping[str, int]) -> Found:
    """The kernels of a file. Its launches say nothing of threads or memory."""
    decorated = [*_decorated(module, device.get("__CUDA_ARCH__", 0))]
    names = [it.function.name for it in decorated]
    several = (names.count(it) > 1 for it in names)
    kernels = (module.make(it, partial(_kernel, *it)) for it in zip(decorated, several, strict=True))
    return Found(tuple(kernels))


def _decorated(module: Module, arch: int) -> Iterator[_Decorated]:
    for placed, function in module.decorated():
        found = next((it for it in function.decorators if module.scope.called(it) == _KERNEL), None)
        if found is not None:
            yield _Decorated(placed, function, found if isinstance(found, ast.Call) else None, arch)


def _kernel(it: _Decorated, several: bool, module: Module) -> Kernel:
    function, placed = it.function, it.placed
    name = placed.place(function.name_span)
    around = next(iter(module.around(function)), None)
    scope = module.inside(around)
    cluster = _option(it, "num_ctas", scope) if it.arch >= _FIRST_WITH_CLUSTERS else None
    return Kernel(
        placed.item, function.name, ".".join((*function.outer, function.name)) if several else function.name,
        name, placed.place(function.head), placed.place(function.body),
        template=None, bounds=None, max_registers=None, block=(name, (unknown(_CHOSEN), ONE, ONE)),
        cluster=(cluster.place, (cluster.value, ONE, ONE)) if cluster is not None else None,
        waves=None, most_waves=None, flat_size=None, least_flat_size=None, sub_group=None, wave="",
        local=LocalMemory((), 0, None, "laid out by cuTile's compiler", False, ()), names=function.words,
        conditional=False, configured=True, asked_groups=_option(it, "occupancy", scope),
        states=tuple(_states(it, scope)),
    )  # fmt: skip


def _states(it: _Decorated, scope: Scope) -> Iterator[tuple[str, int]]:
    """A number that differs in what was compiled says that it is of another version."""
    for name in _STATED:
        said = _argument(it.options, name) if it.options is not None else None
        found: Any = value(said.value, scope) if said is not None and _by_target(said, scope) is None else None
        stated = number(found, 1).number if found is not None else None
        if stated is not None:
            yield name, stated


def _option(it: _Decorated, name: str, scope: Scope) -> Given | None:
    """A number for the device, at the argument that says it; None: not given, so that the compiler chooses."""
    if it.options is None:
        return None
    said = _argument(it.options, name)
    if said is None:
        starred = _argument(it.options, None) is not None
        place = it.placed.place(it.placed.statement.span(it.options))
        return Given(place, unknown("it may stand in **")) if starred else None
    if (targets := _by_target(said, scope)) is not None:
        said = _argument(targets, f"sm_{it.arch // 10}") or _argument(targets, "default")
    found: Any = value(said.value, scope) if said is not None else None
    if said is None or found is None:
        return None
    literal = it.placed.place(it.placed.statement.span(said.value)) if isinstance(said.value, ast.Constant) else None
    return Given(it.placed.place(it.placed.statement.span(said)), replace(number(found, 1), literal=literal))


def _by_target(said: ast.keyword, scope: Scope) -> ast.Call | None:
    call = said.value
    return call if isinstance(call, ast.Call) and scope.dotted(call.func) == _BY_TARGET else None


def _argument(call: ast.Call, name: str | None) -> ast.keyword | None:
    return next((it for it in call.keywords if it.arg == name), None)

"""cuTile's kernels: functions under `@ct.kernel`, with what they ask of the compiler.

How many threads a block has is the compiler's choice, and all shared memory is static. `num_ctas=` becomes
`.reqnctapercluster` from sm_90 on; `occupancy=` is a hint, which the compiler need not meet (tileiras 13.5).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import Stands, called_name, calling
from occupancy_lsp.languages.python.decorated import AMONG_STARS, Decorated, decorated, plain
from occupancy_lsp.languages.python.module import Found, Module
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.sizes import number
from occupancy_lsp.languages.python.statements import Statement
from occupancy_lsp.languages.python.values import Scope, value
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, KernelAttributes
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.syntax.known_value import ONE, unknown

_KERNEL = "cuda.tile.kernel"
_BY_TARGET = "cuda.tile.ByTarget"
_STATED = ("occupancy", "num_ctas")
_FIRST_WITH_CLUSTERS = 900  # __CUDA_ARCH__
_CHOSEN = "cuTile's compiler chooses it"
_REPLACING = "replace_hints"
_REPLACED = "replace_hints() may say another number"


@dataclass(frozen=True, slots=True)
class _Kernel(Decorated):
    """`options`: the call of `ct.kernel`, which stands in the statement `at`. `replaced`: options that other kernels of
    the same function may be given."""

    at: Placed
    replaced: frozenset[str]


def resolve(module: Module, device: Mapping[str, int]) -> Found:
    """The kernels of a file. Its launches say nothing of threads or memory."""
    replaced = frozenset[str]().union(*(_replacing(it.statement) for it in module.statements))
    found = [_Kernel(it.placed, it.function, it.options, it.placed, replaced) for it in decorated(module, {_KERNEL})]
    found += _made(module, replaced)
    names = [it.function.name for it in found]
    several = (names.count(it) > 1 for it in names)
    arch = device.get("__CUDA_ARCH__", 0)
    keys = ((it, arch, more) for it, more in zip(found, several, strict=True))
    return Found(tuple(module.make(key, partial(_kernel, *key)) for key in keys))


@remembered(4096)
def _replacing(statement: Statement) -> frozenset[str]:
    """The options that `kernel.replace_hints(…)` gives in a statement; all, where it does not say which."""
    calls = (it.call for it in statement.calls if isinstance(it.call.func, ast.Attribute))
    given = [one.arg for it in calls if called_name(it.func) == _REPLACING for one in it.keywords]
    return frozenset(_STATED) if None in given else frozenset(filter(None, given))


def _made(module: Module, replaced: frozenset[str]) -> Iterator[_Kernel]:
    """The functions that `ct.kernel(function, …)` makes kernels; of several such calls no options are known."""
    made: dict[str, list[Stands]] = {}
    for it in calling(module.statements, {"kernel"}):
        match it.node:
            case ast.Call(func=func, args=[ast.Name(id=name)]) if module.scope.dotted(func) == _KERNEL:
                made.setdefault(name, []).append(it)
    for placed, function in module.functions() if made else ():
        calls = made.get(function.name, ())
        if calls and not function.outer and module.names.of(function.name).once:
            (first, *more) = calls
            options = first.node if isinstance(first.node, ast.Call) else None
            yield _Kernel(placed, function, options, first.placed, frozenset(_STATED) if more else replaced)


def _kernel(it: _Kernel, arch: int, several: bool, module: Module) -> Kernel:
    around = next(iter(module.around(it.function)), None)
    scope = module.inside(around)
    kernel = plain(it, it.qualified if several else it.function.name)
    cluster = _option(it, "num_ctas", arch, scope) if arch >= _FIRST_WITH_CLUSTERS else None
    attributes = KernelAttributes(
        block=(kernel.name_place, (unknown(_CHOSEN), ONE, ONE)),
        cluster=(cluster.place, (cluster.value, ONE, ONE)) if cluster is not None else None,
        asked_groups=_option(it, "occupancy", arch, scope),
    )
    summary = replace(kernel.summary, local=LocalMemory((), 0, None, "laid out by cuTile's compiler", False, ()))
    return replace(kernel, attributes=attributes, summary=summary, configured=True, states=tuple(_states(it, scope)))


def _states(it: _Kernel, scope: Scope) -> Iterator[tuple[str, int]]:
    """A number that differs in what was compiled says that it is of another version."""
    for name in set(_STATED) - it.replaced:
        said = it.option(name)
        found: Any = value(said.value, scope) if said is not None and _by_target(said, scope) is None else None
        stated = number(found, 1).number if found is not None else None
        if stated is not None:
            yield name, stated


def _option(it: _Kernel, name: str, arch: int, scope: Scope) -> AttributeValue | None:
    """A number for the device, at the argument that says it; None: not given, so that the compiler chooses."""
    said = it.option(name)
    if name in it.replaced:
        return AttributeValue(it.placed.place(it.function.name_span), unknown(_REPLACED))
    if said is None:
        place = it.at.place(it.at.statement.span(it.options)) if it.options is not None else None
        return AttributeValue(place, unknown(AMONG_STARS)) if place is not None and it.has_stars else None
    if (targets := _by_target(said, scope)) is not None:
        said = _argument(targets, f"sm_{arch // 10}") or _argument(targets, "default")
    found: Any = value(said.value, scope) if said is not None else None
    if said is None or found is None:
        return None
    literal = it.at.place(it.at.statement.span(said.value)) if isinstance(said.value, ast.Constant) else None
    return AttributeValue(it.at.place(it.at.statement.span(said)), structs.replace(number(found, 1), literal=literal))


def _by_target(said: ast.keyword, scope: Scope) -> ast.Call | None:
    call = said.value
    return call if isinstance(call, ast.Call) and scope.dotted(call.func) == _BY_TARGET else None


def _argument(call: ast.Call, name: str) -> ast.keyword | None:
    return next((it for it in call.keywords if it.arg == name), None)

"""Numba's kernels: functions under `@cuda.jit`, and their launches `kernel[grid, block, stream, shared](…)`.

`launch_bounds=` becomes `.maxntid` and `.minnctapersm` (`set_launch_bounds` in `numba.cuda.cudadrv.nvvm`),
`max_registers=` what the linker is told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.python.calling import called_in
from occupancy_lsp.languages.python.certain import may_run
from occupancy_lsp.languages.python.decorated import AMONG_STARS, Decorated, decorated, launched_as, plain
from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
from occupancy_lsp.languages.python.module import Found, Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.shared_arrays import LayOut, laid_out, memory_of
from occupancy_lsp.languages.python.sizes import dimensions, number
from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.values import Scope, Unknown, value
from occupancy_lsp.source.kernels.carveout_preference import CarveoutPreference
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds, KernelAttributes
from occupancy_lsp.source.kernels.launch_resolution import ExecutionConfiguration, KernelLaunch
from occupancy_lsp.source.syntax.known_value import Value, unknown

_JIT = ("numba.cuda.jit", "numba.cuda.decorators.jit")
_ON_HOST = ("numba.jit", "numba.njit", "numba.core.decorators.jit", "numba.core.decorators.njit")  # callable too
_SHARES = {"MaxL1": 0, "MaxShared": 100, "default": -1}  # percent; -1: none is preferred
_POSING = "pose_as_cuda"
_FORALL = "forall"
_CONFIGURE = "configure"
_WAITS = {"this_grid", "sync"}  # what Numba finds in the code of a kernel, which it then launches cooperatively
_LEFT = "Numba asks the driver for a size"


@dataclass(frozen=True, slots=True)
class _Jitted(Decorated):
    """`options`: the call of `cuda.jit`, which stands in the statement `at`."""

    at: Placed


def resolve(module: Module, device: Mapping[str, int]) -> Found:
    """The kernels and launches of a file."""
    return Found() if poses(module.statements) else found_in(module, laid_out)


def poses(statements: Sequence[Placed]) -> bool:
    """Whether what the file calls `numba.cuda` is numba-hip."""
    imported = (full for it in statements for _, full in it.statement.imports)
    return any(_POSING in called_in(it.statement) for it in statements) or f"numba.hip.{_POSING}" in imported


def found_in(module: Module, lay_out: LayOut) -> Found:
    """The kernels and launches of a file. `lay_out`: what a compiler makes of their shared arrays."""
    jitted, aliases = _jitted(module)
    if not jitted:
        return Found()
    callables = {it.function.name: (it.placed, it.function) for it in jitted}
    hosts = [(p, f) for p, f in module.decorated() if any(module.scope.called(it) in _ON_HOST for it in f.decorators)]
    callables |= {f.name: (p, f) for p, f in hosts} | {alias: callables[name] for alias, name in aliases.items()}
    configurations = [it for placed in module.statements for it in _configurations(placed)]
    launched = {_name(it.kernel, aliases) for it in configurations}
    called = {name for it in jitted for name in it.function.calls if name != it.function.name}
    several: dict[str, int] = {}
    kernels: list[tuple[_Jitted, Function]] = []
    for it in jitted:
        said = it.option("device")
        device_only = said is not None and value(said.value, module.scope) is not False
        name = it.function.name
        if device_only or (name not in launched and (name in called or _gives_back(it.function))):
            continue
        several[name] = several.get(name, 0) + 1
        kernels.append((it, it.function))
    module = replace(module, beside=callables)
    each = [_made_of(module, it, several[it.function.name] > 1, lay_out) for it, _ in kernels]
    found = tuple(kernel for kernel, _ in each)
    launches = tuple(_launches(module, configurations, kernels, found, aliases))
    return Found(found, launches, tuple(share for _, share in each if share is not None))


def launched_in(file: Importing, kernel: str, name: str) -> Iterator[FarKernelLaunch]:
    """The launches of a kernel in a file that imports it, where it is called `name`."""
    found = None
    for it in (one for placed in file.module.statements for one in _configurations(placed)):
        if isinstance(it.kernel, ast.Name) and it.kernel.id == name and name not in it.bound:
            arguments = _given(it, file.module)
            if arguments is not None:
                found = it
                reached = may_run(file.module, it.placed.statement, it.within, it.node)
                yield _start(file, it), replace(_launch(it, kernel, kernel, *arguments), reached=reached)
    if found is not None and name in file.named:
        yield _start(file, found), _launch(found, kernel, kernel, *(Unknown("it is launched by another name"),) * 3)


def _start(file: Importing, it: _Configuration) -> int:
    return file.start_of(it.placed.place(it.placed.statement.span(it.node)))


def _made_of(module: Module, it: _Jitted, several: bool, lay_out: LayOut) -> tuple[Kernel, CarveoutPreference | None]:
    return module.make((it, several), lambda module: (_kernel(module, it, several, lay_out), _share(it, module.scope)))


def _gives_back(function: Function) -> bool:
    return any(not (isinstance(it, ast.Constant) and it.value is None) for it in function.gives_back)


def _jitted(module: Module) -> tuple[list[_Jitted], dict[str, str]]:
    """Functions that `cuda.jit` is given, as a decorator or in `name = cuda.jit(…)(function)`; and such names."""
    found = [_Jitted(it.placed, it.function, it.options, it.placed) for it in decorated(module, _JIT)]
    known = {it.function.name for it in found}
    aliases: dict[str, str] = {}
    given = [(at, name, made) for at, name, node in _assigned(module) if (made := _made(module, node)) is not None]
    by_name = {f.name: (p, f) for p, f in module.functions()} if given else {}
    for at, name, made in given:
        if made[1] not in by_name:
            continue
        call, function = made
        aliases[name] = function
        if function not in known:
            known.add(function)
            found.append(_Jitted(*by_name[function], call, at))
    return found, {name: it for name, it in aliases.items() if name != it}


def _made(module: Module, node: ast.expr) -> tuple[ast.Call | None, str] | None:
    match node:
        case ast.Call(func=ast.Call() as call, args=[ast.Name(id=name)]) if module.scope.called(call) in _JIT:
            return call, name
        case ast.Call(func=called, args=[ast.Name(id=name)]) if module.scope.dotted(called) in _JIT:
            return node, name
    return None


def _assigned(module: Module) -> Iterator[tuple[Placed, str, ast.Call]]:
    """The calls whose results names are given, at the margin and in functions."""
    return ((placed, name, call) for placed in module.statements for name, call in _given_calls(placed.statement))


@remembered(4096)
def _given_calls(statement: Statement) -> tuple[tuple[str, ast.Call], ...]:
    given = (*statement.given, *(it for function in statement.functions for it in function.own))
    return tuple((name, node) for name, node in given if isinstance(node, ast.Call))


def _kernel(module: Module, it: _Jitted, several: bool, lay_out: LayOut) -> Kernel:
    local, barriers = memory_of(module, it.placed, it.function, lay_out)
    around = module.around(it.function)
    scope = module.inside(around[0]) if around else module.scope
    bounds = _bounds(it, scope)
    kernel = plain(it, it.qualified if several else it.function.name)
    return replace(
        kernel,
        attributes=KernelAttributes(bounds=bounds, max_registers=_most(it, scope) if bounds is None else None),
        summary=replace(kernel.summary, local=local, barriers=barriers),
        configured=not module.is_imported_by_name(it.function),
    )


def _bounds(it: _Jitted, scope: Scope) -> Bounds | None:
    """Each number at the place of them all: edits of C++ take one for itself."""
    option = it.option("launch_bounds")
    if option is None:
        if not it.has_stars or it.options is None:
            return None
        place = it.at.place(it.at.statement.span(it.options))
        return Bounds(place, AttributeValue(place, unknown(AMONG_STARS)), None, None)
    found = value(option.value, scope)
    if found is None:
        return None
    place = it.at.place(it.at.statement.span(option.value))
    given = [*found] if isinstance(found, list | tuple) else [found]
    first, second, third = (*(AttributeValue(place, number(one)) for one in given), None, None, None)[:3]
    return Bounds(place, first, second, third) if first is not None else None


def _most(it: _Jitted, scope: Scope) -> AttributeValue | None:
    option = it.option("max_registers")
    found = value(option.value, scope) if option else None
    if option is None or found is None or found == 0:
        return None
    return AttributeValue(it.at.place(it.at.statement.span(option.value)), number(found))


def _share(it: _Jitted, scope: Scope) -> CarveoutPreference | None:
    """What a driver is told of shared memory (`_validate_shared_memory_carveout` in `numba.cuda.decorators`)."""
    option = it.option("shared_memory_carveout")
    found = value(option.value, scope) if option else None
    if option is None or found is None:
        return None
    percent = Value(_SHARES[found]) if isinstance(found, str) and found in _SHARES else number(found, -1)
    return CarveoutPreference(
        it.function.name, str(option.arg), it.at.place(it.at.statement.span(option.value)), percent
    )


@dataclass(frozen=True, slots=True)
class _Configuration:
    """`kernel[grid, block, stream, shared]`, or what says the same."""

    placed: Placed
    kernel: ast.expr
    node: ast.expr  # the grid, the block and so on
    within: Function | None
    left: bool = False  # it is Numba that finds a size
    bound: frozenset[str] = frozenset()  # names of the comprehensions and lambdas around it


@remembered(4096)
def _configurations(placed: Placed) -> tuple[_Configuration, ...]:
    """Those in a statement."""
    statement = placed.statement
    found = []
    for it in statement.launches:
        if isinstance(it.call.func, ast.Subscript):
            found.append(_Configuration(placed, it.call.func.value, it.call.func.slice, it.within, bound=it.bound))
    for it in statement.calls:
        found += _by_method(placed, it)
    own = ((node, function) for function in statement.functions for _, node in function.own)
    for node, within in (*((node, None) for _, node in statement.given), *own):
        if isinstance(node, ast.Subscript):
            found.append(_Configuration(placed, node.value, node.slice, within))
    return tuple(found)


def _by_method(placed: Placed, call: Launch) -> Iterator[_Configuration]:
    func = call.call.func
    if not isinstance(func, ast.Attribute) or func.attr not in (_FORALL, _CONFIGURE):
        return
    yield _Configuration(placed, func.value, call.call, call.within, func.attr == _FORALL, call.bound)


def _name(node: ast.expr, aliases: Mapping[str, str]) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return aliases.get(name, name)
    return ""


def _launches(
    module: Module,
    configurations: list[_Configuration],
    kernels: list[tuple[_Jitted, Function]],
    found: tuple[Kernel, ...],
    aliases: Mapping[str, str],
) -> Iterator[KernelLaunch]:
    by_name: dict[str, list[tuple[Function, Kernel]]] = {}
    for (_, function), kernel in zip(kernels, found, strict=True):
        by_name.setdefault(kernel.name, []).append((function, kernel))
    for it in configurations:
        named = by_name.get(_name(it.kernel, aliases))
        meant = _meant(module, it, named) if named else None
        arguments = module.make(it, partial(_given, it)) if meant is not None else None
        if meant is not None and arguments is not None:
            launch = _launch(it, launched_as(meant), meant.name, *arguments)
            together = any(kernel is meant and function.words >= _WAITS for function, kernel in named or ())
            reached = may_run(module, it.placed.statement, it.within, it.node)
            yield replace(launch, cooperative=together, reached=reached)


def _meant(module: Module, it: _Configuration, named: list[tuple[Function, Kernel]]) -> Kernel | None:
    """The kernel of that name in the innermost function around the launch, or at the margin."""
    if isinstance(it.kernel, ast.Attribute):
        return named[0][1] if len(named) == 1 else None
    if isinstance(it.kernel, ast.Name) and it.kernel.id in it.bound:
        return None
    around = (it.within, *module.around(it.within)) if it.within else ()
    for holder in around:
        inside = [kernel for function, kernel in named if function.outer == (*holder.outer, holder.name)]
        if inside:
            return inside[0] if len(inside) == 1 else None
        if isinstance(it.kernel, ast.Name) and it.kernel.id in parameters(holder):
            return None
    inside = [kernel for function, kernel in named if not function.outer]
    return inside[0] if len(inside) == 1 else None


def _given(it: _Configuration, module: Module) -> tuple[Any, Any, Any] | None:
    return _arguments(it, module.inside(it.within, it.bound))


def _arguments(it: _Configuration, scope: Scope) -> tuple[Any, Any, Any] | None:
    """The values of grid, block and shared memory; None: it is no launch."""
    if isinstance(it.node, ast.Call):
        names = ("ntasks", "tpb", "stream", "sharedmem") if it.left else ("griddim", "blockdim", "stream", "sharedmem")
        nodes = dict(zip(names, it.node.args, strict=False)) | {k.arg: k.value for k in it.node.keywords if k.arg}
        values = {name: value(node, scope) for name, node in nodes.items()}
        unclear = len(it.node.args) > len(names) or any(k.arg is None for k in it.node.keywords)
        rest = Unknown(AMONG_STARS) if unclear or any(isinstance(a, ast.Starred) for a in it.node.args) else None
        grid = Unknown("Numba works it out") if it.left else values.get("griddim", rest)
        block = values.get("tpb" if it.left else "blockdim", rest)
        if it.left and (block is None or (type(block) is int and block == 0)):
            block = Unknown(_LEFT)
        return (grid, block, values.get("sharedmem", rest)) if block is not None else None
    if isinstance(it.node, ast.Tuple) and any(isinstance(one, ast.Starred) for one in it.node.elts):
        return Unknown(AMONG_STARS), Unknown(AMONG_STARS), Unknown(AMONG_STARS)
    found = value(it.node, scope)
    if isinstance(found, list | tuple):
        return (found[0], found[1], found[3] if len(found) > 3 else None) if 2 <= len(found) <= 4 else None
    reason = found if isinstance(found, Unknown) else Unknown("it is decided at run time")
    return reason, reason, reason


def _launch(it: _Configuration, kernel: str, name: str, grid: Any, block: Any, shared: Any) -> KernelLaunch:
    statement = it.placed.statement
    place = it.placed.place(statement.span(it.node))
    dynamic = None if shared is None or (type(shared) is int and shared == 0) else AttributeValue(place, number(shared))
    return KernelLaunch(
        kernel, name, place, it.placed.place(statement.span(it.kernel)),
        ExecutionConfiguration((place, dimensions(grid)), (place, dimensions(block)), dynamic), "",
    )  # fmt: skip

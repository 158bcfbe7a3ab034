"""Warp's kernels: functions under `@wp.kernel`, and their launches `wp.launch(kernel, dim, inputs, block_dim=256)`.

Warp generates CUDA for each kernel, once for each size of a block: `launch_bounds=` becomes `__launch_bounds__`,
`cuda_max_registers=` `__maxnreg__`, and `cluster_dim=` `__cluster_dims__` (`codegen_kernel` in `warp._src.codegen`).
The kernel of the backward pass has the same bounds, and each tile twice (`_propagate_backward_shared_memory` in
`warp._src.context`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.languages.python.certain import may_run
from occupancy_lsp.languages.python.decorated import AMONG_STARS, Decorated, decorated, launched_as, plain
from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
from occupancy_lsp.languages.python.module import Found, Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.sizes import number
from occupancy_lsp.languages.python.statements import Function, Launch, Statement
from occupancy_lsp.languages.python.values import Unknown, value
from occupancy_lsp.languages.python.warp_digest import digest
from occupancy_lsp.languages.python.warp_memory import Callables, Needs, needs_of
from occupancy_lsp.source.kernels.hardware_barrier_count import Barriers
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds, KernelAttributes
from occupancy_lsp.source.kernels.launch_resolution import ExecutionConfiguration, KernelLaunch
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.syntax.known_value import ONE, Place, Value, unknown

_MODULES = ("warp", "warp.context", "warp._src.context")
_KERNEL = frozenset(f"{it}.kernel" for it in _MODULES)
_FUNCTION = frozenset(f"{it}.func" for it in _MODULES)
_OF_GRADIENTS = frozenset(f"{it}.{name}" for it in _MODULES for name in ("func_grad", "func_replay"))
_TILED = frozenset(f"{it}.launch_tiled" for it in _MODULES)
_LAUNCHES = _TILED | {f"{it}.launch" for it in _MODULES}
_GIVEN = (
    "kernel dim inputs outputs adj_inputs adj_outputs device stream adjoint record_tape record_cmd max_blocks block_dim"
)
_ARGUMENTS = _GIVEN.split()  # of `launch`, in order
_DEFAULT = 256  # `_resolve_launch_block_dim` in `warp._src.context`: also for sizes below 1
_MOST = 1024  # threads of a block on any device
_MOST_STATIC = 48 * 1024  # bytes of shared memory of a block on any device
_CHOOSING = regex(rb"\b(?:set_device|get_device|ScopedDevice)\b")  # which device is the default, or may be
_FIRST_WITH_CLUSTERS = 900  # __CUDA_ARCH__: Warp leaves them out elsewhere
_GRID = "Warp works it out"


@dataclass(frozen=True, slots=True)
class _Sized:
    """A launch. `threads`: of each block. `backward`: of the backward pass; None: what it runs is not known. `on_gpu`:
    surely; the processor has no limits of blocks."""

    placed: Placed
    call: Launch
    kernel: ast.expr
    place: Place
    threads: Value
    backward: bool | None
    on_gpu: bool
    reached: bool


def resolve(module: Module, device: Mapping[str, int]) -> Found:
    """The kernels and launches of a file."""
    declared = [*decorated(module, _KERNEL)]
    if not declared:
        return Found()
    by_name: dict[str, list[Decorated]] = {}
    for it in declared:
        by_name.setdefault(it.function.name, []).append(it)
    launches: dict[int, list[_Sized]] = {}
    replaced = any(decorated(module, _OF_GRADIENTS))
    for launch in _launches(module):
        meant = _meant(module, launch, by_name)
        if replaced and launch.backward:
            launch = replace(launch, backward=None)
        if meant is not None:
            launches.setdefault(id(meant.function), []).append(launch)
    module = replace(module, beside=_callables(module))
    plain = not any(_says_unrolling(it.statement) for it in module.statements)
    kernels: list[Kernel] = []
    found: list[KernelLaunch] = []
    for it in declared:
        own = tuple(launches.get(id(it.function), ()))
        several = len(by_name[it.function.name]) > 1
        has_clusters = device.get("__CUDA_ARCH__", 0) >= _FIRST_WITH_CLUSTERS
        make = partial(_made, it=it, several=several, has_clusters=has_clusters, unrolls=plain, launches=own)
        kernel, launched = module.make((it, several, has_clusters, plain, own), make)
        kernels.append(kernel)
        found += launched
    return Found(tuple(kernels), tuple(found))


def launched_in(file: Importing, kernel: str, name: str) -> tuple[FarKernelLaunch, ...]:
    """The launches of a kernel in a file that imports it, where it is called `name`."""
    return tuple(
        (file.start_of(it.place), replace(_of_name(kernel, it), perhaps=not it.on_gpu))
        for it in _launches(file.module)
        if isinstance(it.kernel, ast.Name) and it.kernel.id == name and name not in it.call.bound
        if it.on_gpu or (it.threads.number or 0) <= _MOST
    )


@remembered(4096)
def _classes(statement: Statement) -> tuple[str, ...]:
    return tuple(it.name for it in statement.nodes if isinstance(it, ast.ClassDef))


@remembered(4096)
def _says_unrolling(statement: Statement) -> bool:
    return b"max_unroll" in statement.text


def _callables(module: Module) -> Callables:
    found: dict[str, tuple[tuple[Placed, Function], ...]] = {}
    for placed in module.statements:
        found.update(dict.fromkeys(_classes(placed.statement), ()))
    for it in decorated(module, _FUNCTION):
        found[it.function.name] = (*found.get(it.function.name, ()), (it.placed, it.function))
    return found


def _made(
    module: Module, it: Decorated, several: bool, has_clusters: bool, unrolls: bool, launches: tuple[_Sized, ...]
) -> tuple[Kernel, tuple[KernelLaunch, ...]]:
    kernel = _kernel(module, it, has_clusters)
    kernel = replace(kernel, qualified=it.qualified) if several else replace(kernel, digest=digest(module, it))
    needs = needs_of(module, it.function, unrolls)
    # Of a launch elsewhere it is not told what memory it takes, so it counts only where that is next to nothing.
    takes = bool(launches) or needs.tiles.any or needs.perhaps > 0 or not module.is_imported_by_name(it.function)
    launches = tuple(one for one in launches if one.on_gpu or _can_run(kernel, needs, one.threads.number or 0))
    kernel = replace(_with_memory(kernel, needs, launches), configured=takes)
    return kernel, tuple(_launch(kernel, needs, one) for one in launches)


def _can_run(kernel: Kernel, needs: Needs, size: int) -> bool:
    """Whether a GPU may have such blocks; 0: the size is not known."""
    bound = kernel.attributes.max_threads.value.number if kernel.attributes.max_threads else None
    return size <= min(bound or _MOST, _MOST) and needs.static(size, size)[0] <= _MOST_STATIC


def _kernel(module: Module, it: Decorated, has_clusters: bool) -> Kernel:
    cluster = _option(module, it, "cluster_dim") if has_clusters else None
    attributes = KernelAttributes(
        bounds=_bounds(module, it),
        max_registers=_option(module, it, "cuda_max_registers"),
        cluster=(cluster.place, (cluster.value, ONE, ONE)) if cluster is not None else None,
    )
    return replace(plain(it, it.function.name), attributes=attributes)


def _bounds(module: Module, it: Decorated) -> Bounds | None:
    """Each number at the place of them all: edits of C++ take one for itself."""
    option = it.option("launch_bounds")
    if option is None:
        if it.options is None or not it.has_stars:
            return None
        place = it.placed.place(it.placed.statement.span(it.options))
        return Bounds(place, AttributeValue(place, unknown(AMONG_STARS)), None, None)
    found = _value(module, it, option.value)
    if found is None:
        return None
    place = it.placed.place(it.placed.statement.span(option.value))
    given = [*found] if isinstance(found, list | tuple) else [found]
    first, second = (*(AttributeValue(place, number(one)) for one in given), None, None)[:2]
    return Bounds(place, first, second, None) if first is not None and len(given) <= 2 else None


def _option(module: Module, it: Decorated, name: str) -> AttributeValue | None:
    """A number; None: not given."""
    option = it.option(name)
    found = _value(module, it, option.value) if option is not None else None
    if option is None or found is None:
        return None
    return AttributeValue(it.placed.place(it.placed.statement.span(option.value)), number(found, 1))


def _value(module: Module, it: Decorated, node: ast.expr) -> Any:
    around = next(iter(module.around(it.function)), None)
    return value(node, module.inside(around))


def _launches(module: Module) -> Iterator[_Sized]:
    chosen = any(_chooses_device(it.statement) for it in module.statements)
    for placed in module.statements:
        for call in _named_launch(placed.statement):
            if module.scope.dotted(call.call.func) in _LAUNCHES:
                found = _sized(module, placed, call, chosen)
                if found is not None:
                    yield found


@remembered(4096)
def _chooses_device(statement: Statement) -> bool:
    return _CHOOSING.search(statement.text) is not None


@remembered(4096)
def _named_launch(statement: Statement) -> tuple[Launch, ...]:
    names = ("launch", "launch_tiled")
    return tuple(it for it in statement.calls if isinstance(it.call.func, ast.Attribute) and it.call.func.attr in names)


def _sized(module: Module, placed: Placed, call: Launch, chosen: bool) -> _Sized | None:
    """None: it names no kernel, runs on the processor, or nowhere. `chosen`: the file may choose the default device."""
    given = dict(zip(_ARGUMENTS, call.call.args, strict=False))
    given |= {it.arg: it.value for it in call.call.keywords if it.arg}
    kernel = given.get("kernel")
    scope = module.inside(call.within, call.bound)
    device = value(given["device"], scope) if "device" in given else None
    if kernel is None or device == "cpu":
        return None
    size, named = given.get("block_dim"), {it.arg for it in call.call.keywords}
    if module.scope.dotted(call.call.func) in _TILED and named.isdisjoint(("block_dim", None)):
        return None  # Warp raises an error
    starred = None in named or any(isinstance(it, ast.Starred) for it in call.call.args)
    on_gpu = not (starred or chosen) if "device" not in given else str(device).startswith("cuda")
    place = placed.place(placed.statement.span(size if size is not None else call.call.func))
    said = value(given["adjoint"], scope) if "adjoint" in given else Unknown(AMONG_STARS) if starred else False
    backward = said if isinstance(said, bool) else None
    among = size is None and starred
    threads = unknown(AMONG_STARS) if among else _threads(value(size, scope) if size is not None else None)
    reached = may_run(module, placed.statement, call.within, call.call)
    return _Sized(placed, call, kernel, place, threads, backward, on_gpu, reached)


def _threads(found: Any) -> Value:
    if found is None or (type(found) is int and found <= 0):
        return Value(_DEFAULT)
    return number(found)


def _meant(module: Module, it: _Sized, by_name: Mapping[str, Sequence[Decorated]]) -> Decorated | None:
    """The kernel of that name in the innermost function around the launch, or at the margin."""
    match it.kernel:
        case ast.Name(id=name) if name not in it.call.bound:
            pass
        case ast.Attribute(value=ast.Name(id=root), attr=name) if root in ("self", "cls") or _holds(
            by_name, name, root
        ):
            named = by_name.get(name, ())
            return named[0] if len(named) == 1 else None
        case _:
            return None
    named = by_name.get(name, ())
    within = it.call.within
    for holder in (within, *module.around(within)) if within is not None else ():
        inside = [one for one in named if one.function.outer == (*holder.outer, holder.name)]
        if inside:
            return inside[0] if len(inside) == 1 else None
        if name in parameters(holder) or any(name == given for given, _ in holder.own):
            return None
    inside = [one for one in named if not one.function.outer]
    return inside[0] if len(inside) == 1 else None


def _holds(by_name: Mapping[str, Sequence[Decorated]], name: str, root: str) -> bool:
    """Whether it is of a class or function of the file."""
    return any(root in it.function.outer for it in by_name.get(name, ()))


def _with_memory(kernel: Kernel, needs: Needs, launches: Sequence[_Sized]) -> Kernel:
    """As it is compiled for the sizes that it is launched with: for several, once for each of them."""
    ways = sorted({(it.threads.number, it.backward is not False) for it in launches if it.threads.number is not None})
    sizes = [size for size, _ in ways]
    if sizes and all(it.threads.number is not None for it in launches):
        whole = _sized_for(kernel, needs, sizes[0], sizes[-1])
        if len(ways) == 1:
            return whole
    else:
        bound = kernel.attributes.max_threads.value.number if kernel.attributes.max_threads else None
        whole = _sized_for(kernel, needs, 1, max([min(bound or _MOST, _MOST), *sizes]))
    instances = (replace(_sized_for(kernel, needs, it, it), arguments=_arguments(it, back)) for it, back in ways)
    return replace(whole, instances=tuple(instances))


def _arguments(size: int, backward: bool) -> str:
    """`backward`: of the backward pass, perhaps, which is a kernel of its own."""
    return f"block_dim={size}, adjoint=True" if backward else f"block_dim={size}"


def _sized_for(kernel: Kernel, needs: Needs, least: int, most: int) -> Kernel:
    """For blocks of so many threads."""
    lowest, highest = needs.static(least, most)
    tiled = needs.tiles.any
    # That it differs with a size that is not known is said of the size.
    reason = needs.tiles.doubt or ("what reducing a tile takes is not known" if needs.tiles.reduced else "")
    local = LocalMemory((), lowest, highest, reason, tiled, needs.unseen, (), 16 if tiled else 4)
    barriers = Barriers(0, int(tiled), "tiles may wait for all threads" if tiled else "", needs.unseen)
    return replace(kernel, summary=replace(kernel.summary, local=local, barriers=barriers))


def _launch(kernel: Kernel, needs: Needs, it: _Sized) -> KernelLaunch:
    size = it.threads.number
    arguments = _arguments(size, it.backward is not False) if size is not None else None
    dynamic = AttributeValue(it.place, _tiles(needs.tiles.bytes, it.backward)) if needs.tiles.any else None
    launch = _of_name(kernel.name, it)
    sizes = replace(launch.configuration, dynamic=dynamic)
    return replace(launch, kernel=launched_as(kernel), configuration=sizes, arguments=arguments, on_device=it.on_gpu)


def _tiles(found: Value, backward: bool | None) -> Value:
    """The bytes of a launch: in the backward pass each tile has another of its size for what is handed back."""
    if backward is None and found.number:
        return unknown("what the backward pass needs is not known")
    return Value(2 * found.number) if backward and found.number is not None else found


def _of_name(kernel: str, it: _Sized) -> KernelLaunch:
    target = it.placed.place(it.placed.statement.span(it.kernel))
    grid, block = (unknown(_GRID), ONE, ONE), (it.threads, ONE, ONE)
    sizes = ExecutionConfiguration((it.place, grid), (it.place, block))
    return KernelLaunch(kernel, kernel, it.place, target, sizes, None, reached=it.reached)
